// How long the longest messages hold up the event loop: `npm run bench:long`, or with a pattern as argument those rows
// alone. The server is a process with the settings of a daemon; caller and equipment are another one. Works under the folder
// of temporary files, on its disk.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { cpus, loadavg } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { buildApp } from '../src/api/app.js'
import { DAEMON_OPTIONS, DAEMON_VARIABLES } from '../src/cli/installation.js'
import { systemClock } from '../src/kit/clock.js'
import { encodeItem } from '../src/secs2/encode.js'
import { type Item, U4 } from '../src/secs2/item.js'
import { numberItem } from '../src/secs2/number.js'
import { certain } from '../src/store/failure.js'
import { threadTimes, watchTurns } from './held-turns.js'
import { type Answer, beEquipment, bytesOf, type Call, call, LENGTH, type Sends } from './long-load.js'
import { openBench } from './open-bench.js'

/** A message that comes is on disk, and acknowledged, within so many milliseconds. */
const COMES_WITHIN_MS = 30_000

const repeated = (text: string): string => text.repeat(Math.floor(LENGTH / text.length))

/** `你好` in GB 18030, `アイ` in Shift_JIS, each byte a character. */
const BODIES: readonly (readonly [name: string, encoding: string, item: () => Item])[] = [
  ['B of 16 MiB', 'latin1', () => ({ format: 'B', value: bytesOf(LENGTH) })],
  ['A of 16 MiB, Latin-1', 'latin1', () => ({ format: 'A', value: repeated('"heat" to 400\r\n') })],
  ['A of 16 MiB, GB 18030', 'gb18030', () => ({ format: 'A', value: repeated('\xc4\xe3\xba\xc3ABC \r\n') })],
  [
    'A of 16 MiB, Shift_JIS',
    'shift_jis',
    () => ({ format: 'A', value: repeated('\x83\x41\x83\x43 ABC\r\n') }),
  ],
  [
    'F4 of 4 Mi numbers',
    'latin1',
    () =>
      numberItem(
        'F4',
        Array.from({ length: LENGTH / 4 }, (_, at) => at / 7),
      ),
  ],
  [
    'L of 1 Mi items',
    'latin1',
    () => ({ format: 'L', items: Array.from({ length: 2 ** 20 - 1 }, (_, at) => U4(at)) }),
  ],
]

/** Milliseconds of a fixed amount of work: how fast, and how busy, this machine is. */
function spin(): string {
  const began = performance.now()
  let sum = 0
  for (let at = 0; at < 1e8; at++) sum = (sum + at) | 0
  return (performance.now() - began + 0 * sum).toFixed(0)
}

const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(0)
const print = (name: string, ...cells: string[]): void =>
  console.log(name.padEnd(44) + cells.map((cell) => cell.padStart(12)).join(''))

/** Does what it is told, one after the other. */
async function beLoad(): Promise<void> {
  const equipment = await beEquipment()
  process.on('message', async (told: Call | Sends) => {
    if (typeof told === 'string') equipment.send(told)
    else process.send?.(await call(told))
  })
  process.send?.(equipment.port)
}

