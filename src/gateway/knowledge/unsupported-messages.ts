import { ALARMS_BY_LIST } from '../../gem/host/host-startup.js'

/** How a question of the host ended, as the journal has it. */
export interface QuestionEnd {
  readonly outcome: string
  /** The stream 9 message that ended it. */
  readonly s9: string | null
}

/** Unrecognized stream, and function (SEMI E5). */
const UNKNOWN: readonly (string | null)[] = ['S9F3', 'S9F5']
/** What may be aborted for another reason than that it is unknown: there is nothing to send, or not now. */
const PERHAPS_LATER: ReadonlySet<string> = new Set(['S5F5', ALARMS_BY_LIST, 'S5F7', 'S6F23'])
/** The question whose answer says that the equipment is online. */
export const PRESENCE = 'S1F1'

/**
 * Questions of a host that an equipment does not know. An abort says so only where the equipment answers S1F1
 * thereafter: else it was offline. So does silence: else it answered nothing at all.
 */
export class UnsupportedMessages {
  readonly #refused = new Set<string>()
  /** Aborted or not answered in time, with the number of the entry that says so. */
  readonly #unclear = new Map<string, number>()

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
    if (outcome === 'replied') this.answered(message)
    else if (UNKNOWN.includes(s9)) this.add(message)
    else if (outcome === 'timed_out' || (outcome === 'aborted' && !PERHAPS_LATER.has(message)))
      this.#unclear.set(message, seq)
  }

  answered(message: string): void {
    this.#refused.delete(message)
    this.#unclear.delete(message)
  }

  /** Communication began anew: an abort or a silence before it says nothing of what comes. */
  begin(): void {
    this.#unclear.clear()
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
