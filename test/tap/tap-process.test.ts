import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { encodeFrame } from '../../src/hsms/frame/frame.js'
import { HsmsDriver } from '../../src/hsms/hsms-driver.js'
import { HSMS_DEFAULTS } from '../../src/hsms/settings.js'
import { Listeners } from '../../src/hsms/tcp/listener.js'
import { type Clock, systemClock } from '../../src/kit/clock.js'
import { encodeBody } from '../../src/secs2/encode.js'
import type { Observation, RunningTap } from '../../src/tap/observation.js'
import { TapClient } from '../../src/tap/process/tap-client.js'
import { encodePacket, PacketReader, TAP_VERSION } from '../../src/tap/process/tap-messages.js'
import { TapProcess } from '../../src/tap/process/tap-process.js'
import { tapProcessStatus } from '../../src/tap/process/tap-status.js'
import type { TapSettings } from '../../src/tap/tap-settings.js'
import { freePort } from '../support/free-port.js'
import { ManualClock } from '../support/manual-clock.js'
import { turns, until, untilLater } from '../support/until.js'

const S1F1 = { sessionId: 0, stream: 1, function: 1, wait: true, body: encodeBody(undefined) }

let folder: string
let path: string
let processes: TapProcess[]
let clients: TapClient[]
let drivers: HsmsDriver[]
let launched: number
let faults: string[]
let lease: number | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tap-'))
  path = process.platform === 'win32' ? `\\\\.\\pipe\\${folder}` : join(folder, 'socket')
  processes = []
  clients = []
  drivers = []
  faults = []
  lease = undefined
  launched = 0
})
afterEach(async () => {
  for (const client of clients) client.close()
  await Promise.all(processes.map((one) => one.close()))
  await Promise.all(drivers.map((one) => one.stop()))
  rmSync(folder, { recursive: true, force: true })
})

async function begun(queueBytes?: number, clock: Clock = systemClock): Promise<TapProcess> {
  const one = new TapProcess(clock, queueBytes)
  processes.push(one)
  await one.listen(path)
  return one
}
function daemon(isService = false, clock: Clock = systemClock): TapClient {
  const launch = (): void => {
    launched++
    void begun()
  }
  const client = new TapClient({
    clock,
    path: () => path,
    launch,
    failed: (detail) => faults.push(detail),
    isService,
    leaseMs: () => lease,
  })
  clients.push(client)
  return client
}
/** A daemon that ends: what passes from then on waits for the next one, and none of it is told to this one. */
async function gone(client: TapClient): Promise<void> {
  client.close()
  await until(async () => (await tapProcessStatus(path, systemClock))?.told?.isRead === false)
}
function driver(role: 'active' | 'passive', port: number): HsmsDriver {
  const settings = { ...HSMS_DEFAULTS, role, host: '127.0.0.1', port, deviceId: 0 }
  const one = new HsmsDriver(settings, { clock: systemClock, listeners: new Listeners() })
  drivers.push(one)
  return one
}
/** A tap that runs, seen by a daemon. */
function run(client: TapClient, id: string, settings: TapSettings): RunningTap {
  const tap = client.open(id, settings)
  void tap.start()
  return tap
}
function looking(link: RunningTap): Observation[] {
  const seen: Observation[] = []
  link.observed.on((one) => {
    seen.push(one)
    link.recorded(1)
  })
  return seen
}
const kinds = (seen: readonly Observation[]): string[] => seen.map(({ kind }) => kind)
const gaps = (seen: readonly Observation[]): number =>
  seen.reduce((sum, one) => sum + (one.kind === 'gap' ? one.messages : 0), 0)
const primaries = (seen: readonly Observation[]): number[] =>
  seen.flatMap((one) =>
    one.kind === 'frame' && one.frame.header.byte3 === 1 ? [one.frame.header.systemBytes] : [],
  )

