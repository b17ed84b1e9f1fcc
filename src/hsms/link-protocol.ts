import type { Connection, ConnectionOwner } from './connection.js'
import { ConnectionStateMachine } from './connection-state-machine.js'
import type { ConnectionState } from './connection-states.js'
import { Counters, type HsmsCounts } from './counters/counters.js'
import type { Fault } from './fault.js'
import { FrameTap } from './frame/frame-tap.js'
import type { HsmsInput, HsmsOutput } from './io.js'
import { type DataMessage, isPrimary } from './message.js'
import type { LinkSettings } from './settings.js'
import { ReceiveClock } from './tcp/receive-clock.js'
import { CONNECT_TIMEOUT_MS, Dialling } from './tcp/t5-connect-separation.js'
import type { Deadline } from './timers/deadlines.js'
import { Transactions } from './transactions.js'

/** Messages of fewer bytes are not long: what many connections hold of them is little. */
export const LONG_MESSAGE_BYTES = 64 * 1024

/** The cause of state changes by `stop`. */
const STOPPED = 'disconnect requested'

/**
 * One entity without sockets, timers or promises: inputs and the time go in, outputs come out, and the same
 * inputs at the same times always give the same outputs. The driver connects it to sockets and a clock. What
 * passes on a connection is the business of the `Connection` that it is given.
 */
export class LinkProtocol {
  readonly #machine: ConnectionStateMachine
  #wanted = false
  /** Undefined while there is no TCP connection. */
  #connection: Connection | undefined
  readonly #dialling: Dialling
  readonly #transactions: Transactions
  /** T3 and the timers of the connection wait for the peer; they do not run while nothing is read. */
  readonly #receiveClock = new ReceiveClock()
  readonly #tap: FrameTap
  readonly #owner: ConnectionOwner
  /** Bytes of long messages that have arrived in part. */
  #arriving = 0
  #now = 0
  /** While an input is handled. Kept until the next one, the outputs of each message would get old. */
  #out: HsmsOutput[] | undefined

