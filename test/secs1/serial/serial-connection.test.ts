import { expect, test } from 'vitest'
import { nextTurn } from '../../../src/kit/turns.js'
import { SerialConnection, type SerialPort } from '../../../src/secs1/serial/serial-connection.js'
import { ManualClock } from '../../support/manual-clock.js'
import { until } from '../../support/until.js'

/** A serial port whose bytes the test gives, and which writes nothing until it is told to. */
class ScriptedPort implements SerialPort {
  reads = 0
  isClosed = false
  readonly written: Uint8Array[] = []
  #waiting: ((bytes: Uint8Array) => void) | undefined
  /** Resolves writes; without it they wait. */
  takesBytes = true

  come(...bytes: number[]): void {
    this.#waiting?.(Uint8Array.from(bytes))
  }

  async read(buffer: Buffer): Promise<{ buffer: Buffer; bytesRead: number }> {
    this.reads += 1
    const bytes = await new Promise<Uint8Array>((resolve) => {
      this.#waiting = resolve
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

async function opened(port = new ScriptedPort()) {
  const seen: number[][] = []
  const lost: string[] = []
  let isOpen = false
  const events = {
    opened: () => {
      isOpen = true
    },
    failed: (error: Error) => lost.push(error.message),
    bytes: (bytes: Uint8Array) => seen.push([...bytes]),
    lost: (detail: string) => lost.push(detail),
  }
  const connection = new SerialConnection('/dev/ttyS0', 9600, events, undefined, async () => port)
  await until(() => isOpen && port.reads === 1)
  return { port, connection, seen, lost }
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