/** Equipment that replies to everything, and the settings of a tap in front of it. */
async function equipment() {
  const tool = driver('passive', 0)
  tool.received.on(({ message }) => void tool.send({ ...message, function: 2, wait: false }))
  await tool.start()
  const dial = { host: '127.0.0.1', port: tool.boundPort ?? 0 }
  return {
    caller: 'host',
    listen: { host: '127.0.0.1', port: 0 },
    callerAddress: undefined,
    dial,
    pause: 0,
  } as const
}
/** `clock`: of the process, where its time is made up. */
async function hostAt(seen: readonly Observation[], clock = new ManualClock()): Promise<HsmsDriver> {
  await until(() => seen.length > 0)
  const [first] = seen
  const host = driver('active', first?.kind === 'listening' ? first.port : 0)
  await host.start()
  await untilLater(clock, () => host.state === 'SELECTED')
  return host
}
async function asks(host: HsmsDriver, count: number): Promise<number[]> {
  const sent: number[] = []
  for (let turn = 0; turn < count; turn++) {
    const systemBytes = host.reserve() ?? 0
    sent.push(systemBytes)
    expect((await host.request({ ...S1F1, systemBytes })).kind).toBe('replied')
  }
  return sent
}

test('a daemon starts the process where there is none, and sees what passes; its own primaries have ends', async () => {
  const link = run(daemon(), 'eq_1', await equipment())
  const seen = looking(link)
  const host = await hostAt(seen)
  const sent = await asks(host, 3)
  link.ask(1, S1F1)
  await until(() => seen.some(({ kind }) => kind === 'replied'))
  expect(primaries(seen)).toEqual(sent)
  expect(launched).toBe(1)
})

test('links go on while no daemon looks, and the next one is told how it stands and what it has missed', async () => {
  await begun()
  const settings = await equipment()
  const first = daemon()
  const host = await hostAt(looking(run(first, 'eq_1', settings)))
  const before = await asks(host, 2)
  first.close()
  const missed = await asks(host, 3)
  const second = daemon()
  const seen = looking(run(second, 'eq_1', settings))
  const more = await asks(host, 1)
  await until(() => primaries(seen).includes(more[0] ?? 0))
  expect(kinds(seen).slice(0, 2)).toEqual(['listening', 'paired'])
  expect(seen[1]).toMatchObject({ isSelected: true })
  // What was told to the first one while it ended is counted.
  const counted = seen.reduce(
    (sum, one) => sum + (one.kind === 'gap' ? one.messages : one.kind === 'frame' ? 1 : 0),
    0,
  )
  expect(counted).toBeGreaterThanOrEqual(2 * (missed.length + more.length) - 1)
  expect([...before, ...missed, ...more].slice(-primaries(seen).length)).toEqual(primaries(seen))
  expect(host.state).toBe('SELECTED')
})

test('what was told and not recorded is a gap for the next daemon', async () => {
  await begun()
  const settings = await equipment()
  const first = daemon()
  const link = run(first, 'eq_1', settings)
  const unrecorded: Observation[] = []
  link.observed.on((one) => unrecorded.push(one))
  const host = await hostAt(unrecorded)
  await asks(host, 2)
  // With the two messages that select, and the last reply.
  await until(() => unrecorded.filter(({ kind }) => kind === 'frame').length === 6)
  expect(primaries(unrecorded)).toHaveLength(2)
  first.close()
  const seen = looking(run(daemon(), 'eq_1', settings))
  await until(() => kinds(seen).includes('gap'))
  // Two transactions; what selects is not recorded anyway.
  expect(seen.find(({ kind }) => kind === 'gap')).toMatchObject({ messages: 4 })
  expect(primaries(seen)).toEqual([])
})

