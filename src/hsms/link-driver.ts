import type { Clock } from '../kit/clock.js'
import { type Deferred, deferred } from '../kit/deferred.js'
import { Signal } from '../kit/signal.js'
import type { Endpoints, WireRecord } from './capture/wire.js'
import type { ConnectionState } from './connection-states.js'
import type { Counters, HsmsCounts } from './counters/counters.js'
import type { AttemptFailed, HsmsInput, HsmsOutput, Received, StateChange } from './io.js'
import type { LinkProtocol } from './link-protocol.js'
import type { DataMessage, PrimaryName } from './message.js'
import type { Outcome } from './outcome.js'
import { SerialQueue } from './serial-queue.js'
import { type LinkSettings, unsentLimit } from './settings.js'
import { dialFault } from './tcp/dial-fault.js'
import type { Listeners, Place } from './tcp/listener.js'
import { PortBinding } from './tcp/port-binding.js'
import { SocketReading } from './tcp/socket-reading.js'
import { type ByteConnection, TcpConnection, type TcpConnectionEvents } from './tcp/tcp-connection.js'
import { Timer } from './timers/timer.js'

/** The parts of the process that a driver uses. */
export interface LinkWorld {
  readonly clock: Clock
  readonly listeners: Listeners
  /** Gives 0 to 1: where the system bytes begin, then how much is added to each T5. */
  readonly random?: () => number
  /** Counts are added to these; left out, the driver begins with zero. */
  readonly counters?: Counters
  /** Active: begins a connection that is not TCP; left out, TCP is dialled. */
  readonly dial?: (events: TcpConnectionEvents) => ByteConnection
  /** Changes a frame before it leaves, for a peer that breaks rules on purpose; undefined: it does not leave. */
  readonly outgoing?: (frame: Uint8Array) => Uint8Array | undefined
  /** Passes on what came, changed or later; what is late when its connection has ended is lost. */
  readonly incoming?: (bytes: Uint8Array, pass: (bytes: Uint8Array) => void) => void
}

/**
 * An open request of ours. A `Map` that has lived for long keeps what was deleted of it until the next full garbage
 * collection: with `ended` that would be all that its caller waits with, such as the HTTP request and its response.
 */
interface Awaited {
  ended: ((outcome: Outcome) => void) | undefined
}

/** Runs one `LinkProtocol` on sockets and a clock: it carries out the outputs, and decides nothing. */
export class LinkDriver {
  /** Emitted at once, in the order of the changes. */
  readonly changed = new Signal<StateChange>()
  readonly attemptFailed = new Signal<AttemptFailed>()
  readonly received = new Signal<Received>()
  /** Bytes of long messages that have arrived in part, whenever they change. */
  readonly arriving = new Signal<number>()
  /** The frames that pass, while there is a listener. Costs nothing without one. */
  readonly wire = new Signal<WireRecord>((on) => this.#feed({ kind: 'watch', on }))
  readonly #protocol: LinkProtocol
  readonly #clock: Clock
  readonly #binding: PortBinding
  readonly #awaited = new Map<number, Awaited>()
  readonly #outputs = new SerialQueue<HsmsOutput>((output) => this.#carryOut(output))
  readonly #timer: Timer
  readonly #reading: SocketReading
  #started: Deferred<void> | undefined
  /** The connection, or the dial under way. */
  #connection: ByteConnection | undefined
  #endpoints: Endpoints | undefined
  /** What `stop` waits for. */
  readonly #closing = new Set<Promise<unknown>>()
  readonly #events: TcpConnectionEvents = {
    opened: () => this.#connection && this.#opened(this.#connection),
    failed: (error) => {
      this.#connection = undefined
      const own = { code: 'no_route', detail: error.message } as const
      const { host, port } = this.settings
      this.#feed({ kind: 'failed', fault: this.world.dial ? own : dialFault(error, host, port) })
    },
    bytes: (bytes) => {
      const [connection, { incoming }] = [this.#connection, this.world]
      if (!incoming) return this.#reading.bytes(bytes)
      incoming(bytes, (left) => connection === this.#connection && this.#reading.bytes(left))
    },
    backlog: (isFull) => this.#reading.backlog(isFull),
    lost: (detail) => {
      this.#reading.finish()
      this.#feed({ kind: 'disconnected', detail })
    },
  }

  constructor(
    readonly settings: LinkSettings,
    protocol: LinkProtocol,
    readonly world: LinkWorld,
  ) {
    const { clock, listeners } = world
    this.#clock = clock
    this.#binding = new PortBinding(listeners)
    this.#protocol = protocol
    this.#timer = new Timer(clock, () => this.#feed({ kind: 'tick' }))
    this.#reading = new SocketReading(clock, (input) => this.#feed(input))
  }

  get state(): ConnectionState {
    return this.#protocol.state
  }

  /** What passed and what went wrong so far. */
  get counts(): HsmsCounts {
    return this.#protocol.counts
  }

  /** The two ends of the connection, while there is one. */
  get endpoints(): Endpoints | undefined {
    return this.#endpoints
  }

  /** The clock's time of the next dial; undefined while none is waited for. */
  get retryAt(): number | undefined {
    return this.#protocol.retryAt
  }

  /** Passive: the port that is bound, also where it was asked for as 0. */
  get boundPort(): number | undefined {
    return this.#binding.port
  }

  /**
   * Runs until `stop`. Active: resolves at once. Passive: once the port is bound; rejects with
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
    this.#timer.cancel()
    this.#started?.resolve()
    this.#started = undefined
    await Promise.resolve() // from within a listener, the close comes after its return
    await Promise.all(this.#closing)
  }

  /** System bytes for a primary of ours; undefined when `maxOpen` are reserved or wait for a reply. */
  reserve(): number | undefined {
    return this.#protocol.reserve()
  }

  /** Bytes that the system has not taken from us. */
  get unsent(): number {
    return this.#connection?.unsent ?? 0
  }

  /** Gives a reservation back unused. */
  release(systemBytes: number): void {
    this.#protocol.release(systemBytes)
  }

  /**
   * Sends a primary with W-bit and reserved system bytes; resolves with its outcome, never rejects. `t3` in
   * milliseconds shortens the timer. `ended` is called in one order with what is received, which a
   * promise is not. Throws when the system bytes were not reserved: a bug of the caller.
   */
  request(message: DataMessage, t3?: number, ended?: (outcome: Outcome) => void): Promise<Outcome> {
    const ending = deferred<Outcome>()
    const outputs = this.#handle({ kind: 'request', message, t3 })
    // Before the outputs, one of which may end it.
    this.#awaited.set(message.systemBytes, {
      ended: (outcome) => {
        ended?.(outcome)
        ending.resolve(outcome)
      },
    })
    this.#carryAllOut(outputs)
    return ending.promise
  }

