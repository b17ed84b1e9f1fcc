import type { Entry } from '../../store/entry.js'
import type { Ending } from '../messages/message-view.js'
import { messageOf } from '../records/recorded-message.js'

/** Primaries whose reply is known; of the others it is read from the journal. */
const MAX_REMEMBERED = 16_384

/**
 * Our replies to the last primaries of equipment. Kept as numbers: thousands of objects that live for some seconds would
 * fill the memory for long-lived ones.
 */
export class OurReplies {
  /** By the rest of the primary's sequence number: that number, and the number of our reply, negative if we aborted. */
  readonly #primaries = new Float64Array(MAX_REMEMBERED)
  readonly #replies = new Float64Array(MAX_REMEMBERED)

  keep(primary: number, reply: Entry): void {
    const at = primary % MAX_REMEMBERED
    this.#primaries[at] = primary
    this.#replies[at] = messageOf(reply).function === 0 ? -reply.seq : reply.seq
  }

  of(primary: number): Ending | undefined {
    const at = primary % MAX_REMEMBERED
    const reply = this.#replies[at] ?? 0
    if (this.#primaries[at] !== primary) return undefined
    return { outcome: reply < 0 ? 'aborted' : 'replied', reply_id: String(Math.abs(reply)) }
  }
}
