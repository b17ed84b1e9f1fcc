import type { Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type Frame, FrameReader } from '../../../src/hsms/frame/frame.js'
import { STYPE } from '../../../src/hsms/frame/header.js'
import type { HsmsDriver } from '../../../src/hsms/hsms-driver.js'
import type { HsmsInput } from '../../../src/hsms/io.js'
import { Listeners } from '../../../src/hsms/tcp/listener.js'
import { SocketReading } from '../../../src/hsms/tcp/socket-reading.js'
import type { TcpConnection } from '../../../src/hsms/tcp/tcp-connection.js'
import { driver, next, passive, portOf, reached } from '../../support/hsms-pair.js'
import { controlBytes, dataBytes, HsmsWire, message } from '../../support/hsms-wire.js'
import { ManualClock } from '../../support/manual-clock.js'
import { RawPeer } from '../../support/tcp.js'
import { turns, until } from '../../support/until.js'

/** Frames of one connection in one turn. */
const A_TURN = 32

const primaries = (count: number): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, at) => dataBytes({ wait: false, systemBytes: at })))

/** An entity that listens, and a peer that has selected it. */
async function selected(clock?: ManualClock) {
  const equipment = clock ? driver({ role: 'passive' }, new Listeners(), clock) : await passive()
  await equipment.start()
  const peer = (await RawPeer.dial(portOf(equipment))).control('selectReq')
  await peer.frame()
  return { equipment, peer }
}

/** Which turn of the event loop it is. */
function countedTurns(): () => number {
  let turn = 0
  let next = setImmediate(function count() {
    turn += 1
    next = setImmediate(count)
  })
  onTestFinished(() => clearImmediate(next))
  return () => turn
}

test('the protocol reads as many frames as it may, and gives the rest back', () => {
  const wire = HsmsWire.selected('passive')
  const bytes = Buffer.concat([primaries(5), dataBytes().subarray(0, 7)])
  const outputs = wire.feed({ kind: 'bytes', bytes, maxFrames: 3 })
  expect(outputs.map(({ kind }) => kind)).toEqual(['received', 'received', 'received', 'unread'])
  const [rest] = wire.of('unread')
  expect(rest?.bytes).toEqual(new Uint8Array(bytes.subarray(3 * 14)))
  // Exactly as many as may be leave nothing.
  const all = wire.feed({ kind: 'bytes', bytes: (rest?.bytes ?? bytes).subarray(0, 28), maxFrames: 2 })
  expect(all.map(({ kind }) => kind)).toEqual(['received', 'received'])
})

test('what a peer sends at once is read in turns, in order, and nothing of it is missing', async () => {
  const { equipment, peer } = await selected()
  const turn = countedTurns()
  const taken = new Map<number, number>()
  const numbers: number[] = []
  equipment.received.on(({ message }) => {
    taken.set(turn(), (taken.get(turn()) ?? 0) + 1)
    numbers.push(message.systemBytes)
  })
  peer.socket.write(primaries(5_000))
  await until(() => numbers.length === 5_000)
  expect(numbers).toEqual(numbers.map((_, at) => at))
  // A turn's share, and the first of the next chunk.
  expect(Math.max(...taken.values())).toBeLessThanOrEqual(2 * A_TURN)
})

test('connections take turns: of two that flood none is read to its end before the other', async () => {
  const both = await Promise.all([selected(), selected()])
  const order: number[] = []
  for (const [at, { equipment }] of both.entries()) equipment.received.on(() => order.push(at))
  for (const { peer } of both) peer.socket.write(primaries(3_000))
  await until(() => order.length === 6_000)
  // While both have something, neither is more than a few turns ahead.
  let [ahead, most] = [0, 0]
  for (const at of order.slice(0, 2_000)) {
    ahead += at === 0 ? 1 : -1
    most = Math.max(most, Math.abs(ahead))
  }
  expect(most).toBeLessThan(1_500)
})

test('a driver that is paused in the middle of a chunk takes what is left of its turn, and the rest afterwards', async () => {
  const { equipment, peer } = await selected()
  const numbers: number[] = []
  equipment.received.on(({ message }) => {
    if (numbers.push(message.systemBytes) === 1) equipment.pause()
  })
  peer.socket.write(primaries(1_000))
  await until(() => numbers.length > 0)
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  expect(numbers.length).toBeLessThanOrEqual(A_TURN)
  equipment.resume()
  await until(() => numbers.length === 1_000)
  expect(numbers).toEqual(numbers.map((_, at) => at))
})

test('no timer of the peer runs while what it sent waits for its turn', async () => {
  const clock = new ManualClock()
  const { equipment, peer } = await selected(clock)
  const outcome = equipment.request(message({ systemBytes: equipment.reserve() ?? 0 }))
  const asked = await peer.frame()
  equipment.received.on(() => clock.advance(1_000)) // each takes a second of ours: T3 is over before the reply is read
  const reply = dataBytes({ function: 2, wait: false, systemBytes: asked.header.systemBytes })
  peer.socket.write(Buffer.concat([primaries(500), reply]))
  expect(await outcome).toMatchObject({ kind: 'replied' })
})

