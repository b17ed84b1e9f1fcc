import { expect, test } from 'vitest'
import { deferred } from '../../../src/kit/deferred.js'
import { nextTurn } from '../../../src/kit/turns.js'
import {
  type PortRefusal,
  SerialConnection,
  type SerialPort,
} from '../../../src/secs1/serial/serial-connection.js'
import { ManualClock } from '../../support/manual-clock.js'
import { until } from '../../support/until.js'

/** A serial port whose bytes the test gives, and which writes nothing until it is told to. */
class ScriptedPort implements SerialPort {
  reads = 0
  isClosed = false
  readonly written: Uint8Array[] = []
  #waiting: { resolve(bytes: Uint8Array): void; reject(error: Error): void } | undefined
  /** Resolves writes; without it they wait. */
  takesBytes = true

  come(...bytes: number[]): void {
    this.#waiting?.resolve(Uint8Array.from(bytes))
  }

  /** The adapter is unplugged. */
  fail(): void {
    this.#waiting?.reject(new Error('no such device'))
  }

  async read(buffer: Buffer): Promise<{ buffer: Buffer; bytesRead: number }> {
    this.reads += 1
    const bytes = await new Promise<Uint8Array>((resolve, reject) => {
      this.#waiting = { resolve, reject }
    })
    buffer.set(bytes)
    return { buffer, bytesRead: bytes.length }
  }

  async write(bytes: Buffer): Promise<void> {
    if (!this.takesBytes) await new Promise(() => {})
    this.written.push(bytes)
  }

  async close(): Promise<void> {
    this.isClosed = true
  }
}

function connecting(open: () => Promise<SerialPort>, refusal?: PortRefusal) {
  const seen: number[][] = []
  const opened: true[] = []
  const lost: string[] = []
  const events = {
    opened: () => opened.push(true),
    failed: (error: Error) => lost.push(`failed: ${error.message}`),
    bytes: (bytes: Uint8Array) => seen.push([...bytes]),
    lost: (detail: string) => lost.push(detail),
  }
  return { connection: new SerialConnection('/dev/ttyS0', 9600, events, refusal, open), opened, seen, lost }
}

async function opened(port = new ScriptedPort()) {
  const { opened: times, ...rest } = connecting(async () => port)
  await until(() => times.length === 1 && port.reads === 1)
  return { port, ...rest }
}

test('nothing is read from a port while it is paused, and nothing is lost by that', async () => {
  const { port, connection, seen } = await opened()
  port.come(1)
  await until(() => seen.length === 1)
  connection.pause()
  await until(() => port.reads === 2)
  port.come(2)
  for (let turn = 0; turn < 10; turn += 1) await nextTurn()
  expect(seen).toEqual([[1]])
  expect(port.reads).toBe(2) // what the system holds stays there: a sender with flow control waits
  connection.resume()
  await until(() => port.reads === 3)
  port.come(3)
  await until(() => seen.length === 3)
  expect(seen).toEqual([[1], [2], [3]])
})

test('a port that is closed while it is paused gives no more bytes, and is given back', async () => {
  const { port, connection, seen, lost } = await opened()
  connection.pause()
  port.come(1)
  await connection.close(new ManualClock())
  for (let turn = 0; turn < 10; turn += 1) await nextTurn()
  expect(port.isClosed).toBe(true)
  expect(seen).toEqual([])
  expect(lost).toEqual([])
})

test('a port that takes nothing is given up before what waits for it grows', async () => {
  const port = new ScriptedPort()
  port.takesBytes = false
  const { connection, lost } = await opened(port)
  for (let sent = 0; sent < 64; sent += 1) connection.write(new Uint8Array(1024))
  expect(lost).toEqual([])
  connection.write(new Uint8Array(1))
  expect(lost).toEqual(['the serial port does not take what it is sent'])
})

test('what was written leaves before a port is closed, and a port that takes nothing is closed half a second later', async () => {
  const quick = await opened()
  quick.connection.write(Uint8Array.of(1, 2))
  await quick.connection.close(new ManualClock())
  expect(quick.port.written.map((bytes) => [...bytes])).toEqual([[1, 2]])
  expect(quick.connection.unsent).toBe(0)
  const slow = await opened()
  slow.port.takesBytes = false
  slow.connection.write(Uint8Array.of(1))
  const clock = new ManualClock()
  const closing = slow.connection.close(clock)
  await clock.advance(499)
  expect(slow.port.isClosed).toBe(false)
  await clock.advance(1)
  await closing
  expect([quick.port.isClosed, slow.port.isClosed]).toEqual([true, true])
  expect([...quick.lost, ...slow.lost]).toEqual([])
})

test('a port that is gone is lost once, is given back, and is written to no more', async () => {
  const { port, connection, lost } = await opened()
  port.fail()
  await until(() => port.isClosed)
  connection.write(Uint8Array.of(1))
  connection.destroy()
  expect(lost).toEqual(['the serial port /dev/ttyS0 is gone (no such device)'])
  expect(connection.unsent).toBe(0)
})

test('a port that cannot be opened says why, and one that may not be opened is not', async () => {
  const denied = connecting(() => Promise.reject(new Error('Permission denied')))
  const missing = connecting(() =>
    Promise.reject(Object.assign(new Error('Cannot find'), { code: 'ERR_MODULE_NOT_FOUND' })),
  )
  const other = connecting(() => Promise.reject(new Error('busy')))
  let isAsked = false
  const refused = connecting(
    async () => {
      isAsked = true
      return new ScriptedPort()
    },
    async () => 'it is of etcher',
  )
  await until(() => [denied, missing, other, refused].every(({ lost }) => lost.length === 1))
  expect(denied.lost[0]).toMatch(/^failed: cannot open \/dev\/ttyS0: Permission denied.*dialout/)
  expect(missing.lost[0]).toMatch(/@serialport\/bindings-cpp/)
  expect(other.lost).toEqual(['failed: cannot open /dev/ttyS0: busy'])
  expect(refused.lost[0]).toContain('it is of etcher')
  expect(isAsked).toBe(false)
})

test('a port that is closed while it is opened is given back, and nobody is told of it', async () => {
  const port = new ScriptedPort()
  const opening = deferred<SerialPort>()
  const { connection, opened, lost } = connecting(() => opening.promise)
  const closing = connection.close(new ManualClock())
  await nextTurn()
  opening.resolve(port)
  await closing
  expect(port.isClosed).toBe(true)
  expect(port.reads).toBe(0)
  expect([...opened, ...lost]).toEqual([])
})

test('a port that the system does not close, and one that it does not open, hold nothing up for longer than five seconds', async () => {
  const { port, connection, lost } = await opened()
  const closes = deferred<void>()
  port.close = () => closes.promise
  const opening = connecting(() => new Promise(() => {}))
  const [clock, ended] = [new ManualClock(), [] as string[]]
  void connection.close(clock).then(() => ended.push('closed'))
  void opening.connection.close(clock).then(() => ended.push('opened'))
  await nextTurn()
  clock.advance(4999)
  await nextTurn()
  expect(ended).toEqual([])
  clock.advance(1)
  await nextTurn()
  expect(ended.sort()).toEqual(['closed', 'opened'])
  closes.resolve()
  await nextTurn()
  expect([...lost, ...opening.lost]).toEqual([])
})
