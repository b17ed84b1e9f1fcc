// Memory while many callers POST bodies of 22 MB at once, and how long short calls take meanwhile: `npm run bench:body-memory`, or
// with numbers of callers as arguments. Gateway and callers are processes of their own, the gateway with the settings of a daemon.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cpus, loadavg } from 'node:os'
import { buildApp } from '../src/api/app.js'
import { DAEMON_OPTIONS, DAEMON_VARIABLES } from '../src/cli/installation.js'
import { watchMemory } from '../src/daemon/memory-watch.js'
import { systemClock } from '../src/kit/clock.js'
import { beEquipment } from './long-load.js'
import { openBench } from './open-bench.js'

const LENGTH = 22_000_000
const filled = (start: string, text: string, last: string, end: string, most = Number.POSITIVE_INFINITY) =>
  start + text.repeat(Math.min(most, Math.floor(LENGTH / text.length))) + last + end

const MESSAGES = 'POST /messages'
const BODIES: Readonly<Record<string, readonly [call: string, body: () => string]>> = {
  'typed JSON, 1 Mi items': [
    MESSAGES,
    () =>
      filled(
        '{"stream":1,"function":3,"body":{"L":[',
        '{"A":"0123456789a"},',
        '{"A":""}',
        ']}}',
        2 ** 20 - 8,
      ),
  ],
  'JSON of empty lists': [
    MESSAGES,
    () => filled('{"stream":1,"function":3,"body":{"L":[', '[],', '[]', ']}}'),
  ],
  'JSON of short texts': [
    MESSAGES,
    () => filled('{"stream":1,"function":3,"data":{"SVID":[', '"12",', '""', ']}}'),
  ],
  'SML of 1 Mi items': [
    MESSAGES,
    () => filled('{"sml":"S6F25 <L ', "<A 'x2345678901234'> ", '', '>"}', 2 ** 20 - 8),
  ],
  'SML of bytes': [MESSAGES, () => filled(`{"sml":"S7F3 <L <A 'X'> <U1 `, '7 ', '', '>>"}')],
  'data: numbers': [
    MESSAGES,
    () => filled('{"stream":7,"function":3,"data":{"PPID":"X","PPBODY":[', '7,', '7', ']}}'),
  ],
  recipe: ['PUT /recipes/X', () => filled('{"body":"', 'QUJD', '', '"}')],
}

const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(0)
const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

/** The status of a response, or its error code. */
function call(port: number, line: string, path: string, token: string, body: Buffer): Promise<string> {
  const [method = '', end = ''] = line.split(' ')
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': body.length,
  }
  return new Promise((resolve, reject) => {
    const sent = request({ port, method, path: path + end, headers, agent: false }, async (response) => {
      const text = await response.setEncoding('utf8').reduce((all: string, part: string) => all + part, '')
      resolve(/"code":"(\w+)"/.exec(text)?.[1] ?? String(response.statusCode))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

interface Told {
  readonly port: number
  readonly path: string
  readonly token: string
}

async function beCallers(count: number, name: string): Promise<void> {
  const [line, made] = BODIES[name] as (typeof BODIES)[string]
  const body = Buffer.from(made())
  const equipment = await beEquipment()
  process.on('message', async ({ port, path, token }: Told) => {
    const began = performance.now()
    let isOver = false
    const times: number[] = []
    const look = (async () => {
      for (; !isOver; await pause(20)) {
        const from = performance.now()
        await call(port, 'GET ', path, token, Buffer.alloc(0))
        times.push(performance.now() - from)
      }
    })()
    const ends = await Promise.all(
      Array.from({ length: count }, () =>
        call(port, line, path, token, body).catch(({ code }) => String(code)),
      ),
    )
    const took = performance.now() - began
    isOver = true
    await look
    const counts = [...new Set(ends)].map((end) => `${ends.filter((one) => one === end).length} x ${end}`)
    times.sort((one, other) => one - other)
    process.send?.({ took, ends: counts.join(', '), p99: times[Math.floor(times.length * 0.99)] })
  })
  process.send?.(equipment.port)
}

async function beGateway(count: number, name: string): Promise<void> {
  const { gateway, token } = await openBench()
  const app = await buildApp(gateway, { clock: systemClock, version: '0' })
  await app.listen({ port: 0, host: '127.0.0.1' })
  watchMemory(systemClock)
  const callers = fork(process.argv[1] ?? '', ['callers', String(count), name], { execArgv: [] })
  process.on('exit', () => callers.kill())
  const [port] = (await once(callers, 'message')) as [number]
  const { id } = await gateway.equipment.create({ name: 'etcher', ip_address: '127.0.0.1', port })
  await gateway.equipment.connect(id, 10)
  await pause(1000)
  const before = process.memoryUsage().rss
  let peak = before
  setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5)
  callers.send({ port: (app.server.address() as AddressInfo).port, path: `/api/v1/equipment/${id}`, token })
  const [{ took, ends, p99 }] = (await once(callers, 'message')) as [
    { took: number; ends: string; p99: number },
  ]
  const cells = [String(count), mebibytes(before), mebibytes(peak), (took / 1000).toFixed(1), p99.toFixed(0)]
  console.log(`${name.padEnd(24)}${cells.map((cell) => cell.padStart(10)).join('')}  ${ends}`)
  process.exit()
}

async function bench(counts: readonly number[], wanted: RegExp): Promise<void> {
  const titles = ['callers', 'MiB', 'peak', 'took s', 'p99 ms']
  console.log(`node ${process.version}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}`)
  console.log(' '.repeat(24) + titles.map((title) => title.padStart(10)).join(''))
  for (const name of Object.keys(BODIES).filter((one) => wanted.test(one)))
    for (const count of counts) {
      const gateway = fork(process.argv[1] ?? '', ['gateway', String(count), name], {
        execArgv: [...DAEMON_OPTIONS],
        env: { ...process.env, ...DAEMON_VARIABLES },
      })
      await once(gateway, 'exit')
    }
}

const [role, count, name = ''] = process.argv.slice(2)
if (role === 'callers') await beCallers(Number(count), name)
else if (role === 'gateway') await beGateway(Number(count), name)
else {
  const given = process.argv.slice(2)
  const numbers = given.map(Number).filter((one) => one > 0)
  const words = given.filter((one) => !(Number(one) > 0))
  await bench(numbers.length > 0 ? numbers : [1, 8, 20], new RegExp(words[0] ?? ''))
}
