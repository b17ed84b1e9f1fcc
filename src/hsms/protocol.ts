import { nextState } from '../kit/state-table.js'
import { CONNECTION_STATES, type ConnectionState, type ConnectionTrigger } from './connection-states.js'
import { controlFrame } from './control.js'
import { Deadlines, HearingTime } from './deadlines.js'
import type { Fault } from './fault.js'
import { encodeFrame } from './frame.js'
import { dataHeader } from './header.js'
import { Link, type LinkOwner, type LinkTimer } from './link.js'
import { type DataMessage, isPrimary } from './message.js'
import type { Outcome } from './outcome.js'
import { CONNECT_TIMEOUT, type HsmsSettings } from './settings.js'
import { Transactions } from './transactions.js'
import type { HsmsInput, HsmsOutput } from './turn.js'

type Timer = 'dial' | 't5' | 't3' | LinkTimer

/**
 * HSMS-SS (SEMI E37, E37.1) without sockets, timers or promises: inputs and the time go in, outputs come
 * out, and the same inputs at the same times always give the same outputs. The driver connects it to the
 * world.
 */
export class HsmsProtocol {
  #state: ConnectionState = 'NOT_CONNECTED'
  #wanted = false
  /** There as long as a TCP connection is. */
  #link: Link | undefined
  /** `dial`: how long the dial under way may take. `t5`: when the next one begins. Never both. */
  readonly #attempt = new Deadlines<'dial' | 't5'>()
  /** Dials that failed since the entity was started or last connected. */
  #attempts = 0
  readonly #transactions: Transactions
  /** T3 and the link's timers wait for the peer, and run in this time. */
  readonly #hearing = new HearingTime()
  readonly #owner: LinkOwner
  #now = 0
  #out: HsmsOutput[] = []

  /** `random` gives 0 to 1: where the system bytes begin. */
  constructor(
    readonly settings: HsmsSettings,
    random: () => number = Math.random,
  ) {
    this.#transactions = new Transactions(settings.maxOpen, random())
    this.#owner = this.#ownerOfLinks()
  }

  get state(): ConnectionState {
    return this.#state
  }

  /** When the next dial is due; undefined while none is waited for. */
  get retryAt(): number | undefined {
    return this.#attempt.at('t5')
  }

  /** When `tick` is wanted next; undefined when nothing is waited for. */
  get deadline(): number | undefined {
    return this.#due()?.at
  }

  /** System bytes for a primary of ours; undefined when `maxOpen` are reserved or wait for a reply. */
  reserve(): number | undefined {
    return this.#transactions.reserve()
  }

  /** Gives a reservation back unused. */
  release(systemBytes: number): void {
    this.#transactions.release(systemBytes)
  }

  /** `now` in milliseconds, never falling. Throws only for a request whose system bytes were not reserved. */
  handle(input: HsmsInput, now: number): readonly HsmsOutput[] {
    this.#out = []
    this.#now = now
    this.#take(input)
    return this.#out
  }

