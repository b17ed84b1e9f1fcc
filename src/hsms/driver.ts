import { connect, type Socket } from 'node:net'
import type { Clock } from '../kit/clock.js'
import { type Deferred, deferred } from '../kit/deferred.js'
import { Signal } from '../kit/signal.js'
import type { ConnectionState } from './connection-states.js'
import { dialFault } from './dial-fault.js'
import { InOrder } from './in-order.js'
import type { ListenError, Listeners, Seat } from './listener.js'
import type { DataMessage } from './message.js'
import type { Outcome } from './outcome.js'
import { HsmsProtocol } from './protocol.js'
import type { HsmsSettings } from './settings.js'
import type { AttemptFailed, HsmsInput, HsmsOutput, Received, StateChange } from './turn.js'
import { Wake } from './wake.js'

export type { AttemptFailed, Received, StateChange } from './turn.js'

/** What a driver needs of its process. */
export interface HsmsWorld {
  readonly clock: Clock
  readonly listeners: Listeners
  /** Gives 0 to 1: where the system bytes begin. */
  readonly random?: () => number
}

/** How many bytes may wait for a peer that does not read, before the connection is given up. */
const UNSENT_LIMIT = 32 * 1024 * 1024

/** How long a connection that we end may take to hand over its last bytes, in milliseconds. */
const LINGER = 500

/** Runs one `HsmsProtocol` on sockets and a clock. All it knows is how to carry out outputs. */
export class HsmsDriver {
  /** Heard at once, in the order of the changes. */
  readonly changed = new Signal<StateChange>()
  readonly attemptFailed = new Signal<AttemptFailed>()
  readonly received = new Signal<Received>()
  readonly #protocol: HsmsProtocol
  readonly #clock: Clock
  readonly #listeners: Listeners
  readonly #endings = new Map<number, Deferred<Outcome>>()
  readonly #outputs = new InOrder<HsmsOutput>((output) => this.#carryOut(output))
  readonly #wake: Wake
  #started: Deferred<void> | undefined
  #seat: Promise<Seat> | undefined
  /** Resolves when the seat before is given up. */
  #left: Promise<void> = Promise.resolve()
  #boundPort: number | undefined
  /** The connection, or the dial under way. */
  #socket: Socket | undefined
  /** What has to be over before the driver is. */
  readonly #closing = new Set<Promise<unknown>>()
  #paused = false

  constructor(
    readonly settings: HsmsSettings,
    { clock, listeners, random }: HsmsWorld,
  ) {
    this.#clock = clock
    this.#listeners = listeners
    this.#protocol = new HsmsProtocol(settings, random)
    this.#wake = new Wake(clock, () => this.#feed({ kind: 'tick' }))
  }

  get state(): ConnectionState {
    return this.#protocol.state
  }

  /** The clock's time of the next dial; undefined while none is waited for. */
  get retryAt(): number | undefined {
    return this.#protocol.retryAt
  }

  /** Passive: the port that is bound, also where it was asked for as 0. */
  get boundPort(): number | undefined {
    return this.#boundPort
  }

  /**
   * Goes on until `stop`. Active: resolves at once. Passive: once the port is bound; rejects with
   * `ListenError`, and is not started then. Started already, it gives the same promise.
   */
  start(): Promise<void> {
    if (this.#started) return this.#started.promise
    const started = deferred<void>()
    this.#started = started
    this.#feed({ kind: 'start' })
    return started.promise
  }

  /** Separate.req when selected. Open requests end as `lost`. Resolves when sockets and port are given back. */
  async stop(): Promise<void> {
    this.#feed({ kind: 'stop' })
    this.#started?.resolve()
    this.#started = undefined
    await Promise.resolve() // from within a listener, the close comes after its return
    await Promise.all(this.#closing)
  }

  /** System bytes for a primary of ours; undefined when `maxOpen` are reserved or wait for a reply. */
  reserve(): number | undefined {
    return this.#protocol.reserve()
  }

  /** Gives a reservation back unused. */
  release(systemBytes: number): void {
    this.#protocol.release(systemBytes)
  }

  /**
   * Sends a primary with W-bit and reserved system bytes; resolves with its outcome, never rejects. `t3` in
   * milliseconds shortens the timer. Throws when the system bytes were not reserved: a bug of the caller.
   */
  request(message: DataMessage, t3?: number): Promise<Outcome> {
    const ending = deferred<Outcome>()
    this.#feed({ kind: 'request', message, t3 }, () => this.#endings.set(message.systemBytes, ending))
    return ending.promise
  }

  /** Sends a secondary, or a primary without W-bit, whose reservation is used up. False when not selected. */
  send(message: DataMessage): boolean {
    return this.#feed({ kind: 'send', message }).some(({ kind }) => kind === 'write')
  }

  /** Ends an open request from above, as stream 9 does; one that is not open is left as it is. */
  end(systemBytes: number, outcome: Outcome): void {
    this.#feed({ kind: 'end', systemBytes, outcome })
  }

  /** Reads no more from the socket, now or of a later connection, until `resume`. */
  pause(): void {
    this.#paused = true
    this.#socket?.pause()
    this.#feed({ kind: 'pause' })
  }

  resume(): void {
    this.#paused = false
    this.#feed({ kind: 'resume' })
    this.#socket?.resume()
  }

  /** `taken` runs when the protocol has taken the input, before its outputs are carried out. */
  #feed(input: HsmsInput, taken?: () => void): readonly HsmsOutput[] {
    const outputs = this.#protocol.handle(input, this.#clock.now())
    taken?.()
    this.#outputs.add(outputs)
    this.#wake.set(this.#protocol.deadline)
    return outputs
  }

  #carryOut(output: HsmsOutput): void {
    switch (output.kind) {
      case 'dial':
        this.#dial()
        break
      case 'listen':
        this.#listen()
        break
      case 'unlisten':
        this.#unlisten()
        break
      case 'write':
        this.#write(output.bytes)
        break
      case 'close':
        this.#close()
        break
      case 'changed': {
        const { kind: _, ...change } = output
        this.changed.emit(change)
        break
      }
      case 'attempt_failed':
        this.attemptFailed.emit({ fault: output.fault, attempts: output.attempts })
        break
      case 'received':
        this.received.emit(output.received)
        break
      case 'ended':
        this.#endings.get(output.systemBytes)?.resolve(output.outcome)
        this.#endings.delete(output.systemBytes)
    }
  }

