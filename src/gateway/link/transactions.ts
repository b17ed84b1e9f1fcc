import { Problem } from '../../contract/errors.js'
import type { Exchange, SecsMessage } from '../../gem/conversation.js'
import { HEADER_LENGTH } from '../../hsms/frame/header.js'
import type { LinkDriver } from '../../hsms/link-driver.js'
import type { DataMessage } from '../../hsms/message.js'
import type { Outcome } from '../../hsms/outcome.js'
import { unsentLimit } from '../../hsms/settings.js'
import type { Clock } from '../../kit/clock.js'
import { Signal } from '../../kit/signal.js'
import { roundedMs, Stopwatch } from '../../kit/stopwatch.js'
import { tracedBy } from '../../kit/text/traceparent.js'
import { instantText } from '../../kit/time-text.js'
import { type Entry, EntryNumber, type NewEntry } from '../../store/entry.js'
import { NotOwner, Unsettled } from '../../store/failure.js'
import type { Journal } from '../../store/journal.js'
import type { SentCall } from '../audit/sent-call.js'
import type { EquipmentHealth } from '../equipment/equipment-health.js'
import type { KeyedRequest } from '../idempotency/idempotency.js'
import type { Ending } from '../messages/message-view.js'
import type { Outcomes } from '../outcomes/outcomes.js'
import type { EquipmentRecord } from '../records/equipment-record.js'
import { MESSAGE_ENDED } from '../records/journal-kinds.js'
import { NOT_SENT_TOPIC } from '../records/message-topics.js'
import { messageOf, RecordedMessage } from '../records/recorded-message.js'
import { throwBug } from '../store-problem.js'
import type { Intake } from './intake.js'

/** A primary of ours that is ready for the wire. */
export interface Outgoing extends SecsMessage {
  readonly wait: boolean
  /** What `item` is on the wire. */
  readonly body: Uint8Array
  /** Milliseconds; shortens T3. */
  readonly t3?: number | undefined
  /** The request with an idempotency key that it is sent for. Left out for a question, which a repeat may send again. */
  readonly request?: KeyedRequest | undefined
  /** Email of the user whose call sends it. */
  readonly sentBy?: string | undefined
  /** The trace context of that call, if it has one. */
  readonly traceparent?: string | undefined
  /** The call that sends it, where it is recorded together with the message. */
  readonly call?: SentCall | undefined
}

/** A primary of ours from its entry in the journal to its end. */
export interface Transaction {
  readonly sent: Entry
  /** Resolves when the end is on disk, too; for a primary without W-bit, at once. */
  readonly ended: Promise<Ended>
}

export interface Ended {
  readonly ending: Ending
  /** False when the link was lost before the first byte was sent. */
  readonly left: boolean
  readonly reply: Entry | undefined
  readonly outcome: Outcome | undefined
}

/** The outcome of a primary as it is recorded. */
const OUTCOME_WORDS = {
  replied: 'replied',
  aborted: 'aborted',
  error: 'error',
  timed_out: 'timed_out',
  rejected: 'rejected',
  lost: 'lost',
  not_sent: 'not_sent',
} as const satisfies Record<(Outcome | NotSent)['kind'], Ending['outcome']>

const LOST: Outcome = { kind: 'lost' }
/** How a primary ended that never left. */
export type NotSent = { readonly kind: 'not_sent' }
const NOT_SENT: NotSent = { kind: 'not_sent' }
const NOT_EXPECTED: Ended = {
  ending: { outcome: 'not_expected' },
  left: true,
  reply: undefined,
  outcome: undefined,
}

/** The reply could not be recorded: for its caller it did not come. */
const UNRECORDED: Ended = { ending: { outcome: 'lost' }, left: true, reply: undefined, outcome: LOST }

/** What is needed of the link to the equipment. */
export type TransactionDriver = Pick<
  LinkDriver,
  'settings' | 'changed' | 'state' | 'unsent' | 'reserve' | 'release' | 'send'
> & {
  /** As a link's own, which does not know what has left. */
  request(message: DataMessage, t3?: number, ended?: (outcome: Outcome | NotSent) => void): unknown
  /** The system bytes of an open primary on the equipment's side of a tap, where they are others. */
  readonly equipmentBytesOf?: (systemBytes: number) => number | undefined
}

export interface TransactionWorld {
  readonly journal: Journal
  readonly outcomes: Outcomes
  readonly clock: Clock
}