  /** Sends a secondary, or a primary without W-bit, whose reservation is used up. False when not selected. */
  send(message: DataMessage): boolean {
    const { state } = this
    this.#feed({ kind: 'send', message })
    return state === 'SELECTED'
  }

  /** Ends an open request with an outcome that the caller knows, such as by stream 9; nothing happens unless it is open. */
  end(primary: PrimaryName, outcome: Outcome): void {
    this.#feed({ kind: 'end', primary, outcome })
  }

  /** Writes bytes as they are, which need be no frame; false when there is no connection. */
  inject(bytes: Uint8Array): boolean {
    this.#connection?.write(bytes)
    return this.#connection !== undefined
  }

  /** Closes the TCP connection without Separate.req, as when a cable is cut; false when there is none. */
  cut(): boolean {
    this.#connection?.destroy()
    return this.#connection !== undefined
  }

  /** Reads no more from the socket, now or of a later connection, until `resume`. */
  pause(): void {
    this.#reading.pause()
  }

  resume(): void {
    this.#reading.resume()
  }

  #feed(input: HsmsInput): void {
    this.#carryAllOut(this.#handle(input))
  }

  #handle(input: HsmsInput): readonly HsmsOutput[] {
    return this.#protocol.handle(input, this.#clock.now())
  }

  #carryAllOut(outputs: readonly HsmsOutput[]): void {
    this.#outputs.add(outputs)
    this.#timer.set(this.#protocol.deadline)
  }

  #carryOut(output: HsmsOutput): void {
    switch (output.kind) {
      case 'dial':
        return this.#dial()
      case 'listen':
        return this.#listen()
      case 'unlisten':
        return this.#awaitEnd(this.#binding.leave())
      case 'write':
        return this.#write(output)
      case 'unread':
        return this.#reading.keep(output.bytes)
      case 'close':
        return this.#close()
      case 'changed': {
        const { kind: _, ...change } = output
        this.changed.emit(change)
        break
      }
      case 'attempt_failed':
        return this.attemptFailed.emit({ fault: output.fault, attempts: output.attempts })
      case 'received':
        return this.received.emit(output.received)
      case 'arriving':
        return this.arriving.emit(output.bytes)
      case 'passed':
        return this.wire.emit(output.record)
      case 'ended':
        this.#ended(output.systemBytes, output.outcome)
    }
  }

  #ended(systemBytes: number, outcome: Outcome): void {
    const awaited = this.#awaited.get(systemBytes)
    this.#awaited.delete(systemBytes)
    const ended = awaited?.ended
    if (awaited) awaited.ended = undefined
    ended?.(outcome)
  }

  #write({ bytes, body, isReply }: Extract<HsmsOutput, { kind: 'write' }>): void {
    const { outgoing } = this.world
    if (outgoing) {
      const left = outgoing(body ? Buffer.concat([bytes, body]) : bytes)
      if (left) this.#connection?.write(left, isReply)
      return
    }
    this.#connection?.write(bytes, isReply)
    if (body) this.#connection?.write(body, isReply)
  }

  #dial(): void {
    this.#started?.resolve()
    const { dial } = this.world
    const { host, port, localAddress } = this.settings
    this.#connection = dial
      ? dial(this.#events)
      : TcpConnection.dial(host, port, this.#events, unsentLimit(this.settings), localAddress)
    this.#reading.begin(this.#connection)
  }

  #listen(): void {
    const { host, port, peer } = this.settings
    const take: Place['take'] = (socket, { endpoints }) => {
      if (this.#connection) return false
      this.#connection = new TcpConnection(socket, this.#events, unsentLimit(this.settings), endpoints)
      this.#reading.begin(this.#connection)
      this.#opened(this.#connection)
      return true
    }
    const surplus = (): void => void this.#feed({ kind: 'surplus' })
    this.#binding.take(
      { host, port, peer, take, surplus },
      () => {
        this.#feed({ kind: 'listening' })
        this.#started?.resolve()
      },
      (error) => {
        const started = this.#started
        this.#started = undefined
        this.#feed({ kind: 'failed', fault: error.fault })
        started?.reject(error)
      },
    )
  }

  #opened(connection: ByteConnection): void {
    this.#endpoints = connection.endpoints
    this.wire.emit({ kind: 'opened', ...this.#endpoints })
    this.#feed({ kind: 'connected' })
  }

  #close(): void {
    const connection = this.#connection
    this.#connection = undefined
    this.#endpoints = undefined
    this.#reading.end()
    if (connection) this.#awaitEnd(connection.close(this.#clock))
  }

  #awaitEnd(end: Promise<unknown>): void {
    this.#closing.add(end)
    void end.then(() => this.#closing.delete(end))
  }
}