test('a daemon that leaves in order while messages pass leaves none to count, and none is told twice', async () => {
  await begun()
  const settings = await equipment()
  const seen: Observation[] = []
  let recorded = 0
  const look = (client: TapClient): RunningTap => {
    const link = run(client, 'eq_1', settings)
    link.observed.on((one) => {
      seen.push(one)
      void turns(5).then(() => {
        recorded++
        link.recorded(1)
      })
    })
    return link
  }
  let client = daemon()
  let link = look(client)
  const host = await hostAt(seen)
  const sent: number[] = []
  let isOver = false
  const asking = (async () => {
    while (!isOver) sent.push(...(await asks(host, 1)))
  })()
  for (let turn = 0; turn < 5; turn++) {
    const before = primaries(seen).length
    await until(() => primaries(seen).length > before + 20)
    await link.leave()
    const told = seen.length
    await turns()
    expect(seen).toHaveLength(told)
    await until(() => recorded === told)
    client.close()
    client = daemon()
    link = look(client)
  }
  isOver = true
  await asking
  await until(() => primaries(seen).length >= sent.length)
  expect(primaries(seen)).toEqual(sent)
  expect(gaps(seen)).toBe(0)
  expect(host.state).toBe('SELECTED')
})

test('what a daemon has said last is read before the next one takes its place', async () => {
  await begun()
  const settings = await equipment()
  const first = daemon()
  const link = run(first, 'eq_1', settings)
  const told: Observation[] = []
  link.observed.on((one) => told.push(one))
  const host = await hostAt(told)
  await asks(host, 3)
  await until(() => told.filter(({ kind }) => kind === 'frame').length === 8)
  const heads: unknown[] = []
  const next = connect(path)
  const reader = new PacketReader()
  next.on('data', (chunk) => {
    for (const { head } of reader.read(chunk)) heads.push(head)
  })
  await until(() => heads.length === 1)
  // Its order comes first, and then what the other one has recorded.
  const head = { kind: 'run', id: 'eq_1', settings }
  next.write(encodePacket({ head, body: new Uint8Array() }))
  link.recorded(told.length)
  first.close()
  const events = (): string[] =>
    heads.flatMap((one) => (one as { event?: Observation } | undefined)?.event?.kind ?? [])
  await until(() => events().includes('paired'))
  expect(events()).toEqual(['listening', 'paired'])
  next.destroy()
})

test('the last that has passed is told before a tap has stopped, and before its process has ended', async () => {
  await begun()
  const [one, two] = [await equipment(), await equipment()]
  const client = daemon()
  const [stopped, other] = [run(client, 'eq_1', one), run(client, 'eq_2', two)]
  const [seen, seenOther] = [looking(stopped), looking(other)]
  const hosts = [await hostAt(seen), await hostAt(seenOther)] as const
  const replies = (): number =>
    seen.filter((one) => one.kind === 'frame' && one.frame.header.byte3 === 2).length
  const sent = await asks(hosts[0], 5)
  await stopped.stop()
  expect([primaries(seen), replies()]).toEqual([sent, 5])
  const sentOther = await asks(hosts[1], 5)
  void processes[0]?.close()
  await until(() => kinds(seenOther).includes('over'))
  expect(primaries(seenOther)).toEqual(sentOther)
})

test('a daemon that runs a tap in another way is told the last of the tap that was there', async () => {
  await begun()
  const settings = await equipment()
  const first = daemon()
  const host = await hostAt(looking(run(first, 'eq_1', settings)))
  await gone(first)
  const missed = await asks(host, 3)
  const seen = looking(run(daemon(), 'eq_1', { ...settings, pause: 1 }))
  await until(() => kinds(seen).filter((kind) => kind === 'listening').length === 2)
  expect(primaries(seen)).toEqual(missed)
  expect(kinds(seen).filter((kind) => kind !== 'frame' && kind !== 'gap')).toEqual([
    ...['listening', 'paired', 'over', 'listening'],
  ])
})