async function beGateway(rows: RegExp): Promise<void> {
  const { store, gateway, token } = await openBench()
  const app = await buildApp(gateway, { clock: systemClock, version: '0' })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo

  const load = fork(process.argv[1] ?? '', ['load'], { execArgv: [] })
  process.on('exit', () => load.kill())
  const [equipmentPort] = (await once(load, 'message')) as [number]
  const headers = { host: 'a', authorization: `Bearer ${token}` }
  const answerTo = async (given: Omit<Call, 'port' | 'headers'> & Partial<Call>): Promise<Answer> => {
    load.send({ port, ...given, headers: { ...headers, ...given.headers } })
    const [answer] = (await once(load, 'message')) as [Answer]
    if (answer.status >= 500) throw new Error(`${given.path} is answered with ${answer.status}`)
    return answer
  }

  const stalls = monitorEventLoopDelay({ resolution: 1 })
  const processor = threadTimes()
  let peak = 0
  setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5)
  /** Does it, and prints the longest time that the event loop did nothing else. */
  async function look(name: string, work: () => Promise<Answer | undefined>): Promise<void> {
    if (!rows.test(name)) return
    globalThis.gc?.()
    await new Promise((resolve) => setTimeout(resolve, 50))
    const before = process.memoryUsage().rss
    peak = before
    stalls.reset()
    stalls.enable()
    const held = watchTurns(processor)
    const began = performance.now()
    const answer = await work().catch((error: Error) => error)
    const took = performance.now() - began
    const [longest, second] = await held()
    await new Promise((resolve) => setTimeout(resolve, 20))
    stalls.disable()
    if (answer instanceof Error) return console.log(`${name.padEnd(44)}  not measured: ${answer.message}`)
    print(
      name,
      (stalls.max / 1e6).toFixed(0),
      (stalls.percentile(99) / 1e6).toFixed(0),
      (longest?.cpu ?? 0).toFixed(0),
      (longest?.gc ?? 0).toFixed(0),
      (second?.cpu ?? 0).toFixed(0),
      took.toFixed(0),
      answer ? mebibytes(answer.bytes) : '',
      mebibytes(peak - before),
    )
  }

  console.log(
    `the same 100 million additions take ${spin()} ms here, 41 ms on a quiet machine of the first figures`,
  )
  console.log(`node ${process.version}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}`)
  print('', 'stall ms', '99 % ms', 'CPU ms', 'of it GC', '2nd CPU ms', 'took ms', 'MiB out', 'MiB more')
  // The first call of an endpoint makes what checks its parameters: up to 10 ms, whatever the message.
  for (const path of ['events', 'messages', 'messages/1', 'equipment/x/recipes/x'])
    await answerTo({ method: 'GET', path: `/api/v1/${path}` })
  for (const [name, encoding, item] of BODIES) {
    const { id } = await gateway.equipment.create({
      name: encoding + name.replace(/\W/g, ''),
      ip_address: '127.0.0.1',
      port: 1,
      text_encoding: encoding,
    })
    const body = Buffer.from(encodeItem(item())).toString('base64')
    const data = {
      stream: 7,
      function: 27,
      w_bit: false,
      session_id: 0,
      system_bytes: 1,
      body,
      reply_to: null,
    }
    const at = systemClock.date().toISOString()
    const entry = { key: id, type: 'message', name: 'message_received', topic: 'S7F27', at, data }
    // A disk that others use may take longer than a caller waits.
    const [{ seq } = { seq: 0 }] = await certain(store.journal.appendAll([entry]))
    await look(`GET /messages/{id}: ${name}`, () =>
      answerTo({ method: 'GET', path: `/api/v1/messages/${seq}` }),
    )
    if (name !== BODIES[0]?.[0]) continue
    await look(`GET /messages/{id}?raw=true: ${name}`, () =>
      answerTo({ method: 'GET', path: `/api/v1/messages/${seq}?raw=true` }),
    )
    await look(`GET /messages: ${name}`, () =>
      answerTo({ method: 'GET', path: `/api/v1/messages?equipment_id=${id}` }),
    )
    const path = `/api/v1/events/stream?after=${seq - 1}`
    await look(`GET /events/stream: ${name}`, () => answerTo({ method: 'GET', path, enough: 100 * 2 ** 20 }))
  }

  const created = await gateway.equipment.create({
    name: 'etcher',
    ip_address: '127.0.0.1',
    port: equipmentPort,
  })
  const record = await gateway.equipment.connect(created.id, 10)
  if (record.communication_state !== 'COMMUNICATING') throw new Error('the equipment does not communicate')
  // What it tells of itself, first of all its 20,000 names, has a row of its own.
  const told = (): boolean => gateway.equipment.readingOf(record.id).knowledge?.hasWhole('S1F11') === true
  while (!told()) await new Promise((resolve) => setTimeout(resolve, 50))
  const path = `/api/v1/equipment/${record.id}/messages`
  const json = { 'content-type': 'application/json' }
  const ask: [string, number, string] = ['{"stream":7,"function":5,"data":{"PPID":"RECIPE"}}', 0, '']
  await look('POST …/messages: reply of 16 MiB', () =>
    answerTo({ method: 'POST', path, headers: json, body: ask }),
  )
  const keyed = { ...json, 'idempotency-key': 'a' }
  await look('the same with Idempotency-Key', () =>
    answerTo({ method: 'POST', path, headers: keyed, body: ask }),
  )
  await look('a repeat of it', () => answerTo({ method: 'POST', path, headers: keyed, body: ask }))
  const longs: readonly (readonly [name: string, body: NonNullable<Call['body']>])[] = [
    ['20 MiB of sml: <U1 7 7 ...>', ['{"sml":"S7F3 <L <A \\"X\\"> <U1 ', 10 * 2 ** 20, '>>"}', '7 ']],
    ['20 MiB of sml: <A 0x41 ...>', ['{"sml":"S7F3 <L <A \\"X\\"> <A ', 4 * 2 ** 20, '>>"}', '0x41 ']],
    [
      '20 MiB of sml: a string of escapes',
      ['{"sml":"S7F3 <L <A \\"X\\"> <A \\"', 5 * 2 ** 20, '\\">>"}', '\\\\\\"'],
    ],
    ['20 MiB of sml: white space', ['{"sml":"S7F3 ', 20 * 2 ** 20, '.', ' ']],
    ['1 Mi items of sml', ['{"sml":"S6F25 <L ', 2 ** 20 - 1, '>"}', '<A \\"x\\"> ']],
    [
      '1 Mi items of typed JSON',
      ['{"stream":1,"function":3,"body":{"L":[', 2 ** 20 - 2, '{"A":"x"}]}}', '{"A":"x"},'],
    ],
    ['data: 1 Mi SVIDs', ['{"stream":1,"function":3,"data":{"SVID":[', 2 ** 20 - 2, '7]}}', '12345,']],
    ['data: 2 Mi values', ['{"stream":7,"function":3,"data":{"PPID":"X","PPBODY":[', 2 ** 21, '7]}}', '7,']],
    [
      'data: 2 Mi values that are wrong',
      ['{"stream":2,"function":15,"data":{"ROWS":[', 2 ** 21, '7]}}', '7,'],
    ],
    [
      'a text of 16 MiB',
      ['{"stream":7,"function":3,"body":{"L":[{"A":"X"},{"A":"', 16_000_000, '"}]}}', 'x'],
    ],
    [
      '100,000 names that are unknown',
      ['{"stream":1,"function":3,"data":{"a":[', 700_000, '0]}}', '{"x":1},'],
    ],
  ]
  for (const [name, body] of longs) {
    await look(`POST …/messages: ${name}`, () => answerTo({ method: 'POST', path, headers: json, body }))
  }
  await look('the last but one with Idempotency-Key', () =>
    answerTo({
      method: 'POST',
      path,
      headers: { ...json, 'idempotency-key': 'b' },
      body: longs[9]?.[1] ?? ask,
    }),
  )
  await look('POST …/messages: S5F6 of 1 Mi items', () =>
    answerTo({ method: 'POST', path, headers: json, body: ['{"stream":5,"function":5}', 0, ''] }),
  )
  await look('POST …/messages: S1F12 of 20,000 names', () =>
    answerTo({ method: 'POST', path, headers: json, body: ['{"stream":1,"function":11}', 0, ''] }),
  )
  await answerTo({ method: 'POST', path: `${path}/preview`, headers: json, body: ['{}', 0, ''] })
  const preview: Call['body'] = ['{"recipe":{"ppid":"X","body":"', 1_000_000 / 4, '"}}', 'QUJD']
  await look('POST …/messages/preview: 750 KB', () =>
    answerTo({ method: 'POST', path: `${path}/preview`, headers: json, body: preview }),
  )
  const recipe: Call['body'] = ['{"body":"', 22_000_000 / 4, '"}', 'QUJD']
  const recipes = `/api/v1/equipment/${record.id}/recipes/X`
  await look('PUT …/recipes/X: 16 MiB', () =>
    answerTo({ method: 'PUT', path: recipes, headers: json, body: recipe }),
  )
  await look('GET …/recipes/X: 16 MiB', () => answerTo({ method: 'GET', path: recipes }))
  await look('GET /messages: many long ones', () =>
    answerTo({ method: 'GET', path: `/api/v1/messages?equipment_id=${record.id}&limit=20` }),
  )
  const long: [string, number, string] = [
    '{"stream":7,"function":3,"body":{"L":[{"A":"X"},{"B":[',
    6_500_000,
    ']}]}}',
  ]
  await look('POST …/messages: body of 22 MiB of JSON', () =>
    answerTo({ method: 'POST', path, headers: json, body: long }),
  )
  const comes = async (what: Sends): Promise<undefined> => {
    const { last } = store.journal
    load.send(what)
    const end = performance.now() + COMES_WITHIN_MS
    while (store.journal.last < last + 2) {
      if (performance.now() > end)
        throw new Error('the disk was so slow that the message was not acknowledged')
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  await look('S7F3 of 16 MiB comes', () => comes('S7F3'))
  await look('S2F25 of 16 MiB comes', () => comes('S2F25'))
  await look('S5F1 of 1 Mi items comes', () => comes('S5F1'))
  await look('S6F11 of 1 Mi items comes', () => comes('S6F11'))
  const watching = new AbortController()
  void (async () => {
    for await (const _ of gateway.wires.follow(record.id, 1000, watching.signal));
  })()
  await look('the same, watched', () => comes('S6F11'))
  process.exit()
}

const [role, rows = ''] = process.argv.slice(2)
if (role === 'load') await beLoad()
else if (role === 'gateway') await beGateway(new RegExp(rows))
else {
  const execArgv = ['--expose-gc', ...DAEMON_OPTIONS]
  const env = { ...process.env, ...DAEMON_VARIABLES }
  const gateway = fork(process.argv[1] ?? '', ['gateway', ...(role === undefined ? [] : [role])], {
    execArgv,
    env,
  })
  process.on('SIGTERM', () => gateway.kill())
  await once(gateway, 'exit')
}