  #take(input: HsmsInput): void {
    switch (input.kind) {
      case 'start':
        this.#start()
        break
      case 'stop':
        this.#stop()
        break
      case 'listening':
        if (this.#wanted && this.#state === 'NOT_CONNECTED') this.#move('listen', 'connect requested')
        break
      case 'connected':
        this.#connected()
        break
      case 'failed':
        this.#failed(input.fault)
        break
      case 'disconnected':
        if (this.#link) this.#drop({ code: 'connection_lost', detail: input.detail })
        break
      case 'bytes':
        this.#link?.bytes(input.bytes, this.#hearing.at(this.#now))
        break
      case 'request':
        this.#request(input.message, input.t3)
        break
      case 'send':
        this.#send(input.message)
        break
      case 'end':
        this.#end(input.systemBytes, input.outcome)
        break
      case 'pause':
        this.#hearing.stop(this.#now)
        break
      case 'resume':
        this.#hearing.resume(this.#now)
        break
      case 'tick':
        for (let due = this.#due(); due && due.at <= this.#now; due = this.#due()) this.#expire(due.name)
    }
  }

  #start(): void {
    if (this.#wanted) return
    this.#wanted = true
    this.#attempts = 0
    if (this.settings.role === 'passive') {
      this.#emit({ kind: 'listen' })
      return
    }
    this.#move('dial', 'connect requested')
    this.#dial()
  }

  #dial(): void {
    this.#attempt.set('dial', this.#now + CONNECT_TIMEOUT)
    this.#emit({ kind: 'dial' })
  }

  #stop(): void {
    if (!this.#wanted) return
    this.#wanted = false
    if (this.#state === 'SELECTED') this.#separate()
    if (this.#link || this.#attempt.at('dial') !== undefined) this.#emit({ kind: 'close' })
    if (this.settings.role === 'passive') this.#emit({ kind: 'unlisten' })
    this.#attempt.clear('dial', 't5')
    this.#forgetLink()
    if (this.#state !== 'NOT_CONNECTED') this.#move('stop', 'disconnect requested')
  }

  #separate(): void {
    const { controlSessionId: sessionId } = this.settings
    const systemBytes = this.#transactions.systemBytes()
    this.#emit({ kind: 'write', bytes: controlFrame('separateReq', { sessionId, systemBytes }) })
  }

  #connected(): void {
    if (this.#link) return
    const awaited = this.#attempt.at('dial') !== undefined || this.#state === 'LISTENING'
    if (!awaited) {
      this.#emit({ kind: 'close' })
      return
    }
    this.#attempt.clear('dial')
    this.#attempts = 0
    this.#link = new Link(this.#owner)
    this.#move('connected', 'TCP connected')
    this.#link.open(this.#hearing.at(this.#now))
  }

  /** A dial failed, or the port could not be bound: then the entity is no longer wanted. */
  #failed(fault: Fault): void {
    if (this.#state === 'NOT_CONNECTED') this.#wanted = false
    if (this.#attempt.at('dial') === undefined) return
    this.#attempt.clear('dial')
    this.#waitToDial()
    this.#attempts += 1
    this.#emit({ kind: 'attempt_failed', fault, attempts: this.#attempts })
  }

  #waitToDial(): void {
    this.#attempt.set('t5', this.#now + this.settings.timers.t5)
  }

  /** A fault that only a new connection can mend. */
  #drop(fault: Fault): void {
    this.#emit({ kind: 'close' })
    this.#forgetLink()
    const active = this.settings.role === 'active'
    if (active) this.#waitToDial()
    this.#move(active ? 'dial' : 'listen', fault.code, fault)
  }

  #forgetLink(): void {
    this.#link = undefined
    for (const systemBytes of this.#transactions.open) this.#end(systemBytes, { kind: 'lost' })
  }

  #request(message: DataMessage, t3 = this.settings.timers.t3): void {
    const { systemBytes } = message
    if (!this.#transactions.release(systemBytes))
      throw new Error(`system bytes ${systemBytes} are not reserved`)
    if (this.#state !== 'SELECTED') {
      this.#emit({ kind: 'ended', systemBytes, outcome: { kind: 'lost' } })
      return
    }
    const wait = Math.min(t3, this.settings.timers.t3)
    this.#transactions.begin(message, this.#hearing.at(this.#now) + wait)
    this.#write(message)
  }

  #send(message: DataMessage): void {
    if (isPrimary(message)) this.#transactions.release(message.systemBytes)
    if (this.#state === 'SELECTED') this.#write(message)
  }

  #end(systemBytes: number, outcome: Outcome): void {
    if (this.#transactions.end(systemBytes)) this.#emit({ kind: 'ended', systemBytes, outcome })
  }

  /** The deadline that comes first, in the clock's time. */
  #due(): { readonly name: Timer; readonly at: number } | undefined {
    const own = this.#attempt.earliest
    if (own) return own // while dialling or waiting to dial there is no link, and nothing open
    const t3 = this.#transactions.earliest
    const link = this.#link?.earliest
    const first = t3 && !(link && link.at < t3.at) ? { name: 't3' as const, at: t3.at } : link
    const at = first && this.#hearing.onClock(first.at)
    return first && at !== undefined ? { name: first.name, at } : undefined
  }

  #expire(timer: Timer): void {
    switch (timer) {
      case 'dial': {
        this.#emit({ kind: 'close' })
        const detail = `${this.settings.host}:${this.settings.port} did not answer within ${CONNECT_TIMEOUT / 1000} s`
        this.#failed({ code: 'connect_timeout', detail })
        return
      }
      case 't5':
        this.#attempt.clear('t5')
        this.#dial()
        break
      case 't3': {
        const expired = this.#transactions.earliest
        if (expired) this.#end(expired.systemBytes, { kind: 'timed_out' })
        break
      }
      default:
        this.#link?.expire(timer, this.#hearing.at(this.#now))
    }
  }

  #write(message: DataMessage): void {
    this.#emit({ kind: 'write', bytes: encodeFrame({ header: dataHeader(message), body: message.body }) })
  }

  #emit(output: HsmsOutput): void {
    this.#out.push(output)
  }

  #move(trigger: ConnectionTrigger, cause: string, fault?: Fault): void {
    const from = this.#state
    const to = nextState(CONNECTION_STATES, from, trigger)
    if (!to) throw new Error(`HSMS cannot ${trigger} while ${from}`) // a bug here, never the peer's doing
    this.#state = to
    this.#emit({ kind: 'changed', from, to, cause, ...(fault && { fault }) })
  }

  #ownerOfLinks(): LinkOwner {
    const state = (): ConnectionState => this.#state
    return {
      settings: this.settings,
      transactions: this.#transactions,
      get state() {
        return state()
      },
      emit: (output) => this.#emit(output),
      move: (trigger, cause) => this.#move(trigger, cause),
      drop: (fault) => this.#drop(fault),
      end: (systemBytes, outcome) => this.#end(systemBytes, outcome),
    }
  }
}
