import type { Cancel, Clock } from '../../kit/clock.js'
import { nextTurn } from '../../kit/turns.js'
import type { HsmsInput } from '../io.js'
import type { TcpConnection } from './tcp-connection.js'

/** The part of a connection that is used here. */
type Read = Pick<TcpConnection, 'pause' | 'resume' | 'unsent' | 'giveUp'>

/** Frames of one connection that are read in one turn of the event loop. */
const MAX_FRAMES = 32

/**
 * What the system gives at most in one call. A connection that gives as much has more, such as a long message, and is
 * read on in another turn: of each of forty that send one, megabytes would be read in this one.
 */
const FULL_READ_BYTES = 64 * 1024

/** How long a peer may leave its replies unread, in milliseconds; a millisecond more for each byte that waits for it. */
const UNREAD_REPLIES_TIMEOUT_MS = 30_000

/**
 * When a driver reads its socket, and how much at once. Connections take turns: one that has sent more than
 * `MAX_FRAMES`, or as much as one call gives, is read on when the others have been read. Nothing is read while the owner has paused the driver, or
 * while the peer does not read the answers that it is sent.
 */
export class SocketReading {
  #connection: Read | undefined
  /** Read from the socket, and not handed to the protocol yet. */
  #unread: Uint8Array | undefined
  #isPaused = false
  #isBacklogged = false
  /** It has given all that is read of it in one turn. */
  #awaitsTurn = false
  /** The last state that the socket and the protocol were given. */
  #isReading = true
  #isScheduled = false
  #cancelTimeout: Cancel = () => {}

  constructor(
    readonly clock: Clock,
    readonly feed: (input: HsmsInput) => void,
  ) {}

  /** From now on it is this connection that is read. */
  begin(connection: Read): void {
    this.#connection = connection
    if (!this.#isReading) connection.pause()
  }

  /** The connection is closed: what was not read of it is void. */
  end(): void {
    this.#connection = undefined
    this.#unread = undefined
    this.backlog(false)
  }

  /** The socket gave these. */
  bytes(bytes: Uint8Array): void {
    if (bytes.length >= FULL_READ_BYTES && !this.#awaitsTurn) {
      this.#awaitsTurn = true
      void nextTurn('equipment').then(() => {
        this.#awaitsTurn = false
        this.#update()
      })
    }
    this.#feedBytes(bytes, MAX_FRAMES)
  }

  /** The protocol has not read these. */
  keep(bytes: Uint8Array): void {
    this.#unread = bytes
    this.#update()
  }

  /** Reads what was kept, at once: the connection is lost, and no more can come. */
  finish(): void {
    const bytes = this.#unread
    this.#unread = undefined
    if (bytes) this.#feedBytes(bytes)
  }

  pause(): void {
    this.#isPaused = true
    this.#update()
  }

  resume(): void {
    this.#isPaused = false
    this.#update()
  }

  /** The peer does not read the answers that it is sent, or has read them. */
  backlog(isFull: boolean): void {
    this.#isBacklogged = isFull
    this.#cancelTimeout()
    const connection = this.#connection
    if (isFull && connection) {
      const end = this.clock.now() + UNREAD_REPLIES_TIMEOUT_MS + connection.unsent
      this.#cancelTimeout = this.clock.at(end, () => connection.giveUp())
    }
    this.#update()
  }

  get #isHeld(): boolean {
    return this.#isPaused || this.#isBacklogged
  }

  #update(): void {
    if (this.#unread && !this.#isHeld) this.#schedule()
    const isReading = !this.#isHeld && !this.#unread && !this.#awaitsTurn
    if (isReading === this.#isReading) return
    this.#isReading = isReading
    if (isReading) {
      this.feed({ kind: 'resume' })
      this.#connection?.resume()
    } else {
      this.#connection?.pause()
      this.feed({ kind: 'pause' })
    }
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    void nextTurn('equipment').then(() => {
      this.#isScheduled = false
      const bytes = this.#unread
      if (!bytes || this.#isHeld) return
      this.#unread = undefined
      this.#feedBytes(bytes, MAX_FRAMES)
    })
  }

  #feedBytes(bytes: Uint8Array, maxFrames?: number): void {
    this.feed({ kind: 'bytes', bytes, ...(maxFrames !== undefined && { maxFrames }) })
    this.#update()
  }
}
