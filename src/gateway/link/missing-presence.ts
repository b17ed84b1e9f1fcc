import type { Journal } from '../../store/journal.js'
import { MESSAGE_RECEIVED } from '../records/journal-kinds.js'

/** Messages that only equipment sends which can establish communication. */
const PRESENCE = new Set(['S1F13', 'S1F14'])

/** In silence equipment is slow, or not enabled yet, until it has left so many S1F13 without a reply. */
const MOST_SILENCES = 2

/**
 * Whether an equipment lacks S1F13. GEM wants a host to send nothing else before it gets the reply: so equipment that has
 * ever sent S1F13 or S1F14 is never taken to lack it, however slow it is.
 */
export class MissingPresence {
  #silences = 0
  /** It was taken to lack S1F13 before, and has shown nothing else since. */
  #isKnown = false

  constructor(
    readonly equipmentId: string,
    readonly journal: Pick<Journal, 'query'>,
  ) {}

  /** An S1F13 had no success: it got no reply, or `isUnknown` to the equipment, as that said. */
  async isMissing(isSilent: boolean, isUnknown: boolean): Promise<boolean> {
    this.#silences = isSilent ? this.#silences + 1 : 0
    const isLikely = isUnknown || (isSilent && (this.#isKnown || this.#silences >= MOST_SILENCES))
    if (!isLikely) return false
    const { equipmentId: key } = this
    const shown = await this.journal
      .query({ kinds: [MESSAGE_RECEIVED], key, topics: PRESENCE, order: 'desc', limit: 1 })
      .catch(() => undefined)
    this.#isKnown = shown?.length === 0
    return this.#isKnown
  }
}
