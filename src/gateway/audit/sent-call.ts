import type { EntryNumber, NewEntry } from '../../store/entry.js'
import type { Unsettled } from '../../store/failure.js'
import { throwBug } from '../store-problem.js'
import type { AuditedEnd } from './audited-call.js'

interface Recording {
  /** The entry of the call, for the journal of the message. */
  entry(messageId: EntryNumber): NewEntry
  /** Records the end of the call that has sent this message; of one that has sent none, the call and its end. */
  ended(end: AuditedEnd, messageId: string | undefined): Promise<void>
}

/**
 * A call that changes nothing but by the one message that it sends: it is recorded in the batch of the message, so that
 * there is never one without the other.
 */
export class SentCall {
  #messageId: EntryNumber | undefined
  #settled: Unsettled['settled'] | undefined

  constructor(private readonly recording: Recording) {}

  /** To append together with the message; empty for all but the first message of the call. */
  noting(messageId: EntryNumber): readonly NewEntry[] {
    if (this.#messageId !== undefined) return []
    this.#messageId = messageId
    return [this.recording.entry(messageId)]
  }

  /** Nobody knows yet whether its message is recorded, and the call with it. */
  settles(settled: Unsettled['settled']): void {
    this.#settled = settled
  }

  /** Nobody waits for the end of a call whose message is recorded later, if at all. */
  async ended(end: AuditedEnd): Promise<void> {
    if (!this.#settled) return this.#ended(end)
    this.#settled.then(() => this.#ended(end)).catch(throwBug)
  }

  #ended(end: AuditedEnd): Promise<void> {
    // A message without a number was not recorded.
    const { seq } = this.#messageId ?? {}
    return this.recording.ended(end, seq === undefined ? undefined : String(seq))
  }
}