test('a message of 16 MiB is told whole, and a longer one passes and is counted', async () => {
  let came = 0
  const tool = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', ({ length }) => (came += length))
  })
  await new Promise<void>((resolve) => tool.listen(0, '127.0.0.1', resolve))
  const { port } = tool.address() as AddressInfo
  await begun()
  const seen = looking(run(daemon(), 'eq_1', { ...(await equipment()), dial: { host: '127.0.0.1', port } }))
  await until(() => seen.length > 0)
  const [first] = seen
  const host = connect(first?.kind === 'listening' ? first.port : 0, '127.0.0.1')
  const [whole, longer] = [16 * 1024 * 1024, 16 * 1024 * 1024 + 1]
  const header = { sessionId: 0, byte2: 6, byte3: 11, pType: 0, sType: 0, systemBytes: 1 }
  for (const length of [whole, longer, 3]) host.write(encodeFrame({ header, body: new Uint8Array(length) }))
  const lengths = () => seen.flatMap((one) => (one.kind === 'frame' ? [one.frame.body.length] : []))
  await until(() => lengths().length === 2)
  expect([lengths(), gaps(seen)]).toEqual([[whole, 3], 1])
  const all = whole + longer + 3 + 3 * 14
  await until(() => came >= all)
  expect(came).toBe(all)
  host.destroy()
  tool.close()
})

test('no tap dials itself or another one: what passed would come back without end', async () => {
  await begun()
  const client = daemon()
  const [one, two] = [await freePort(), await freePort()]
  const at = (port: number) => ({ host: '127.0.0.1', port })
  const settings = { caller: 'host', callerAddress: undefined, pause: 0 } as const
  const seen = [
    looking(run(client, 'eq_1', { ...settings, listen: at(one), dial: at(two) })),
    looking(run(client, 'eq_2', { ...settings, listen: at(two), dial: at(one) })),
  ] as const
  await until(() => seen.every((told) => kinds(told).includes('listening')))
  const host = connect(one, '127.0.0.1')
  host.on('error', () => {})
  await new Promise((resolve) => host.once('close', resolve))
  expect(await until(() => seen[0].find(({ kind }) => kind === 'not_dialled'))).toMatchObject({
    detail: expect.stringContaining('no tap dials another one'),
  })
  expect([...kinds(seen[0]), ...kinds(seen[1])]).not.toContain('paired')
})

test('a process that hangs is not waited for when a tap is stopped or left', async () => {
  const orders: unknown[] = []
  const silent = createServer((socket) => {
    const hello = { kind: 'hello', version: TAP_VERSION, pid: 1 }
    socket.write(encodePacket({ head: hello, body: new Uint8Array() }))
    const reader = new PacketReader()
    socket.on('data', (chunk) => {
      for (const { head } of reader.read(chunk)) orders.push((head as { readonly kind: string }).kind)
    })
  })
  await new Promise<void>((resolve) => silent.listen(path, resolve))
  const clock = new ManualClock()
  const client = daemon(false, clock)
  const [one, two] = [await equipment(), await equipment()]
  const taps = [run(client, 'eq_1', one), run(client, 'eq_2', two)] as const
  await until(() => orders.length === 2)
  let ended = 0
  const ends = Promise.all([taps[0].stop(), taps[1].leave()].map((end) => end.then(() => ended++)))
  await until(() => orders.length === 4)
  clock.advance(1_999)
  await new Promise((resolve) => setImmediate(resolve))
  expect([orders, ended]).toEqual([['run', 'run', 'stop', 'leave'], 0])
  clock.advance(1)
  await ends
  client.close()
  silent.close()
})

test('a process that ends ends the links, and another one is started in its place', async () => {
  const settings = await equipment()
  const seen = looking(run(daemon(), 'eq_1', settings))
  const host = await hostAt(seen)
  await until(() => kinds(seen).includes('paired'))
  void processes[0]?.close()
  await until(() => seen.some(({ kind }) => kind === 'over'))
  await until(() => kinds(seen).filter((kind) => kind === 'listening').length === 2)
  expect([launched, faults.length]).toEqual([2, 1])
  await host.stop()
})

test('a tap that is stopped ends, others go on; with the last one the process ends', async () => {
  const process = await begun()
  const client = daemon()
  const [one, two] = [await equipment(), await equipment()]
  const [tapOne, tapTwo] = [run(client, 'eq_1', one), run(client, 'eq_2', two)]
  const [seenOne, seenTwo] = [looking(tapOne), looking(tapTwo)]
  const hosts = [await hostAt(seenOne), await hostAt(seenTwo)]
  void tapOne.stop()
  await until(() => hosts[0]?.state !== 'SELECTED')
  await asks(hosts[1] as HsmsDriver, 1)
  void tapTwo.stop()
  await process.ended.promise
  expect(faults).toEqual([])
})

