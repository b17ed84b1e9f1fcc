import { readFileSync } from 'node:fs'
import { connect, Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { TcpConnection } from '../../../src/hsms/tcp/tcp-connection.js'
import { systemClock } from '../../../src/kit/clock.js'
import { deferred } from '../../../src/kit/deferred.js'
import { gotOld } from '../../support/held-memory.js'
import { ManualClock } from '../../support/manual-clock.js'
import { LOOPBACK, rawServer } from '../../support/tcp.js'
import { until } from '../../support/until.js'

const silent = { opened: () => {}, failed: () => {}, bytes: () => {}, lost: () => {} }

/** A connection that is up, and what its peer has got once it ended. */
async function connected(): Promise<{ connection: TcpConnection; received: Promise<Buffer> }> {
  const got: Buffer[] = []
  const received = deferred<Buffer>()
  const { port } = await rawServer((socket) => {
    socket.on('data', (bytes) => got.push(bytes))
    socket.on('end', () => received.resolve(Buffer.concat(got)))
  })
  const opened = deferred<void>()
  const events = { ...silent, opened: () => opened.resolve() }
  const connection = TcpConnection.dial(LOOPBACK, port, events, 64 << 20)
  await opened.promise
  return { connection, received: received.promise }
}

test.each([
  { what: 'one frame', lengths: [14] },
  { what: 'many short frames', lengths: Array.from({ length: 3_000 }, (_, at) => 14 + (at % 200)) },
  { what: 'short and long ones', lengths: [14, 3 << 20, 190, 14, 2 << 20] },
])('$what of one turn leave whole, in order, and in one write', async ({ lengths }) => {
  const { connection, received } = await connected()
  const frames = lengths.map((length, at) => new Uint8Array(length).fill(at))
  const single = vi.spyOn(Socket.prototype, '_write')
  const joined = vi.spyOn(Socket.prototype, '_writev' as '_write')
  onTestFinished(() => void [single, joined].map((spy) => spy.mockRestore()))
  for (const frame of frames) connection.write(frame)
  await new Promise((resolve) => process.nextTick(resolve))
  expect(single.mock.calls.length + joined.mock.calls.length).toBe(1)
  await connection.close(systemClock)
  expect(Buffer.compare(await received, Buffer.concat(frames))).toBe(0)
})

test('what left last on a quiet connection does not get old', async () => {
  const sink = { setKeepAlive: () => {}, once: () => {}, on: () => {}, write: () => true, writableLength: 0 }
  const connections = Array.from(
    { length: 500 },
    () => new TcpConnection(sink as unknown as Socket, silent, 64 << 20),
  )
  const old = await gotOld(async () => {
    for (const connection of connections) connection.write(new Uint8Array(14))
    await new Promise((resolve) => process.nextTick(resolve))
  })
  expect(old / connections.length).toBeLessThan(100)
})

/**
 * The seconds until the system asks a silent peer at the end of a connection with this local port; undefined where it does
 * not (proc(5), net/tcp: timer 2, in hundredths of a second).
 */
function asksIn(port: number): number | undefined {
  const lines = readFileSync('/proc/self/net/tcp', 'latin1').split('\n')
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const ends = lines.map((line) => line.trim().split(/\s+/)).filter(([, own]) => own?.endsWith(local))
  const [timer, due = ''] = ends.find(([, , , state]) => state === '01')?.[5]?.split(':') ?? []
  return timer === '02' ? Number.parseInt(due, 16) / 100 : undefined
}

test.runIf(process.platform === 'linux')(
  'the system asks a silent peer whether it is there, also one that has dialled',
  async () => {
    const accepted = deferred<Socket>()
    const { port } = await rawServer((socket) => accepted.resolve(socket))
    const opened = deferred<void>()
    const dialled = TcpConnection.dial(
      LOOPBACK,
      port,
      { ...silent, opened: () => opened.resolve() },
      64 << 20,
    )
    const socket = await accepted.promise
    await opened.promise
    const { remotePort = 0 } = socket
    const asks = await until(() => asksIn(remotePort))
    expect(asks).toBeLessThanOrEqual(60)
    expect(asksIn(port)).toBeUndefined()
    const answering = new TcpConnection(socket, silent, 64 << 20)
    await until(() => asksIn(port))
    await Promise.all([dialled.close(systemClock), answering.close(systemClock)])
  },
)

test('what was written in the turn that closes it still leaves', async () => {
  const { connection, received } = await connected()
  connection.write(Uint8Array.of(1, 2, 3))
  const closed = connection.close(systemClock)
  connection.write(Uint8Array.of(4)) // too late
  await closed
  expect([...(await received)]).toEqual([1, 2, 3])
})

test('a connection that we close reports nothing more', async () => {
  const told: string[] = []
  const { port } = await rawServer((socket) => socket.end('bye'))
  const opened = deferred<void>()
  const connection = TcpConnection.dial(
    LOOPBACK,
    port,
    {
      opened: () => opened.resolve(),
      failed: () => told.push('failed'),
      bytes: () => told.push('bytes'),
      lost: () => told.push('lost'),
    },
    1 << 20,
  )
  await opened.promise
  await connection.close(systemClock)
  expect(told).toEqual([])
})

test('a dial that the peer resets before it is looked at has failed', async () => {
  const told: string[] = []
  const accepted = deferred<Socket>()
  const { port } = await rawServer((socket) => accepted.resolve(socket))
  const socket = connect({ host: LOOPBACK, port })
  Object.defineProperty(socket, 'remoteAddress', { get: () => undefined }) // as the system tells it then
  const events = {
    ...silent,
    opened: () => told.push('opened'),
    failed: () => told.push('failed'),
    lost: () => told.push('lost'),
  }
  const connection = new TcpConnection(socket, events, 1 << 20)
  await new Promise((resolve) => socket.once('connect', resolve))
  const peer = await accepted.promise
  peer.resetAndDestroy()
  await new Promise((resolve) => socket.once('close', resolve))
  await connection.close(systemClock)
  expect(told).toEqual(['failed'])
})

test('what the system has not taken of earlier turns counts for the limit', async () => {
  const lost: string[] = []
  const { port } = await rawServer((socket) => socket.pause())
  const opened = deferred<void>()
  const events = { ...silent, opened: () => opened.resolve(), lost: (detail: string) => lost.push(detail) }
  const connection = TcpConnection.dial(LOOPBACK, port, events, 1 << 20)
  await opened.promise
  // The system takes some MiB of them, whoever reads.
  for (let count = 0; count < 128 && lost.length === 0; count += 1) {
    connection.write(new Uint8Array(1 << 19))
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(lost).toEqual(['the peer does not read what it is sent'])
  await connection.close(systemClock)
})

test('answers that wait are reported once there are many, and again once none waits', async () => {
  const told: boolean[] = []
  const accepted = deferred<Socket>()
  const { port } = await rawServer((socket) => accepted.resolve(socket.pause()))
  const opened = deferred<void>()
  const backlog = (isFull: boolean): void => void told.push(isFull)
  const events = { ...silent, opened: () => opened.resolve(), backlog }
  const connection = TcpConnection.dial(LOOPBACK, port, events, 1 << 30)
  await opened.promise
  const peer = await accepted.promise
  const write = async (bytes: number, isReply: boolean): Promise<void> => {
    connection.write(new Uint8Array(bytes), isReply)
    await new Promise((resolve) => setImmediate(resolve))
  }
  // What we send by ourselves is no answer, however much of it waits.
  for (let count = 0; count < 32; count += 1) await write(1 << 20, false)
  expect(connection.unsent).toBeGreaterThan(16 << 20)
  await write(64 << 10, true)
  expect(told).toEqual([])
  await write(1, true)
  expect(told).toEqual([true])
  await write(1 << 20, true)
  peer.resume()
  await until(() => told.length === 2)
  expect(told).toEqual([true, false])
  expect(connection.unsent).toBe(0)
  await write(64 << 10, true)
  await connection.close(systemClock)
  expect(told).toEqual([true, false])
})

test('nothing is told of a backlog when the connection is closed meanwhile', async () => {
  const told: boolean[] = []
  const accepted = deferred<Socket>()
  const { port } = await rawServer((socket) => accepted.resolve(socket.pause()))
  const opened = deferred<void>()
  const backlog = (isFull: boolean): void => void told.push(isFull)
  const events = { ...silent, opened: () => opened.resolve(), backlog }
  const connection = TcpConnection.dial(LOOPBACK, port, events, 1 << 30)
  await opened.promise
  connection.write(new Uint8Array(32 << 20), true)
  await new Promise((resolve) => setImmediate(resolve))
  const closed = connection.close(new ManualClock())
  const peer = await accepted.promise
  peer.resume()
  await closed
  expect(told).toEqual([true])
})

test('a peer that ends its side is lost at once, also while it does not read', async () => {
  const { port } = await rawServer((socket) => void socket.pause().end())
  const lost = deferred<string>()
  const opened = deferred<void>()
  const events = { ...silent, opened: () => opened.resolve(), lost: lost.resolve }
  const connection = TcpConnection.dial(LOOPBACK, port, events, 1 << 30)
  connection.write(new Uint8Array(32 << 20))
  await opened.promise
  expect(await lost.promise).toBe('the peer closed the connection')
  await connection.close(systemClock)
})

test('more than the limit waiting for a peer is reported as lost, once, and breaks the connection', async () => {
  const lost: string[] = []
  const { port } = await rawServer((socket) => socket.pause())
  const opened = deferred<void>()
  const socket = connect({ host: LOOPBACK, port })
  const events = {
    ...silent,
    opened: () => opened.resolve(),
    lost: (detail: string) => {
      lost.push(detail)
      expect(socket.destroyed).toBe(true)
    },
  }
  const connection = new TcpConnection(socket, events, 1 << 20)
  await opened.promise
  for (let count = 0; count < 5; count += 1) connection.write(new Uint8Array(1 << 19))
  await connection.close(systemClock)
  expect(lost).toEqual(['the peer does not read what it is sent'])
})
