import { connect, type Socket } from 'node:net'
import type { Clock } from '../../kit/clock.js'
import { deferred } from '../../kit/deferred.js'
import type { Endpoints } from '../capture/wire.js'
import { lossDetail } from './dial-fault.js'
import { endpointText } from './internet-address.js'

/** The events of a connection. Nothing follows `failed` or `lost`, and nothing comes after we have closed it. */
export interface TcpConnectionEvents {
  /** The dial went through. */
  opened(): void
  /** It did not. */
  failed(error: Error): void
  bytes(bytes: Uint8Array): void
  /** Answers wait for a peer that does not read them, or wait no more. */
  backlog?(isFull: boolean): void
  lost(detail: string): void
}

/** How long a connection that we end may take to send its last bytes. */
const LINGER_MS = 500

/** Up to this many bytes are copied into one buffer and written at once. */
const MAX_JOINED_BYTES = 1024 * 1024

/**
 * Milliseconds without a byte after which the system asks whether the peer still knows of the connection. Without that,
 * SECS-I, which has no linktest, would wait for ever for a peer whose end of the connection was lost while the network was.
 */
const KEEP_ALIVE_MS = 60_000

/** Bytes of answers that may wait for a peer before the backlog counts as full. */
const MAX_WAITING_REPLY_BYTES = 64 * 1024

/**
 * Every connection that we dial is read into it, and what came is copied out at once. Node would take 64 KiB from malloc
 * for each read and give most of it back, which leaves holes between what is kept.
 */
const READ_BUFFER = Buffer.allocUnsafeSlow(64 * 1024)

/** One TCP connection, from the dial or the accept to its end. */
export class TcpConnection {
  readonly #socket: Socket
  readonly #events: TcpConnectionEvents
  readonly #unsentLimit: number
  readonly #endpoints: Endpoints | undefined
  #over = false
  /** What leaves in one write when this turn of the event loop is over. One array for good, as in `SerialQueue`. */
  readonly #frames: Uint8Array[] = []
  #frameBytes = 0
  /** Bytes of replies among the frames, and of those that the system has not taken. */
  #replyBytes = 0
  #waitingReplies = 0
  #isBacklogged = false