test('taps that an earlier daemon has left end once the next one has said which there are', async () => {
  await begun()
  const [one, two] = [await equipment(), await equipment()]
  const first = daemon()
  const hosts = [
    await hostAt(looking(run(first, 'eq_1', one))),
    await hostAt(looking(run(first, 'eq_2', two))),
  ]
  first.close()
  const second = daemon()
  const seen = looking(run(second, 'eq_2', two))
  await until(() => kinds(seen).includes('paired'))
  expect(hosts.map(({ state }) => state)).toEqual(['SELECTED', 'SELECTED'])
  second.settle()
  await until(() => hosts[0]?.state !== 'SELECTED')
  expect(hosts[1]?.state).toBe('SELECTED')
})

test('a process that speaks another version is ended, and one of this version is started in its place', async () => {
  const orders: unknown[] = []
  const other = createServer((socket) => {
    socket.write(encodePacket({ head: { kind: 'hello', version: 99, pid: 1 }, body: new Uint8Array() }))
    const reader = new PacketReader()
    socket.on('data', (chunk) => {
      for (const { head } of reader.read(chunk)) orders.push(head)
      other.close()
      socket.destroy()
    })
  })
  await new Promise<void>((resolve) => other.listen(path, resolve))
  const seen = looking(run(daemon(), 'eq_1', await equipment()))
  await until(() => kinds(seen).includes('listening'))
  expect(orders).toEqual([{ kind: 'end' }])
  expect([launched, faults[0]]).toEqual([1, expect.stringContaining('another version (99)')])
})

test('a daemon that runs a tap later than another one is told how that one stands, and what it has missed', async () => {
  await begun()
  const [one, two] = [await equipment(), await equipment()]
  const first = daemon()
  await hostAt(looking(run(first, 'eq_1', one)))
  const host = await hostAt(looking(run(first, 'eq_2', two)))
  await gone(first)
  const missed = await asks(host, 3)
  const second = daemon()
  const seenOne = looking(run(second, 'eq_1', one))
  await until(() => kinds(seenOne).includes('paired'))
  const seen = looking(run(second, 'eq_2', two))
  await until(() => primaries(seen).length === missed.length)
  expect(kinds(seen).slice(0, 2)).toEqual(['listening', 'paired'])
  expect(seen[1]).toMatchObject({ isSelected: true })
  expect(primaries(seen)).toEqual(missed)
})

test('taps that an earlier daemon has left end, and with them the process, where the next one has none', async () => {
  const process = await begun()
  const first = daemon()
  const host = await hostAt(looking(run(first, 'eq_1', await equipment())))
  first.close()
  daemon().settle()
  await process.ended.promise
  await until(() => host.state !== 'SELECTED')
  expect(launched).toBe(0)
})

test('a tap that is stopped before the process is reached ends', async () => {
  await begun()
  const [one, two] = [await equipment(), await equipment()]
  const first = daemon()
  const host = await hostAt(looking(run(first, 'eq_1', one)))
  first.close()
  const second = daemon()
  void run(second, 'eq_1', one).stop()
  const seen = looking(run(second, 'eq_2', two))
  await until(() => kinds(seen).includes('listening'))
  await until(() => host.state !== 'SELECTED')
})

test('where there can be no process, each tap is told why', () => {
  const client = new TapClient({
    clock: systemClock,
    path: () => {
      throw new Error('the path is too long')
    },
    launch: () => {},
    failed: (detail) => faults.push(detail),
    leaseMs: () => undefined,
  })
  const settings = {
    caller: 'host',
    listen: { host: '127.0.0.1', port: 0 },
    callerAddress: undefined,
  } as const
  const link = client.open('eq_1', { ...settings, dial: settings.listen, pause: 0 })
  const seen = looking(link)
  void link.start()
  expect(seen).toMatchObject([{ kind: 'not_listening', detail: 'the path is too long' }])
  expect(faults).toEqual(['the path is too long'])
})