  #dial(): void {
    this.#started?.resolve()
    const { host, port } = this.settings
    const socket = connect({ host, port, noDelay: true })
    this.#socket = socket
    const fail = (error: Error): void => {
      if (socket !== this.#socket) return
      this.#socket = undefined
      this.#feed({ kind: 'failed', fault: dialFault(error, host, port) })
    }
    socket.on('error', fail)
    socket.once('connect', () => {
      socket.off('error', fail)
      if (socket === this.#socket) this.#attach(socket)
      else socket.on('error', () => {}) // given up meanwhile
    })
  }

  #listen(): void {
    const { host, port, peer } = this.settings
    const place = { host, port, peer, take: (socket: Socket) => this.#take(socket) }
    const seat = this.#left.then(() => this.#listeners.join(place))
    this.#seat = seat
    seat.then(
      ({ port: bound }) => {
        if (seat !== this.#seat) return
        this.#boundPort = bound
        this.#feed({ kind: 'listening' })
        this.#started?.resolve()
      },
      (error: ListenError) => {
        if (seat !== this.#seat) return
        this.#seat = undefined
        const started = this.#started
        this.#started = undefined
        this.#feed({ kind: 'failed', fault: error.fault })
        started?.reject(error)
      },
    )
  }

  #unlisten(): void {
    const seat = this.#seat
    this.#seat = undefined
    this.#boundPort = undefined
    if (!seat) return
    this.#left = seat.then(
      ({ leave }) => leave(),
      () => {}, // never bound
    )
    this.#awaitEnd(this.#left)
  }

  #take(socket: Socket): boolean {
    if (this.#socket) return false
    this.#socket = socket
    this.#attach(socket)
    return true
  }

  /** Passes on what happens on a connection for as long as it is ours. */
  #attach(socket: Socket): void {
    const lost = (detail: string): void => {
      if (socket === this.#socket) this.#feed({ kind: 'disconnected', detail })
    }
    socket.on('error', ({ message }) => lost(message))
    socket.on('end', () => lost('the peer closed the connection'))
    socket.on('close', () => lost('the connection was closed'))
    if (this.#paused) socket.pause()
    socket.on('data', (bytes) => {
      if (socket === this.#socket) this.#feed({ kind: 'bytes', bytes })
    })
    this.#feed({ kind: 'connected' })
  }

  #write(bytes: Uint8Array): void {
    const socket = this.#socket
    if (!socket) return
    if (socket.writableCorked === 0) {
      // What one turn of the event loop says leaves as one.
      socket.cork()
      process.nextTick(() => socket.uncork())
    }
    socket.write(bytes)
    if (socket.writableLength <= Math.max(UNSENT_LIMIT, 2 * this.settings.maxMessageLength)) return
    socket.destroy()
    this.#feed({ kind: 'disconnected', detail: 'the peer does not read what it is sent' })
  }

  /** Lets the last bytes out, and does not wait for them for long. */
  #close(): void {
    const socket = this.#socket
    this.#socket = undefined
    if (!socket || socket.closed) return
    const closed = deferred<void>()
    socket.once('close', () => closed.resolve())
    this.#awaitEnd(closed.promise)
    if (socket.connecting || socket.destroyed) {
      socket.destroy()
      return
    }
    const cancel = this.#clock.at(this.#clock.now() + LINGER, () => socket.destroy())
    socket.once('close', cancel)
    socket.end()
    socket.resume() // what still comes is read and dropped: left unread, it would cut short what we send
  }

  #awaitEnd(end: Promise<unknown>): void {
    this.#closing.add(end)
    void end.then(() => this.#closing.delete(end))
  }
}