  /**
   * `unsentLimit`: bytes that may wait for a peer that does not read, before the connection is given up. `endpoints`:
   * the true ends, where a proxy passes the connection on; those of the socket when left out.
   */
  constructor(socket: Socket, events: TcpConnectionEvents, unsentLimit: number, endpoints?: Endpoints) {
    this.#socket = socket
    this.#endpoints = endpoints
    this.#events = events
    this.#unsentLimit = unsentLimit
    let dialling = socket.connecting
    if (!dialling) socket.setKeepAlive(true, KEEP_ALIVE_MS)
    const over = (error: Error): void => {
      if (dialling) this.#end(() => events.failed(error))
      else this.#lost(lossDetail(error))
    }
    socket.once('connect', () => {
      if (socket.remoteAddress === undefined) return // the peer has reset it already: the error follows
      dialling = false
      socket.setKeepAlive(true, KEEP_ALIVE_MS)
      if (!this.#over) events.opened()
    })
    socket.on('error', over)
    socket.on('end', () => over(new Error('the peer closed the connection')))
    socket.on('close', () => over(new Error('the connection was closed')))
    socket.on('data', (bytes) => this.#came(bytes))
  }

  /** `localAddress`: of this machine; left out, the system chooses. */
  static dial(
    host: string,
    port: number,
    events: TcpConnectionEvents,
    unsentLimit: number,
    localAddress?: string,
  ): TcpConnection {
    const from = localAddress === undefined ? {} : { localAddress }
    const callback = (length: number): boolean => {
      connection.#came(Buffer.from(READ_BUFFER.subarray(0, length)))
      return true
    }
    const socket = connect({ host, port, noDelay: true, ...from, onread: { buffer: READ_BUFFER, callback } })
    const connection = new TcpConnection(socket, events, unsentLimit)
    return connection
  }

  /** Known while it is up. */
  get endpoints(): Endpoints {
    return this.#endpoints ?? endpointsOf(this.#socket)
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  /** Bytes that the system has not taken. */
  get unsent(): number {
    return this.#frameBytes + this.#socket.writableLength
  }

  /** `isReply`: the peer brought it about, so that it counts for the backlog. */
  write(frame: Uint8Array, isReply = false): void {
    if (this.#over) return
    if (this.#frames.length === 0) process.nextTick(() => this.#flush())
    this.#frames.push(frame)
    this.#frameBytes += frame.length
    if (isReply) this.#replyBytes += frame.length
    if (this.unsent > this.#unsentLimit) this.giveUp()
  }

  /** Breaks it off because the peer does not read. */
  giveUp(): void {
    this.#socket.destroy()
    this.#lost('the peer does not read what it is sent')
  }

  /** Breaks it off; `lost` follows. */
  destroy(): void {
    this.#socket.destroy()
  }

  /** Sends the last bytes, and waits for them only for a short time. Resolves when it is closed. */
  close(clock: Clock): Promise<void> {
    const socket = this.#socket
    this.#over = true
    if (socket.closed) return Promise.resolve()
    const closed = deferred<void>()
    socket.once('close', () => closed.resolve())
    if (socket.connecting || socket.destroyed) {
      socket.destroy()
      return closed.promise
    }
    this.#flush()
    const cancel = clock.at(clock.now() + LINGER_MS, () => socket.destroy())
    socket.once('close', cancel)
    socket.end()
    socket.resume() // what still comes is read and dropped: left unread, it would cut short what we send
    return closed.promise
  }

  #came(bytes: Uint8Array): void {
    if (!this.#over) this.#events.bytes(bytes)
  }

  #flush(): void {
    const frames = this.#frames
    const [first] = frames
    if (!first) return
    const socket = this.#socket
    const sent = this.#repliesSent()
    if (frames.length === 1) {
      socket.write(first, sent)
    } else if (this.#frameBytes <= MAX_JOINED_BYTES) {
      socket.write(Buffer.concat(frames, this.#frameBytes), sent)
    } else {
      socket.cork()
      for (const frame of frames.slice(0, -1)) socket.write(frame)
      socket.write(frames.at(-1) as Uint8Array, sent)
      socket.uncork()
    }
    frames.length = 0
    this.#frameBytes = 0
    this.#reportBacklog()
  }

  /** To be called when the system has taken the frames; undefined where no reply is among them. */
  #repliesSent(): (() => void) | undefined {
    const bytes = this.#replyBytes
    if (bytes === 0) return undefined
    this.#replyBytes = 0
    this.#waitingReplies += bytes
    return () => {
      this.#waitingReplies -= bytes
      this.#reportBacklog()
    }
  }

  #reportBacklog(): void {
    const isFull = this.#waitingReplies > (this.#isBacklogged ? 0 : MAX_WAITING_REPLY_BYTES)
    if (isFull === this.#isBacklogged || this.#over) return
    this.#isBacklogged = isFull
    this.#events.backlog?.(isFull)
  }

  #lost(detail: string): void {
    this.#end(() => this.#events.lost(detail))
  }

  #end(emit: () => void): void {
    if (this.#over) return
    this.#over = true
    emit()
  }
}

/** A connection that carries bytes, whatever the cable. Its events are those of `TcpConnectionEvents`. */
export type ByteConnection = Pick<
  TcpConnection,
  'endpoints' | 'pause' | 'resume' | 'unsent' | 'write' | 'giveUp' | 'destroy' | 'close'
>

/** The two ends of a socket that is connected. */
export function endpointsOf(socket: Socket): Endpoints {
  const { localAddress = '?', localPort = 0, remoteAddress = '?', remotePort = 0 } = socket
  return { local: endpointText(localAddress, localPort), remote: endpointText(remoteAddress, remotePort) }
}