/** Sends primaries of ours over one driver: each is on disk before its first byte is sent, and its end is recorded, too. */
export class Transactions {
  /** Each reply to a primary of ours, in one order with what is received. */
  readonly replied = new Signal<RecordedMessage>()
  /** Bytes of bodies that are being recorded, and leave afterwards. */
  #unwritten = 0
  /** Rises with each connection: a message for one connection is never sent over the next. */
  #connection = 0
  readonly #stopwatch: Stopwatch

  constructor(
    readonly equipment: Pick<EquipmentRecord, 'id' | 'device_id'>,
    readonly driver: TransactionDriver,
    readonly health: EquipmentHealth,
    readonly intake: Pick<Intake, 'hold' | 'release'>,
    readonly world: TransactionWorld,
  ) {
    this.#stopwatch = new Stopwatch(world.clock)
    driver.changed.on(({ to }) => {
      if (to === 'SELECTED') this.#connection += 1
    })
  }

  /**
   * Throws `equipment_busy` when too many are open, or too many bytes have not left yet. If the link is lost while the
   * message is recorded, or the store takes so long that the caller does not wait, it is not sent, and ends as `not_sent`.
   */
  async begin(outgoing: Outgoing): Promise<Transaction> {
    const longest = this.driver.settings.maxMessageLength - HEADER_LENGTH
    if (outgoing.body.length > longest)
      throw new Problem('invalid_message', `A body has at most ${longest} bytes on this link.`)
    const connection = this.#connection
    const { length } = outgoing.body
    const systemBytes = this.#hasRoom(length) ? this.driver.reserve() : undefined
    if (systemBytes === undefined) {
      throw new Problem(
        'equipment_busy',
        'Too many transactions are open with this equipment, or too many bytes are on their way to it. Try again when some have ended.',
      )
    }
    const { stream, function: fn, wait, body, item, sentBy, traceparent } = outgoing
    const message = new RecordedMessage(
      { direction: 'sent', equipmentId: this.equipment.id, sentBy, traceparent },
      { stream, function: fn, wait, body, sessionId: this.equipment.device_id, systemBytes },
      { item },
    )
    let sent: Entry
    this.#unwritten += length
    try {
      sent = await this.#record(message, outgoing)
    } catch (error) {
      this.driver.release(systemBytes)
      outgoing.request?.notSent()
      const settled = recordedLater(error)
      if (settled) this.#endUnsent(settled, outgoing)
      throw error
    } finally {
      this.#unwritten -= length
    }
    if (connection !== this.#connection || this.driver.state !== 'SELECTED') {
      this.driver.release(systemBytes)
      outgoing.request?.notSent()
      return { sent, ended: this.#end(sent, NOT_SENT, undefined, 0) }
    }
    if (outgoing.wait) return { sent, ended: this.#follow(sent, message, outgoing) }
    this.driver.send(message)
    return { sent, ended: Promise.resolve(NOT_EXPECTED) }
  }

  /** Half of what may wait before the link is given up is left for replies. A body for which nothing waits always has room. */
  #hasRoom(length: number): boolean {
    const waiting = this.#unwritten + this.driver.unsent
    return waiting === 0 || waiting + length <= unsentLimit(this.driver.settings) / 2
  }

  /** The caller has been told that the store does not take the message: where it is recorded later, it has an end, too. */
  #endUnsent(settled: Unsettled['settled'], { call }: Outgoing): void {
    const ended = settled.then((entries) => {
      const [sent] = entries ?? []
      return sent && this.#end(sent, NOT_SENT, undefined, 0)
    })
    ended.catch(throwBug) // the end is written later
    call?.settles(settled)
  }

  /** The message, and with it who has sent it, and for which request. */
  async #record(message: RecordedMessage, { call, request }: Outgoing): Promise<Entry> {
    const number = new EntryNumber()
    const [entry] = await this.world.journal.appendAll([
      Object.assign(message.entry(this.#at()), { number }),
      ...(call?.noting(number) ?? []),
      ...(request?.noting(number) ?? []),
    ])
    return entry as Entry
  }

  #follow(sent: Entry, message: RecordedMessage, { t3, request }: Outgoing): Promise<Ended> {
    const began = this.world.clock.now()
    const took = this.#stopwatch.start()
    return new Promise((resolve) => {
      // Recorded in the order of reception: a message after the reply on the wire gets a higher number.
      this.driver.request(message, t3, (outcome) => {
        const reply = 'reply' in outcome ? this.#replyTo(sent, outcome.reply) : undefined
        if (reply && outcome.kind === 'replied') this.replied.emit(reply)
        const latency = roundedMs(this.world.clock.now() - began)
        // A time in which this process stood still is not the equipment's.
        const equipmentTook = roundedMs(took())
        // A caller's timeout may be shorter than T3: it does not count against the equipment.
        if (outcome.kind === 'timed_out' && t3 === undefined) this.health.timedOut('t3')
        else if (outcome.kind === 'rejected') this.health.rejected()
        else if (outcome.kind === 'not_sent') request?.notSent()
        else if (reply) this.health.replied(equipmentTook)
        const ended = this.#end(sent, outcome, reply, latency)
        if (reply) {
          const release = (): void => this.intake.release(reply.length)
          this.intake.hold(reply.length)
          ended.then(release, release)
        }
        resolve(ended)
      })
    })
  }

