import type { BindingPortInterface } from '@serialport/bindings-cpp'
import type { Endpoints } from '../../hsms/capture/wire.js'
import type { ByteConnection, TcpConnectionEvents } from '../../hsms/tcp/tcp-connection.js'
import { type Clock, delay, withTimeout } from '../../kit/clock.js'
import { type Deferred, deferred } from '../../kit/deferred.js'
import { noSerialPort } from './serial-device.js'

/** The part of an open port that is used here. */
export type SerialPort = Pick<BindingPortInterface, 'read' | 'write' | 'close'>

/** How long a port that we close may take to send its last bytes. */
const LINGER_MS = 500
/** How long the system may take to close a port, or to open one that is not wanted any more: a driver that hangs never does. */
const CLOSE_MS = 5000
const READ_BYTES = 1024
/** Bytes that may wait for the port: SECS-I writes one block and waits. */
const MAX_UNSENT_BYTES = 64 * 1024

/** Why a port may not be opened now; undefined where it may. */
export type PortRefusal = () => Promise<string | undefined>

/** A serial port as a connection of bytes: eight data bits, no parity, one stop bit (SEMI E4). */
export class SerialConnection implements ByteConnection {
  #port: SerialPort | undefined
  #isOver = false
  #unsent = 0
  /** Resolves when what was written has left, and rejects never. */
  #written: Promise<void> = Promise.resolve()
  /** Set while nothing is read. */
  #paused: Deferred<void> | undefined
  /** Resolves when the port is closed. */
  readonly #closed: Promise<void>
  readonly #end = deferred<void>()

  constructor(
    readonly path: string,
    readonly baudRate: number,
    readonly events: TcpConnectionEvents,
    private readonly refusal: PortRefusal = async () => undefined,
    readonly open: (path: string, baudRate: number) => Promise<SerialPort> = openPort,
  ) {
    this.#closed = this.#run()
  }

  get endpoints(): Endpoints {
    return { local: this.path, remote: this.path }
  }

  get unsent(): number {
    return this.#unsent
  }

  pause(): void {
    this.#paused ??= deferred()
  }

  resume(): void {
    this.#paused?.resolve()
    this.#paused = undefined
  }

  write(bytes: Uint8Array): void {
    if (this.#isOver) return
    this.#unsent += bytes.length
    this.#written = this.#written
      .then(() => this.#port?.write(Buffer.from(bytes)))
      .catch((error: Error) => this.#lost(error.message))
      .finally(() => {
        this.#unsent -= bytes.length
      })
    if (this.#unsent > MAX_UNSENT_BYTES) this.giveUp()
  }

  giveUp(): void {
    this.#lost('the serial port does not take what it is sent')
  }

  destroy(): void {
    this.#lost('the serial port was closed')
  }

  /** Resolves once the port is given back, or the system takes too long: until then the next attempt cannot open it. */
  async close(clock: Clock): Promise<void> {
    const over = new AbortController()
    await Promise.race([this.#written, delay(clock, LINGER_MS, over.signal)])
    over.abort()
    this.#isOver = true
    this.#end.resolve()
    this.resume() // its reading ends
    await withTimeout(clock, CLOSE_MS, this.#closed)
  }

  /** From the opening of the port to its end; never rejects. */
  async #run(): Promise<void> {
    try {
      const refused = await this.refusal()
      if (refused !== undefined) throw new Error(refused)
      this.#port = await this.open(this.path, this.baudRate)
    } catch (error) {
      if (!this.#isOver) this.events.failed(openError(error as Error, this.path))
      this.#isOver = true
      return
    }
    if (!this.#isOver) {
      this.events.opened()
      void this.#read(this.#port)
    } else this.#end.resolve()
    await this.#end.promise
    await this.#port.close().catch(() => {}) // it is gone
  }

  async #read(port: SerialPort): Promise<void> {
    const buffer = Buffer.alloc(READ_BYTES)
    try {
      while (!this.#isOver) {
        const { bytesRead } = await port.read(buffer, 0, buffer.length)
        await this.#paused?.promise
        if (!this.#isOver && bytesRead > 0) this.events.bytes(Uint8Array.from(buffer.subarray(0, bytesRead)))
      }
    } catch (error) {
      this.#lost(`the serial port ${this.path} is gone (${(error as Error).message})`)
    }
  }

  #lost(detail: string): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#end.resolve()
    this.resume()
    this.events.lost(detail)
  }
}

/** Optional and native: the package is loaded only where a serial port is used. */
async function openPort(path: string, baudRate: number): Promise<SerialPort> {
  const fault = await noSerialPort(path)
  if (fault !== undefined) throw new Error(fault)
  const { autoDetect } = await import('@serialport/bindings-cpp')
  return autoDetect().open({ path, baudRate, dataBits: 8, stopBits: 1, parity: 'none', lock: true })
}

/** Why a port cannot be opened, in words that help. */
function openError(error: Error, path: string): Error {
  const { message } = error
  if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND')
    return new Error(
      'serial ports need the optional package @serialport/bindings-cpp, which is not installed',
    )
  const hint = /permission|EACCES/i.test(message)
    ? ': this user needs the group of the port, often dialout'
    : ''
  // The binding says `Error: REASON, cannot open PATH`.
  const reason = message.replace(/^Error: /, '').replace(`, cannot open ${path}`, '')
  return new Error(`cannot open ${path}: ${reason}${hint}`)
}
