// The REST API on this machine: `npm run bench:api [events]`. The server is this process; callers and equipment
// have one each. Works under the folder of temporary files, on its disk.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { buildApp } from '../src/api/app.js'
import { openDaemonLog } from '../src/daemon/daemon-log.js'
import { RecordedMessage } from '../src/gateway/records/recorded-message.js'
import { systemClock } from '../src/kit/clock.js'
import { encodeBody } from '../src/secs2/encode.js'
import { A, F8, L, U4 } from '../src/secs2/item.js'
import { shippedModel } from '../src/simulator/shipped-models.js'
import { Simulator } from '../src/simulator/simulator.js'
import type { Store } from '../src/store/store.js'
import { echo, floor } from './api-floor.js'
import { type Answered, type Ask, ask, type Follow, type Followed, follow } from './api-load.js'
import { openBench } from './open-bench.js'
import { median } from './rate.js'

const [role = '200000'] = process.argv.slice(2)
const ROUNDS = 5
const LOOK = 1000
/** The many first: what is measured is not the first second of a process, whose code is not compiled yet. */
const CLIENTS = [32, 1]
const AIMS: Readonly<Record<string, string>> = {
  'GET /equipment/{id} 32': '0.60',
  'GET /events?limit=50 32': '0.40',
  'GET /messages?limit=1000 32': '0.50',
  'POST …/messages 32': '0.50',
}
/** What a row is compared with, where that is not the row "bare fastify". */
const BESIDE: Readonly<Record<string, string>> = {
  'GET /events?limit=50': 'bare, bytes of the events',
  'GET /messages?limit=1000': 'bare, bytes of the messages',
  'POST …/messages': 'the same by hand',
}

/** What one look saw. */
interface Look extends Answered {
  /** Microseconds of the server's processor for an answer: what others do on the machine is not in it. */
  readonly processor: number
}

/** A process of this bench: callers, or equipment. */
function start(as: 'load' | 'equipment' | 'echo'): ChildProcess {
  const child = fork(process.argv[1] ?? '', [as])
  process.on('exit', () => child.kill())
  return child
}

const tell = (message: unknown): void => void process.send?.(message)

/** Does what it is told, one after the other. */
function beLoad(): void {
  process.on('message', async (given: { ask?: Ask; follow?: Follow }) => {
    if (given.ask) tell(await ask(given.ask))
    if (given.follow) tell(await follow(given.follow, () => tell('ready')))
  })
}

/** One that answers at once. */
async function beEquipment(): Promise<void> {
  const model = shippedModel('minimal')
  if (!model) throw new Error('there is no such model')
  const simulator = new Simulator(
    model,
    { role: 'passive', host: '127.0.0.1', port: 0 },
    { clock: systemClock },
  )
  await simulator.start()
  tell(simulator.port)
}

async function answerOf<T>(child: ChildProcess, message: unknown): Promise<T> {
  child.send(message as object)
  return (await once(child, 'message'))[0] as T
}

/** Bare fastify with the text that each list is now; that of the messages compressed as ours is. */
async function serveSameBytes(
  bare: FastifyInstance,
  app: FastifyInstance,
  lists: Readonly<Record<'events' | 'messages', string>>,
  token: string,
): Promise<void> {
  const textOf = async (url: string): Promise<string> =>
    (await app.inject({ url, headers: { host: 'a', authorization: `Bearer ${token}` } })).body
  const [events, messages] = [await textOf(lists.events), await textOf(lists.messages)]
  const type = 'application/json; charset=utf-8'
  bare.get('/events', async (_, reply) => reply.type(type).send(events))
  bare.get('/messages', async (_, reply) =>
    reply
      .type(type)
      .header('content-encoding', 'gzip')
      .send(await promisify(gzip)(messages, { level: 4 })),
  )
}

/** As many events as a busy month leaves. */
async function fill({ journal }: Store, count: number): Promise<void> {
  const at = systemClock.date().toISOString()
  const body = encodeBody(L(U4(17), U4(1001), L(L(U4(5), L(U4(4711), A('LOT-00042'), F8(397.25), U4(3))))))
  const message = new RecordedMessage(
    { direction: 'received', equipmentId: 'eq_old' },
    { sessionId: 0, stream: 6, function: 11, wait: false, systemBytes: 1, body },
  ).entry(at)
  for (let done = 0; done < count; done += 1000) {
    await journal.appendAll(
      Array.from({ length: 1000 }, (_, n) =>
        n % 2 === 0
          ? message
          : {
              key: 'eq_old',
              type: 'state',
              name: 'control_state',
              at,
              data: { from: 'UNKNOWN', to: 'ONLINE_LOCAL' },
            },
      ),
    )
  }
}

const portOf = (app: FastifyInstance): number => (app.server.address() as AddressInfo).port
const whole = (value: number): string => Math.round(value).toLocaleString('en')
const print = (...cells: string[]): void =>
  console.log(
    cells
      .map((cell, at) => (at === 0 ? cell.padEnd(30) : cell.padStart(12)))
      .join('')
      .trimEnd(),
  )