  /** `random` gives 0 to 1: where the system bytes begin, then how much is added to each T5. */
  constructor(
    readonly settings: LinkSettings,
    readonly connect: (owner: ConnectionOwner) => Connection,
    random: () => number = Math.random,
    counters = new Counters(),
  ) {
    const emit = (output: HsmsOutput): void => this.#emit(output)
    this.#machine = new ConnectionStateMachine(emit)
    this.#tap = new FrameTap(counters, emit)
    this.#transactions = new Transactions(settings.maxOpen, random(), counters, emit)
    this.#dialling = new Dialling(settings.timers.t5, random)
    this.#owner = {
      machine: this.#machine,
      transactions: this.#transactions,
      tap: this.#tap,
      emit,
      arriving: (bytes) => this.#holds(bytes),
      drop: (fault) => this.#drop(fault),
    }
  }

  get state(): ConnectionState {
    return this.#machine.state
  }

  /** When the next dial is due; undefined while none is waited for. */
  get retryAt(): number | undefined {
    return this.#dialling.retryAt
  }

  /** What passed and what went wrong so far. */
  get counts(): HsmsCounts {
    return this.#tap.counters.counts(this.#transactions.openCount)
  }

  /** When `tick` is wanted next; undefined when nothing is waited for. */
  get deadline(): number | undefined {
    const own = this.#dialling.earliest
    if (own) return own.at // while dialling or waiting to dial there is no connection, and no open transaction
    const awaited = this.#awaited
    return awaited && this.#receiveClock.onClock(awaited.at)
  }

  /** System bytes for a primary of ours; undefined when `maxOpen` are reserved or wait for a reply. */
  reserve(): number | undefined {
    return this.#connection?.isBusy ? undefined : this.#transactions.reserve()
  }

  /** Gives a reservation back unused. */
  release(systemBytes: number): void {
    this.#transactions.release(systemBytes)
  }

  /** `now` in milliseconds, never falling. Throws only for a request whose system bytes were not reserved. */
  handle(input: HsmsInput, now: number): readonly HsmsOutput[] {
    const outputs: HsmsOutput[] = []
    this.#out = outputs
    this.#now = now
    this.#take(input)
    this.#out = undefined
    return outputs
  }

  #take(input: HsmsInput): void {
    switch (input.kind) {
      case 'start':
        return this.#start()
      case 'stop':
        return this.#stop()
      case 'listening':
        if (this.#wanted && this.#machine.state === 'NOT_CONNECTED')
          this.#machine.move('listen', 'connect requested')
        break
      case 'connected':
        return this.#connected()
      case 'failed':
        return this.#failed(input.fault)
      case 'disconnected':
        if (this.#connection) this.#drop({ code: 'connection_lost', detail: input.detail })
        break
      case 'surplus':
        return this.#connection?.probe(this.#receiveClock.at(this.#now))
      case 'bytes':
        return this.#connection?.bytes(input.bytes, this.#receiveClock.at(this.#now), input.maxFrames)
      case 'request':
        return this.#request(input.message, input.t3)
      case 'send':
        return this.#send(input.message)
      case 'end':
        return this.#transactions.endPrimary(input.primary, input.outcome)
      case 'pause':
        return this.#receiveClock.stop(this.#now)
      case 'resume':
        return this.#receiveClock.resume(this.#now)
      case 'watch':
        this.#tap.watched = input.on
        break
      case 'tick':
        for (let at = this.deadline; at !== undefined && at <= this.#now; at = this.deadline) {
          const due = this.#dialling.earliest ?? this.#awaited
          if (due) this.#expire(due.name)
        }
    }
  }

  #start(): void {
    if (this.#wanted) return
    this.#wanted = true
    if (this.settings.role === 'passive') {
      this.#emit({ kind: 'listen' })
      return
    }
    this.#machine.move('dial', 'connect requested')
    this.#dial()
  }

  #dial(): void {
    this.#dialling.dial(this.#now)
    this.#emit({ kind: 'dial' })
  }

  #stop(): void {
    if (!this.#wanted) return
    this.#wanted = false
    this.#connection?.end()
    if (this.#connection || this.#dialling.underWay) this.#emit({ kind: 'close' })
    if (this.#connection) this.#tap.closed(STOPPED)
    if (this.settings.role === 'passive') this.#emit({ kind: 'unlisten' })
    this.#dialling.end()
    this.#forgetConnection()
    if (this.#machine.state !== 'NOT_CONNECTED') this.#machine.move('stop', STOPPED)
  }

  #connected(): void {
    if (this.#connection) return
    const awaited = this.#dialling.underWay || this.#machine.state === 'LISTENING'
    if (!awaited) {
      this.#emit({ kind: 'close' })
      this.#tap.closed('no entity waits for this connection')
      return
    }
    this.#dialling.end()
    this.#tap.counters.connected()
    this.#connection = this.connect(this.#owner)
    this.#machine.move('connected', 'TCP connected')
    this.#connection.open(this.#receiveClock.at(this.#now))
  }

  /** A dial failed, or the port could not be bound: then the entity is no longer wanted. */
  #failed(fault: Fault): void {
    if (this.#machine.state === 'NOT_CONNECTED') this.#wanted = false
    if (!this.#dialling.underWay) return
    this.#dialling.failed(this.#now)
    this.#tap.counters.attemptFailed()
    this.#emit({ kind: 'attempt_failed', fault, attempts: this.#dialling.failures })
  }

  /** A fault that only a new connection can mend. */
  #drop(fault: Fault): void {
    this.#emit({ kind: 'close' })
    this.#tap.counters.lost(fault.code)
    this.#tap.closed(fault.detail)
    this.#forgetConnection()
    const active = this.settings.role === 'active'
    if (active) this.#dialling.wait(this.#now)
    this.#machine.move(active ? 'dial' : 'listen', fault.code, fault)
  }

  #forgetConnection(): void {
    this.#connection = undefined
    this.#holds(0)
    this.#transactions.loseAll()
  }

  #holds(bytes: number): void {
    const long = bytes < LONG_MESSAGE_BYTES ? 0 : bytes
    if (long === this.#arriving) return
    this.#arriving = long
    this.#emit({ kind: 'arriving', bytes: long })
  }

  #request(message: DataMessage, t3 = this.settings.timers.t3): void {
    const { systemBytes } = message
    if (!this.#transactions.release(systemBytes))
      throw new Error(`system bytes ${systemBytes} are not reserved`)
    if (!this.#connection || this.#machine.state !== 'SELECTED') {
      this.#emit({ kind: 'ended', systemBytes, outcome: { kind: 'lost' } })
      return
    }
    const atMost = Math.min(t3, this.settings.timers.t3)
    this.#connection.request(message, atMost, this.#receiveClock.at(this.#now))
  }

  #send(message: DataMessage): void {
    if (isPrimary(message)) this.#transactions.release(message.systemBytes)
    if (this.#machine.state === 'SELECTED') this.#connection?.send(message, this.#receiveClock.at(this.#now))
  }

  /** The first timer that waits for the peer, on the receive clock. */
  get #awaited(): Deadline<string> | undefined {
    const t3 = this.#transactions.earliest
    const other = this.#connection?.earliest
    return t3 && !(other && other.at < t3.at) ? t3 : other
  }

  #expire(timer: string): void {
    switch (timer) {
      case 'dial': {
        this.#tap.counters.timeout('dial')
        this.#emit({ kind: 'close' })
        const detail = `${this.settings.host}:${this.settings.port} did not respond within ${CONNECT_TIMEOUT_MS / 1000} s`
        this.#failed({ code: 'connect_timeout', detail })
        break
      }
      case 't5':
        return this.#dial()
      case 't3':
        return this.#transactions.expire()
      default:
        this.#connection?.expire(timer, this.#receiveClock.at(this.#now))
    }
  }

  #emit(output: HsmsOutput): void {
    this.#out?.push(output)
  }
}
