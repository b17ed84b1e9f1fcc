import type { ConnectionState } from '../../contract/equipment.js'
import type { Frame } from '../../hsms/frame/frame.js'
import { dataMessage, type Header, PTYPE_SECS2, STYPE } from '../../hsms/frame/header.js'
import type { StateChange } from '../../hsms/io.js'
import type { DataMessage } from '../../hsms/message.js'
import type { Outcome } from '../../hsms/outcome.js'
import type { LinkSettings } from '../../hsms/settings.js'
import { endOf } from '../../hsms/transactions.js'
import type { Cancel, Clock } from '../../kit/clock.js'
import { deferred } from '../../kit/deferred.js'
import { keepNewest } from '../../kit/keep-newest.js'
import { Signal } from '../../kit/signal.js'
import type { TapLink } from '../../tap/observation.js'
import type { NotSent, TransactionDriver } from '../link/transactions.js'

interface Asked {
  readonly message: DataMessage
  readonly end: (outcome: Outcome | NotSent) => void
  readonly cancelT3: Cancel
}

/** System bytes have 32 bits. Hosts count from 1, or from anywhere: these are seldom those of the host. */
const NUMBERS = 0x1_0000_0000
const FIRST = 0x8000_0000
/** Primaries whose system bytes on the line are remembered for a late reply. */
const MAX_MAPPED = 1000

/**
 * The gateway's own primaries to tapped equipment. Their system bytes are those on the line, unless the host has them in
 * use there: then the tap chooses others.
 */
export class TapRequests implements TransactionDriver {
  readonly changed = new Signal<StateChange>()
  readonly #asked = new Map<number, Asked>()
  /** Those whose system bytes on the line are others: by those, their own. */
  readonly #mapped = new Map<number, number>()
  #last = FIRST
  /** One message of ours is under way at a time. */
  readonly unsent = 0
  link: Pick<TapLink, 'ask' | 'giveUp'> | undefined

  constructor(
    readonly settings: LinkSettings,
    private readonly clock: Clock,
    private readonly stateNow: () => ConnectionState,
  ) {}

  get state(): ConnectionState {
    return this.stateNow()
  }

  reserve(): number {
    this.#last = (this.#last + 1) % NUMBERS
    return this.#last
  }

  release(): void {}

  send({ systemBytes, sessionId, stream, function: fn, wait, body }: DataMessage): boolean {
    this.link?.ask(systemBytes, { sessionId, stream, function: fn, wait, body })
    return this.link !== undefined
  }

  /** It has left with these system bytes. */
  sent(request: number, onLine: number): void {
    this.#mapped.delete(onLine)
    if (onLine !== request) this.#mapped.set(onLine, request)
    keepNewest(this.#mapped, MAX_MAPPED)
  }

  /** What the equipment sent about one of them, with the system bytes under which that is recorded. */
  asRecorded(onLine: DataMessage): { readonly message: DataMessage; readonly mapped: number | undefined } {
    const own = this.#mapped.get(onLine.systemBytes)
    return own === undefined
      ? { message: onLine, mapped: undefined }
      : { message: { ...onLine, systemBytes: own }, mapped: onLine.systemBytes }
  }

  equipmentBytesOf(systemBytes: number): number | undefined {
    for (const [onLine, own] of this.#mapped) if (own === systemBytes) return onLine
    return undefined
  }

  request(
    message: DataMessage,
    t3 = this.settings.timers.t3,
    ended: (outcome: Outcome | NotSent) => void = () => {},
  ): Promise<Outcome | NotSent> {
    const { promise, resolve } = deferred<Outcome | NotSent>()
    const number = message.systemBytes
    const end = (outcome: Outcome | NotSent): void => {
      this.#asked.get(number)?.cancelT3()
      this.#asked.delete(number)
      ended(outcome)
      resolve(outcome)
    }
    const cancelT3 = this.clock.at(this.clock.now() + Math.min(t3, this.settings.timers.t3), () => {
      this.link?.giveUp(number)
      // It may have told that it was not sent.
      if (this.#asked.has(number)) end({ kind: 'timed_out' })
    })
    this.#asked.set(number, { message, end, cancelT3 })
    if (!this.send(message)) end({ kind: 'not_sent' })
    return promise
  }

  /** What the equipment sent about one of them; nothing happens where it was given up. */
  replied(request: number, { header, body }: Frame): void {
    const asked = this.#asked.get(request)
    if (!asked) return
    asked.end(this.#outcomeOf(asked.message, header, body))
  }

  isOpen(request: number): boolean {
    return this.#asked.has(request)
  }

  /** Those that wait for a reply. */
  get count(): number {
    return this.#asked.size
  }

  notSent(request: number): void {
    this.#asked.get(request)?.end({ kind: 'not_sent' })
  }

  /** Replies are not seen any more. What has not left yet does not leave. */
  giveUpAll(): void {
    for (const number of [...this.#asked.keys()]) this.link?.giveUp(number)
    this.loseAll()
  }

  /** No reply can come any more. */
  loseAll(): void {
    for (const { end } of [...this.#asked.values()]) end({ kind: 'lost' })
    this.#mapped.clear()
  }

  #outcomeOf(primary: DataMessage, header: Header, body: Uint8Array): Outcome {
    if (header.pType !== PTYPE_SECS2 || header.sType !== STYPE.data)
      return { kind: 'rejected', reason: header.byte3 }
    const { message: reply } = this.asRecorded(dataMessage(header, body))
    return { kind: endOf(reply, primary), reply }
  }
}
