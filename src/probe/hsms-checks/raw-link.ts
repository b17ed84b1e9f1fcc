import { connect, type Socket } from 'node:net'
import type { Endpoints } from '../../hsms/capture/wire.js'
import { type Frame, FrameError, FrameReader } from '../../hsms/frame/frame.js'
import { endpointsOf } from '../../hsms/tcp/tcp-connection.js'
import type { Clock } from '../../kit/clock.js'
import { withTimeout } from '../../kit/clock.js'
import { deferred } from '../../kit/deferred.js'

/** The longest message that is read, in bytes. */
const MAX_LENGTH = 16 * 1024 * 1024

/** A connection, for the record. Times in milliseconds since 1970. */
export interface LinkRecord extends Endpoints {
  readonly opened: number
  /** Undefined while it is open. */
  closed?: number
  closedBy?: 'this side' | 'the equipment'
}

/** A frame that passed, or bytes that are no frame. */
export interface PassedBytes {
  readonly link: LinkRecord
  /** Milliseconds since 1970. */
  readonly at: number
  readonly direction: 'sent' | 'received'
  readonly frame?: Frame
  readonly bytes?: Uint8Array
  /** It stands for so many that passed and are not kept. */
  readonly leftOut?: number
}

/** A TCP connection to equipment on which bytes are written as they are, also wrong ones. Frames that come are kept until they are taken. */
export class RawLink {
  readonly #frames: Frame[] = []
  readonly #reader = new FrameReader(MAX_LENGTH)
  #more = deferred<void>()
  #isClosed = false
  #held: (readonly [Uint8Array, Frame | undefined])[] | undefined

  readonly record: LinkRecord

  /** Called with each frame that came; true takes it. */
  handler: (frame: Frame) => boolean = () => false

  private constructor(
    private readonly socket: Socket,
    private readonly clock: Clock,
    private readonly passed: (bytes: PassedBytes) => void,
  ) {
    this.record = { ...endpointsOf(socket), opened: this.#wall() }
    socket.on('data', (bytes) => this.#read(bytes))
    socket.on('error', () => {}) // 'close' follows
    for (const event of ['end', 'close']) socket.on(event, () => this.#ended('the equipment'))
  }

  /** Rejects with the error of the socket, or after `timeoutMs`. */
  static async dial(
    { host, port }: { readonly host: string; readonly port: number },
    clock: Clock,
    timeoutMs: number,
    passed: (bytes: PassedBytes) => void,
  ): Promise<RawLink> {
    const opened = deferred<RawLink>()
    const socket = connect({ host, port, noDelay: true })
    const cancel = clock.at(clock.now() + timeoutMs, () => socket.destroy(new Error('nothing responds')))
    socket.once('error', (error) => opened.reject(error))
    socket.once('connect', () => opened.resolve(new RawLink(socket, clock, passed)))
    try {
      return await opened.promise
    } finally {
      cancel()
    }
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Writes bytes. `frame`: what they are, for the record. */
  write(bytes: Uint8Array, frame?: Frame): void {
    if (this.#held) return void this.#held.push([bytes, frame])
    this.passed({
      link: this.record,
      at: this.#wall(),
      direction: 'sent',
      ...(frame ? { frame } : { bytes }),
    })
    this.writePart(bytes)
  }

  /** Writes a part of a message that was recorded before. */
  writePart(bytes: Uint8Array): void {
    if (!this.#isClosed) this.socket.write(bytes)
  }

  /** A message is on its way in parts: what is written meanwhile, such as a response, waits, since it would become a part of it. */
  hold(): void {
    this.#held ??= []
  }

  release(): void {
    const held = this.#held ?? []
    this.#held = undefined
    for (const [bytes, frame] of held) this.write(bytes, frame)
  }

  /** Takes the first frame that fits; undefined if none comes within so many milliseconds, or before the end. */
  async next(fits: (frame: Frame) => boolean, within: number): Promise<Frame | undefined> {
    const until = this.clock.now() + within
    for (;;) {
      const at = this.#frames.findIndex(fits)
      if (at >= 0) return this.#frames.splice(at, 1)[0]
      const left = until - this.clock.now()
      if (this.#isClosed || left <= 0) return undefined
      await withTimeout(this.clock, left, this.#more.promise)
    }
  }

  /** The milliseconds until the other side closed the connection; undefined if it did not within so many. */
  async closed(within: number): Promise<number | undefined> {
    const began = this.clock.now()
    while (!this.#isClosed) {
      const left = began + within - this.clock.now()
      if (left <= 0) return undefined
      await withTimeout(this.clock, left, this.#more.promise)
    }
    return this.clock.now() - began
  }

  /** Closes the connection without a message. */
  cut(): void {
    this.socket.destroy()
    this.#ended('this side')
  }

  #wall(): number {
    return this.clock.date().getTime()
  }

  #read(bytes: Uint8Array): void {
    try {
      for (const frame of this.#reader.read(bytes)) {
        this.passed({ link: this.record, at: this.#wall(), direction: 'received', frame })
        if (!this.handler(frame)) this.#frames.push(frame)
      }
    } catch (error) {
      if (!(error instanceof FrameError)) throw error
      this.passed({ link: this.record, at: this.#wall(), direction: 'received', bytes: error.bytes })
      this.socket.destroy()
    }
    this.#wake()
  }

  #ended(by: LinkRecord['closedBy'] & string): void {
    this.record.closedBy ??= by
    this.record.closed ??= this.#wall()
    this.#isClosed = true
    this.#wake()
  }

  #wake(): void {
    this.#more.resolve()
    this.#more = deferred<void>()
  }
}