  #replyTo(sent: Entry, reply: DataMessage): RecordedMessage {
    const { traceparent } = messageOf(sent)
    const { id: equipmentId } = this.equipment
    const equipmentSystemBytes = this.driver.equipmentBytesOf?.(reply.systemBytes)
    const origin = { equipmentId, replyTo: sent.seq, traceparent, equipmentSystemBytes }
    return new RecordedMessage({ direction: 'received', ...origin }, reply)
  }

  async #end(
    sent: Entry,
    outcome: Outcome | NotSent,
    reply: RecordedMessage | undefined,
    latency: number,
  ): Promise<Ended> {
    // A stream 9 message is a primary of the equipment, and recorded as that when it arrived.
    const s9 = reply?.stream === 9 && reply.isPrimary ? reply.topic : undefined
    const secondary = s9 === undefined ? reply : undefined
    const hasReply = secondary !== undefined
    const word = OUTCOME_WORDS[outcome.kind]
    const at = this.#at()
    const reply_id = new EntryNumber()
    const end: NewEntry = {
      type: MESSAGE_ENDED.type,
      name: MESSAGE_ENDED.name,
      key: this.equipment.id,
      at,
      data: {
        message_id: String(sent.seq),
        outcome: word,
        reply_id: null,
        latency_ms: hasReply ? latency : null,
        s9: s9 ?? null,
        ...tracedBy(messageOf(sent).traceparent),
      },
    }
    // Another process may have the equipment by now, and cannot know it.
    if (word === 'not_sent') Object.assign(end, { byAnyone: true, topic: NOT_SENT_TOPIC })
    const recorded = secondary
      ? [Object.assign(secondary.entry(at), { number: reply_id }), { numbers: { reply_id }, ...end }]
      : [end]
    let entries: readonly Entry[]
    try {
      entries = await this.world.journal.appendAll(recorded)
    } catch (error) {
      // Another process has recorded that the connection ended before the reply, or is about to.
      if (error instanceof NotOwner) return UNRECORDED
      const unreplied = word === 'not_sent' ? word : 'lost'
      const data = { ...end.data, outcome: unreplied, latency_ms: null }
      this.world.outcomes.endLater({ ...end, data }, error)
      throw error
    }
    const replyEntry = hasReply ? entries[0] : undefined
    return {
      ending: {
        outcome: word,
        ...(replyEntry && { reply_id: String(replyEntry.seq), latency_ms: latency }),
        ...(s9 !== undefined && { s9 }),
      },
      left: outcome.kind !== 'not_sent',
      reply: replyEntry,
      outcome: outcome.kind === 'not_sent' ? LOST : outcome,
    }
  }

  #at(): string {
    return instantText(this.world.clock.date().getTime())
  }
}

/** What a failed append may have recorded all the same. */
function recordedLater(error: unknown): Unsettled['settled'] | undefined {
  if (error instanceof Unsettled) return error.settled
  return error instanceof NotOwner && error.recorded ? Promise.resolve(error.recorded) : undefined
}

/**
 * The end of a primary of ours in GEM's terms: a reply that cannot be decoded is an error. A long reply is without its
 * items: what the host reads of replies by itself is short.
 */
export function exchangeOf({ outcome, reply }: Ended): Exchange {
  if (!outcome) return { kind: 'lost' }
  if (outcome.kind === 'rejected' || outcome.kind === 'timed_out' || outcome.kind === 'lost') return outcome
  if (outcome.kind !== 'replied' || !reply) return { kind: outcome.kind === 'aborted' ? 'aborted' : 'error' }
  const message = messageOf(reply)
  if (message.needsSteps) return { kind: 'replied', item: undefined }
  const { item, fault } = message.decoded
  return fault === undefined ? { kind: 'replied', item } : { kind: 'error', unreadable: true }
}