test('what was read before the connection was lost is taken before the loss', () => {
  const fed: HsmsInput[] = []
  const reading = new SocketReading(new ManualClock(), (input) => void fed.push(input))
  const bytes = primaries(3)
  reading.keep(bytes)
  reading.finish()
  expect(fed).toEqual([{ kind: 'pause' }, { kind: 'bytes', bytes }, { kind: 'resume' }])
})

test('what a driver has read before its connection is cut is taken before the loss', async () => {
  const { equipment, peer } = await selected()
  const heard: string[] = []
  equipment.received.on(() => {
    if (heard.push('message') === 1) equipment.cut()
  })
  equipment.changed.on(({ to }) => heard.push(to))
  peer.socket.write(primaries(200)) // one segment
  await reached(equipment, 'LISTENING')
  expect(heard).toEqual([...Array.from({ length: 200 }, () => 'message'), 'LISTENING'])
})

test('a pause that comes before the turn of what was kept holds it back', async () => {
  const fed: string[] = []
  const reading = new SocketReading(new ManualClock(), ({ kind }) => void fed.push(kind))
  reading.keep(primaries(3))
  reading.pause()
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  expect(fed).toEqual(['pause'])
  reading.resume()
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  expect(fed).toEqual(['pause', 'bytes', 'resume'])
})

test('what was kept of a connection that is closed is not read by way of the next', async () => {
  const fed: HsmsInput[] = []
  const reading = new SocketReading(new ManualClock(), (input) => void fed.push(input))
  const calls: string[] = []
  const connection = { pause: () => calls.push('pause'), resume: () => calls.push('resume') }
  reading.begin(connection as unknown as TcpConnection)
  reading.keep(primaries(3))
  reading.end()
  reading.begin(connection as unknown as TcpConnection)
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  expect(fed).toEqual([{ kind: 'pause' }, { kind: 'resume' }])
  expect(calls).toEqual(['pause'])
})

test('a connection that gives as much as is read at once is read on in another turn', async () => {
  const fed: string[] = []
  const reading = new SocketReading(new ManualClock(), ({ kind }) => void fed.push(kind))
  const calls: string[] = []
  const connection = { pause: () => calls.push('pause'), resume: () => calls.push('resume') }
  reading.begin(connection as unknown as TcpConnection)
  reading.bytes(new Uint8Array(1000))
  expect(calls).toEqual([])
  reading.bytes(new Uint8Array(64 * 1024))
  expect(calls).toEqual(['pause'])
  await until(() => calls.length > 1)
  expect(calls).toEqual(['pause', 'resume'])
  expect(fed).toEqual(['bytes', 'bytes', 'pause', 'resume'])
})

/** Milliseconds that a busy machine may need for as many frames as the buffers of the system hold. */
const MINUTES = 300_000

/** Writes linktests until the entity reads no more; resolves with how many it was sent. */
async function floodUnread(peer: RawPeer, equipment: HsmsDriver): Promise<number> {
  const { socket } = peer
  socket.pause()
  const frames = Buffer.concat(Array.from({ length: 1_000 }, () => controlBytes('linktestReq')))
  let sent = 0
  for (let stalled = 0; stalled < 20; ) {
    if (socket.writableLength > frames.length) {
      const before = equipment.counts.in.frames
      await turns()
      // On a busy machine the entity may be slow, and not held.
      stalled = equipment.counts.in.frames === before ? stalled + 1 : 0
      continue
    }
    stalled = 0
    socket.write(frames)
    sent += 1_000
    await new Promise((resolve) => setImmediate(resolve))
  }
  return sent
}

const answers = (socket: Socket): Frame[] => {
  const frames: Frame[] = []
  const reader = new FrameReader(1 << 24)
  socket.on('data', (bytes: Buffer) => {
    for (const frame of reader.read(bytes)) if (frame.header.sType === STYPE.linktestRsp) frames.push(frame)
  })
  return frames
}

test(
  'a peer that does not read its Linktest.rsp is not read either, and when it reads, none is missing',
  async () => {
    const { equipment, peer } = await selected(new ManualClock())
    const sent = await floodUnread(peer, equipment)
    const { in: received } = equipment.counts
    expect(received.frames).toBeLessThan(sent)
    const got = answers(peer.socket)
    peer.socket.resume()
    await until(() => got.length === sent, MINUTES)
  },
  MINUTES,
)

test(
  'a peer that never reads its Linktest.rsp is given up in time',
  async () => {
    const clock = new ManualClock()
    const { equipment, peer } = await selected(clock)
    await floodUnread(peer, equipment)
    clock.advance(30_000)
    expect(equipment.state).toBe('SELECTED')
    const lost = next(equipment.changed)
    // The time begins when the backlog is seen, which a busy machine may do late.
    await until(() => {
      clock.advance(1_000_000)
      return equipment.state !== 'SELECTED'
    })
    expect(await lost).toMatchObject({
      to: 'LISTENING',
      fault: { code: 'connection_lost', detail: 'the peer does not read what it is sent' },
    })
    // The next one is read.
    const other = (await RawPeer.dial(portOf(equipment))).control('selectReq')
    expect((await other.frame()).header.sType).toBe(STYPE.selectRsp)
  },
  MINUTES,
)