test('the equipment has no second connection before its first one has ended', async () => {
  const silent: Socket[] = []
  // Equipment that does not end its connection when the other side has.
  const tool = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {})
    socket.resume()
    silent.push(socket)
  })
  await new Promise<void>((resolve) => tool.listen(0, '127.0.0.1', resolve))
  const { port } = tool.address() as AddressInfo
  const settings = { ...(await equipment()), dial: { host: '127.0.0.1', port } }
  await begun()
  const client = daemon()
  const link = run(client, 'eq_1', settings)
  const seen = looking(link)
  await until(() => kinds(seen).includes('listening'))
  const [first] = seen
  const at = first?.kind === 'listening' ? first.port : 0
  connect(at, '127.0.0.1').on('error', () => {})
  await until(() => silent.length === 1)
  const other = run(client, 'eq_1', { ...settings, listen: { host: '127.0.0.1', port: at }, pause: 1 })
  const after = looking(other)
  await turns()
  expect(kinds(after)).not.toContain('listening')
  silent[0]?.end()
  await until(() => kinds(after).includes('listening'))
  tool.close()
})

test('a tool that floods while no daemon looks does not take the room of the others', async () => {
  await begun(400_000)
  const [loud, quiet] = [await equipment(), await equipment()]
  const first = daemon()
  const flooding = await hostAt(looking(run(first, 'eq_loud', loud)))
  const host = await hostAt(looking(run(first, 'eq_quiet', quiet)))
  await gone(first)
  const body = new Uint8Array(2000)
  const sent: number[] = []
  for (let turn = 0; turn < 60; turn++) {
    for (let at = 0; at < 5; at++)
      flooding.send({ ...S1F1, wait: false, stream: 99, function: 99, systemBytes: turn * 5 + at, body })
    sent.push(...(await asks(host, 1)))
  }
  const second = daemon()
  const seen = looking(run(second, 'eq_quiet', quiet))
  const lossy = looking(run(second, 'eq_loud', loud))
  await until(() => primaries(seen).length === sent.length)
  expect(primaries(seen)).toEqual(sent)
  const frames = () => lossy.filter(({ kind }) => kind === 'frame').length
  await until(() => frames() + gaps(lossy) >= 300)
  expect(frames()).toBeGreaterThan(10)
  expect(gaps(lossy)).toBeGreaterThan(10)
})

describe('where others may take the equipment', () => {
  const LEASE = 60_000
  let clock: ManualClock
  beforeEach(() => {
    clock = new ManualClock()
    lease = LEASE
  })
  /** Half of a lease passes once the process has read that it is renewed. */
  async function renewed(client: TapClient, tap: RunningTap): Promise<void> {
    client.leased()
    await until(async () => (await tap.count()) ?? undefined)
    clock.advance(LEASE / 2)
  }

  test('a link ends with the lease of its daemon, and the process with the last link', async () => {
    const process = await begun(undefined, clock)
    let isOver = false
    void process.ended.promise.then(() => {
      isOver = true
    })
    const client = daemon()
    const tap = run(client, 'eq_1', await equipment())
    const host = await hostAt(looking(tap), clock)
    for (let turn = 0; turn < 6; turn++) await renewed(client, tap)
    await asks(host, 1)
    expect(isOver).toBe(false)
    clock.advance(LEASE / 2)
    await untilLater(clock, () => isOver && host.state !== 'SELECTED')
  })

  test('a daemon that takes the place of one that was killed does not renew what is not its own', async () => {
    await begun(undefined, clock)
    const [one, two] = [await equipment(), await equipment()]
    const killed = daemon()
    const left = await hostAt(looking(run(killed, 'eq_1', one)), clock)
    killed.close()
    const next = daemon()
    const tap = run(next, 'eq_2', two)
    const own = await hostAt(looking(tap), clock)
    for (let turn = 0; turn < 3; turn++) await renewed(next, tap)
    await untilLater(clock, () => left.state !== 'SELECTED')
    await asks(own, 1)
  })
})