async function bench(events: number): Promise<void> {
  const { folder, store, gateway, token } = await openBench((opened) => fill(opened, events))
  const equipment = start('equipment')
  const [port] = await once(equipment, 'message')
  const created = await gateway.equipment.create({
    name: 'etcher',
    ip_address: '127.0.0.1',
    port: Number(port),
  })
  const record = await gateway.equipment.connect(created.id, 10)
  if (record.communication_state !== 'COMMUNICATING') throw new Error('the equipment does not communicate')

  const { log: logger } = await openDaemonLog(join(folder, 'log'), systemClock)
  const app = await buildApp(gateway, { clock: systemClock, version: '0', logger })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const bare = Fastify()
  bare.get('/', async () => record)
  const answered = await gateway.messages.send(record.id, { stream: 1, function: 1, data: {} })
  const entry = `${JSON.stringify(await store.journal.get(store.journal.last))}\n`
  const [echoPort] = await once(start('echo'), 'message')
  const byHand = await floor(join(folder, 'floor'), Number(echoPort), entry)
  bare.post('/', async () => {
    await byHand()
    return answered.result
  })
  const head = `Host: a\r\nAuthorization: Bearer ${token}\r\n`
  const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\n${head}${more}\r\n`
  const gzipped = 'Accept-Encoding: gzip\r\n'
  const lists = { events: '/api/v1/events?limit=50', messages: '/api/v1/messages?limit=1000' }
  await serveSameBytes(bare, app, lists, token)
  await bare.listen({ port: 0, host: '127.0.0.1' })

  const load = start('load')
  const message = '{"stream":1,"function":1,"wait_for_reply":true,"data":{}}'
  const post = (path: string): string =>
    `POST ${path} HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${message.length}\r\n\r\n${message}`
  const cases: readonly (readonly [name: string, port: number, request: string])[] = [
    ['bare fastify', portOf(bare), 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['GET /equipment/{id}', portOf(app), get(`/api/v1/equipment/${record.id}`)],
    ['GET /events?limit=50', portOf(app), get(lists.events)],
    ['bare, bytes of the events', portOf(bare), get('/events')],
    ['GET /messages?limit=1000', portOf(app), get(lists.messages, gzipped)],
    ['bare, bytes of the messages', portOf(bare), get('/messages', gzipped)],
    ['POST …/messages', portOf(app), post(`/api/v1/equipment/${record.id}/messages`)],
    // The same appends, syncs and exchange behind bare fastify, and nothing else.
    ['the same by hand', portOf(bare), post('/')],
  ]

  console.log(
    `node ${process.version}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}, ${whole(events)} events`,
  )
  print('', 'clients', 'per second', 'share', 'aim', 'median ms', '99 % ms', 'server µs')
  for (const clients of CLIENTS) {
    const seen = new Map<string, Look[]>(cases.map(([name]) => [name, []]))
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [name, casePort, request] of cases) {
        const given: Ask = { port: casePort, request, clients, milliseconds: LOOK }
        const before = process.cpuUsage()
        const answered = await answerOf<Answered>(load, { ask: given })
        const { user, system } = process.cpuUsage(before)
        const processor = (user + system) / answered.count
        if (round > 0) seen.get(name)?.push({ ...answered, processor })
      }
    }
    const rounds = (name: string): readonly Look[] => seen.get(name) ?? []
    for (const [name] of cases) {
      const shares = rounds(name).map(
        ({ perSecond }, at) => perSecond / (rounds(BESIDE[name] ?? 'bare fastify')[at]?.perSecond ?? 0),
      )
      print(
        name,
        String(clients),
        whole(median(rounds(name).map(({ perSecond }) => perSecond))),
        median(shares).toFixed(2),
        AIMS[`${name} ${clients}`] ?? '',
        median(rounds(name).map((each) => each.median)).toFixed(2),
        median(rounds(name).map((each) => each.slow)).toFixed(2),
        median(rounds(name).map((each) => each.processor)).toFixed(0),
      )
    }
  }

  const [FOLLOWERS, RATE, SECONDS] = [100, 1000, 5]
  const from = store.journal.last
  const given: Follow = {
    port: portOf(app),
    request: get('/api/v1/events/stream'),
    clients: FOLLOWERS,
    last: from + RATE * SECONDS,
  }
  load.send({ follow: given })
  await once(load, 'message')
  const begun = performance.now()
  for (let n = 0; n < RATE * SECONDS; n++) {
    const early = begun + (n * 1000) / RATE - performance.now()
    if (early > 1) await new Promise((resolve) => setTimeout(resolve, early))
    const at = systemClock.date().toISOString()
    const data = { from: 'ONLINE_LOCAL', to: 'ONLINE_REMOTE', cause: 'bench' }
    void store.journal.append({ key: record.id, type: 'state', name: 'control_state', at, data })
  }
  const [followed] = (await once(load, 'message')) as [Followed]
  const seconds = (performance.now() - begun) / 1000
  console.log(
    `stream: ${FOLLOWERS} clients at ${whole(RATE)} events/s for ${SECONDS} s: ${whole(followed.events)} came in ${seconds.toFixed(1)} s, ${followed.gaps} gaps; late by ${followed.median} ms, 99 % ${followed.slow} ms; ${whole(process.memoryUsage().rss / 2 ** 20)} MiB`,
  )
  process.exit()
}

if (role === 'load') beLoad()
else if (role === 'equipment') await beEquipment()
else if (role === 'echo') tell(await echo())
else await bench(Number(role))
