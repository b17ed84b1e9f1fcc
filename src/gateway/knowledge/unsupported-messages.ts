import { ALARMS_BY_LIST } from '../../gem/host/host-startup.js'

/** How a question of the host ended, as the journal has it. */
export interface QuestionEnd {
  readonly outcome: string
  /** The stream 9 message that ended it. */
  readonly s9: string | null
}

/** Unrecognized stream, and function (SEMI E5). */
const UNKNOWN: readonly (string | null)[] = ['S9F3', 'S9F5']
/** With an empty array. */
const ALARMS = 'S5F5'
/** Messages that may be aborted although they are supported: the equipment has nothing to send, or not at this time. */
const PERHAPS_LATER: ReadonlySet<string> = new Set([ALARMS, ALARMS_BY_LIST, 'S5F7', 'S6F23'])
/** The question whose reply shows that the equipment is online. */
export const PRESENCE = 'S1F1'

/**
 * Questions of a host that an equipment does not support. An abort or a timeout counts as unsupported only if the
 * equipment replies to S1F1 after it: otherwise it was offline, or did not reply at all.
 */
export class UnsupportedMessages {
  readonly #refused = new Set<string>()
  /** Questions that were aborted or timed out, with the sequence number of that entry. */
  readonly #unclear = new Map<string, number>()
  /** S5F5 with an empty array got no reply, and an empty list has not been tried since. */
  #arrayGotNoReply = false

  get names(): readonly string[] {
    return [...this.#refused]
  }

  has(message: string): boolean {
    return this.#refused.has(message)
  }

  add(message: string): void {
    this.#refused.add(message)
  }

  /** The primary of entry `asked` ended with entry `seq`. */
  ended(message: string, asked: number, { outcome, s9 }: QuestionEnd, seq: number): void {
    if (message === PRESENCE) return this.#presence(asked, outcome === 'replied')
    if (message === ALARMS && outcome !== 'replied' && outcome !== 'lost') this.#arrayGotNoReply = true
    if (outcome === 'replied') this.replied(message)
    else if (UNKNOWN.includes(s9)) this.add(message)
    else if (outcome === 'timed_out' || (outcome === 'aborted' && !PERHAPS_LATER.has(message)))
      this.#unclear.set(message, seq)
  }

  replied(message: string): void {
    this.#refused.delete(message)
    this.#unclear.delete(message)
    // It has alarms to list, so it is the form that it did not take before.
    if (message === ALARMS_BY_LIST && this.#arrayGotNoReply) this.add(ALARMS)
    if (message === ALARMS || message === ALARMS_BY_LIST) this.#arrayGotNoReply = false
  }

  /** Communication was established again: earlier aborts and timeouts no longer count. */
  begin(): void {
    this.#unclear.clear()
    this.#arrayGotNoReply = false
  }

  /** The equipment has other software. */
  clear(): void {
    this.#refused.clear()
  }

  #presence(asked: number, isOnline: boolean): void {
    for (const [message, at] of this.#unclear) if (isOnline && asked > at) this.add(message)
    this.#unclear.clear()
  }
}
