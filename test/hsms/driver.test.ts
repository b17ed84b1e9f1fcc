import { connect, Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { encodeFrame } from '../../src/hsms/frame/frame.js'
import { dataHeader, STYPE } from '../../src/hsms/frame/header.js'
import { HsmsDriver } from '../../src/hsms/hsms-driver.js'
import type { DataMessage } from '../../src/hsms/message.js'
import { Listeners } from '../../src/hsms/tcp/listener.js'
import { type Clock, systemClock } from '../../src/kit/clock.js'
import { deferred } from '../../src/kit/deferred.js'
import { freePort } from '../support/free-port.js'
import { driver, next, passive, portOf, reached, SETTINGS, selectedPair } from '../support/hsms-pair.js'
import { message } from '../support/hsms-wire.js'
import { ManualClock } from '../support/manual-clock.js'
import { acceptSelect, LOOPBACK, RawPeer, rawServer } from '../support/tcp.js'

function primary(systemBytes: number | undefined, body = new Uint8Array()): DataMessage {
  if (systemBytes === undefined) throw new Error('no system bytes are free')
  return message({ systemBytes, body })
}

const reply = (to: DataMessage): DataMessage => ({ ...to, function: to.function + 1, wait: false })

test('an active and a passive entity select, exchange a message each way, and separate', async () => {
  const { host, equipment } = await selectedPair()
  for (const [from, to] of [
    [host, equipment],
    [equipment, host],
  ] as const) {
    to.received.on(({ message }) => to.send(reply(message)))
    const outcome = await from.request(primary(from.reserve(), Uint8Array.of(1, 0)))
    expect(outcome).toMatchObject({ kind: 'replied', reply: { function: 2, body: Uint8Array.of(1, 0) } })
  }
  const separated = next(equipment.changed)
  await host.stop()
  expect(await separated).toMatchObject({ from: 'SELECTED', to: 'LISTENING', fault: { code: 'separated' } })
  expect(host.state).toBe('NOT_CONNECTED')
})

test('a refused dial is told and repeated after T5 until somebody listens', async () => {
  const port = await freePort()
  const clock = new ManualClock()
  const host = driver({ port }, new Listeners(), clock)
  for (const attempts of [1, 2]) {
    const failed = next(host.attemptFailed)
    if (attempts === 1) await host.start()
    else clock.advance(10_000)
    expect(await failed).toMatchObject({ attempts, fault: { code: 'connection_refused' } })
    expect([host.state, host.retryAt]).toEqual(['CONNECTING', clock.now() + 10_000])
  }
  await passive({ port })
  clock.advance(10_000)
  await reached(host, 'SELECTED')
  expect(host.retryAt).toBeUndefined()
})

test('a stop during the dial leaves nothing over, and a start right after it dials anew', async () => {
  const equipment = await passive()
  const host = driver({ port: portOf(equipment) })
  void host.start()
  const stopped = host.stop()
  expect(host.state).toBe('NOT_CONNECTED')
  void host.start()
  await stopped
  await reached(host, 'SELECTED')
  const changes: string[] = []
  host.changed.on(({ to }) => changes.push(to))
  await host.stop()
  expect(changes).toEqual(['NOT_CONNECTED'])
})

test('a passive entity that is stopped and started at once listens on its port again', async () => {
  const port = await freePort()
  const equipment = await passive({ port })
  void equipment.stop()
  await equipment.start()
  expect(equipment.state).toBe('LISTENING')
  const host = driver({ port })
  await host.start()
  await reached(host, 'SELECTED')
})

test('a message of 1 MiB arrives whole in small pieces', async () => {
  const equipment = await passive()
  const peer = (await RawPeer.dial(portOf(equipment))).control('selectReq')
  await peer.frame()
  const body = new Uint8Array(1 << 20).map((_, at) => at % 251)
  const bytes = encodeFrame({ header: dataHeader(primary(5)), body })
  const arrived = next(equipment.received)
  for (let at = 0; at < bytes.length; at += 1000) peer.socket.write(bytes.subarray(at, at + 1000))
  const { message } = await arrived
  expect(Buffer.compare(message.body, body)).toBe(0)
})

test('a message of 3 MiB leaves whole, and is whole where a frame is changed before it leaves', async () => {
  const { host, equipment } = await selectedPair()
  const body = new Uint8Array(3 << 20).map((_, at) => at % 251)
  const world = { clock: systemClock, listeners: new Listeners() }
  const outgoing = (frame: Uint8Array): Uint8Array =>
    frame.length > body.length ? Uint8Array.from(frame).fill(9, -1) : frame
  const changing = new HsmsDriver(
    { ...SETTINGS, host: LOOPBACK, port: portOf(equipment) },
    { ...world, outgoing },
  )
  onTestFinished(() => changing.stop())
  for (const [from, last] of [
    [host, body.at(-1)],
    [changing, 9],
  ] as const) {
    const arrived = next(equipment.received)
    if (from === changing) {
      await host.stop()
      await changing.start()
      await reached(changing, 'SELECTED')
    }
    void from.request(primary(from.reserve(), body))
    const { message } = await arrived
    expect(Buffer.compare(message.body.subarray(0, -1), body.subarray(0, -1))).toBe(0)
    expect([message.body.length, message.body.at(-1)]).toEqual([body.length, last])
  }
})

test('what one turn sends leaves in one write', async () => {
  const { host, equipment } = await selectedPair()
  const single = vi.spyOn(Socket.prototype, '_write')
  const joined = vi.spyOn(Socket.prototype, '_writev' as '_write')
  onTestFinished(() => void [single, joined].map((spy) => spy.mockRestore()))
  const last = next(equipment.received, ({ message }) => message.function === 3)
  for (let count = 0; count < 9; count += 1) void host.request(primary(host.reserve()))
  void host.request({ ...primary(host.reserve()), function: 3 })
  await last
  expect(single.mock.calls.length + joined.mock.calls.length).toBe(1)
})

test('a peer that does not read is dropped before the unsent bytes grow without bound', async () => {
  const { port } = await rawServer((socket) => {
    acceptSelect(socket)
    socket.once('data', () => socket.pause())
  })
  const host = driver({ port })
  await host.start()
  await reached(host, 'SELECTED')
  const lost = next(host.changed)
  const body = new Uint8Array(8 << 20)
  const outcomes = Array.from({ length: 8 }, () => host.request(primary(host.reserve(), body)))
  expect(await lost).toMatchObject({
    to: 'CONNECTING',
    fault: { code: 'connection_lost', detail: expect.stringContaining('does not read') },
  })
  expect(await Promise.all(outcomes)).toEqual(outcomes.map(() => ({ kind: 'lost' })))
})

test('a paused driver reads nothing, and what waited is taken when it resumes', async () => {
  const { host, equipment } = await selectedPair()
  const got: number[] = []
  equipment.received.on(({ message }) => {
    got.push(message.systemBytes)
    equipment.send(reply(message))
  })
  equipment.pause()
  const outcome = host.request(primary(host.reserve()))
  // The other direction still works; by the time it has, the request would have been read.
  for (let round = 0; round < 3; round += 1) {
    const heard = next(host.received)
    equipment.send({ ...primary(equipment.reserve()), wait: false })
    await heard
  }
  expect(got).toEqual([])
  equipment.resume()
  expect(await outcome).toMatchObject({ kind: 'replied' })
  expect(got).toHaveLength(1)
})

test('a connection that comes while paused is not read either', async () => {
  const equipment = driver({ role: 'passive' })
  equipment.pause()
  await equipment.start()
  const peer = (await RawPeer.dial(portOf(equipment))).control('selectReq')
  await reached(equipment, 'NOT_SELECTED')
  await selectedPair() // time enough for the request to be read
  expect(equipment.state).toBe('NOT_SELECTED')
  equipment.resume()
  expect((await peer.frame()).header.sType).toBe(STYPE.selectRsp)
})

test('a stop hands over Separate.req also while paused, and waits for the peer to have it', async () => {
  const equipment = driver({ role: 'passive' }, new Listeners(), new ManualClock())
  await equipment.start()
  const peer = (await RawPeer.dial(portOf(equipment))).control('selectReq')
  await peer.frame()
  equipment.pause()
  for (let count = 0; count < 100; count += 1) peer.control('linktestReq')
  await equipment.stop() // the clock stands still: nothing cuts it short
  expect((await peer.frame()).header.sType).toBe(STYPE.separateReq)
})

test('a stop leaves no timer running', async () => {
  const pending = new Set<() => void>()
  const clock: Clock = {
    ...systemClock,
    at(at, run) {
      const cancel = systemClock.at(at, () => {
        pending.delete(end)
        run()
      })
      const end = (): void => {
        pending.delete(end)
        cancel()
      }
      pending.add(end)
      return end
    },
  }
  const equipment = await passive()
  const host = driver({ port: portOf(equipment) }, new Listeners(), clock)
  await host.start()
  await reached(host, 'SELECTED')
  void host.request(primary(host.reserve()))
  expect(pending.size).toBe(1)
  await host.stop()
  expect(pending.size).toBe(0)
})

test('a stop waits for the connection to be closed, and not for long', async () => {
  const clock = new ManualClock()
  const equipment = driver({ role: 'passive' }, new Listeners(), clock)
  await equipment.start()
  let over = false
  // From within a listener it has to hold, too.
  const ended = deferred<void>()
  equipment.changed.on(({ to }) => {
    if (to !== 'NOT_SELECTED') return
    void equipment.stop().then(() => {
      over = true
      ended.resolve()
    })
  })
  const socket = connect({ port: portOf(equipment), host: LOOPBACK, allowHalfOpen: true })
  const peer = new RawPeer(socket)
  await new Promise((resolve) => socket.once('end', resolve))
  expect(over).toBe(false)
  clock.advance(500)
  await ended.promise
  expect(peer.frames).toEqual([])
})

test('a connection that the peer ends is lost at once, with every open request, and T5 runs', async () => {
  const clock = new ManualClock()
  const { port } = await rawServer((socket) => {
    acceptSelect(socket)
    socket.once('data', () => socket.once('data', () => socket.end()))
  })
  const host = driver({ port }, new Listeners(), clock)
  await host.start()
  await reached(host, 'SELECTED')
  const lost = next(host.changed)
  expect(await host.request(primary(host.reserve()))).toEqual({ kind: 'lost' })
  expect(await lost).toMatchObject({ to: 'CONNECTING', fault: { code: 'connection_lost' } })
  expect(host.retryAt).toBe(10_000)
  clock.advance(10_000)
  await reached(host, 'SELECTED')
})

test('changes are received in order, also where hearing of one brings about the next', async () => {
  const equipment = await passive()
  const host = driver({ port: portOf(equipment) })
  const heard: string[] = []
  host.changed.on(({ to }) => {
    if (to === 'SELECTED') void host.stop()
  })
  host.changed.on(({ from, to }) => heard.push(`${from} ${to}`))
  const stopped = reached(equipment, 'NOT_SELECTED').then(() => reached(equipment, 'LISTENING'))
  await host.start()
  await stopped
  expect(heard).toEqual([
    'NOT_CONNECTED CONNECTING',
    'CONNECTING NOT_SELECTED',
    'NOT_SELECTED SELECTED',
    'SELECTED NOT_CONNECTED',
  ])
})

test.each([
  { who: 'SECS-I', bytes: Uint8Array.of(5) },
  { who: 'HTTP', bytes: Buffer.from('GET / HTTP/1.1\r\n\r\n') },
])('rule 19: a peer that speaks $who is named', async ({ who, bytes }) => {
  const equipment = await passive()
  const peer = await RawPeer.dial(portOf(equipment))
  const dropped = next(equipment.changed, ({ fault }) => fault !== undefined)
  peer.socket.write(bytes)
  expect(await dropped).toMatchObject({
    to: 'LISTENING',
    fault: { code: 'not_hsms', detail: `the peer speaks ${who}, not HSMS` },
  })
  await peer.closed
})