test('whatever is sent to the local socket, the links go on, and the daemon stays', async () => {
  await begun()
  const seen = looking(run(daemon(), 'eq_1', await equipment()))
  const host = await hostAt(seen)
  for (const bytes of [
    Buffer.alloc(100, 255),
    encodePacket({ head: null, body: new Uint8Array() }),
    encodePacket({ head: { kind: 'ask', id: 'x' }, body: new Uint8Array() }),
    Buffer.from([0, 0, 0, 2, 0, 0, 0, 0, 0x7b, 0x7b]),
  ]) {
    const socket = connect(path)
    socket.on('error', () => {})
    socket.resume()
    socket.end(bytes)
    await new Promise((resolve) => socket.once('close', resolve))
  }
  const sent = await asks(host, 1)
  expect(host.state).toBe('SELECTED')
  await until(() => primaries(seen).includes(sent[0] ?? 0))
  expect(kinds(seen)).not.toContain('gap')
  expect(faults).toEqual([])
})

test('what has passed is counted in the process, and a daemon that comes later is told all of it', async () => {
  await begun()
  const first = daemon()
  const settings = await equipment()
  const seen = looking(run(first, 'etcher', settings))
  const host = await hostAt(seen)
  const systemBytes = host.reserve() ?? 0
  await host.request({ ...S1F1, systemBytes })
  first.close()
  const later = run(daemon(), 'etcher', settings)
  const counts = await until(async () => (await later.count()) ?? undefined)
  expect(counts).toMatchObject({
    pairs: 1,
    pair: {
      isSelected: true,
      selectStatus: 0,
      sides: {
        host: { primaries: 1, replies: 0, control: { 1: 1 }, bytes: 28, unanswered: null },
        equipment: { primaries: 0, replies: 1, control: { 2: 1 }, bytes: 28 },
      },
      own: { sent: 0, replied: 0 },
    },
  })
  expect(counts.pair?.handling.times).toBe(4)
})

test('a process that ends while it is asked gives no counts', async () => {
  const one = await begun()
  const tap = run(daemon(), 'etcher', await equipment())
  await until(async () => (await tap.count()) ?? undefined)
  const asked = tap.count()
  one.close()
  expect(await asked).toBeNull()
})

test('anybody may ask the process how it is, and its daemon goes on', async () => {
  expect(await tapProcessStatus(path, systemClock)).toBeUndefined()
  await begun()
  const seen = looking(run(daemon(), 'eq_1', await equipment()))
  const host = await hostAt(seen)
  const status = await tapProcessStatus(path, systemClock)
  expect(status).toMatchObject({
    pid: process.pid,
    isUnderstood: true,
    told: { taps: 1, connected: 1, isRead: true, queueLimit: 64 * 1024 * 1024 },
  })
  expect(status?.told?.memoryBytes).toBeGreaterThan(1024 * 1024)
  const sent = await asks(host, 1)
  await until(() => primaries(seen).includes(sent[0] ?? 0))
  expect([launched, faults]).toEqual([0, []])
})

test('what passes while no daemon looks waits, and the process says how much', async () => {
  await begun()
  const first = daemon()
  const host = await hostAt(looking(run(first, 'eq_1', await equipment())))
  await gone(first)
  await asks(host, 5)
  const status = await tapProcessStatus(path, systemClock)
  expect(status?.told).toMatchObject({ isRead: false, connected: 1 })
  expect(status?.told?.queueBytes).toBeGreaterThan(5 * 2 * 14)
})

test('a process that a service runs goes on without taps', async () => {
  const one = await begun()
  let isEnded = false
  void one.ended.promise.then(() => {
    isEnded = true
  })
  const client = daemon(true)
  const link = run(client, 'eq_1', await equipment())
  await until(async () => (await tapProcessStatus(path, systemClock))?.told?.taps === 1)
  await link.stop()
  await until(async () => (await tapProcessStatus(path, systemClock))?.told?.taps === 0)
  client.settle()
  const next = looking(run(client, 'eq_2', await equipment()))
  await until(() => next.length > 0)
  expect([isEnded, launched]).toEqual([false, 0])
})
