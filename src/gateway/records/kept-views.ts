import { RecentCache } from '../../kit/recent-cache.js'
import type { Entry } from '../../store/entry.js'
import type { Journal } from '../../store/journal.js'
import { OBSERVED_TOPICS } from '../knowledge/observations.js'
import { MESSAGE_ENDED, REPORTS_OBSERVED } from './journal-kinds.js'
import type { Reading } from './reading.js'
import { isMessage, messageOf } from './recorded-message.js'

/** Bytes of views that are kept with their JSON. */
const MAX_BYTES = 8 * 1024 * 1024
/** What a view takes: its members, and for each byte of a body its JSON in several forms. */
const VIEW_BYTES = 1024
const BYTES_PER_BYTE = 12

interface Kept<View> {
  readonly view: View
  readonly reading: Reading
  /** The last entry of the journal when the view was made. */
  readonly at: number
}

/**
 * Views of entries, each made once for all who read it: an entry never changes. Kept as long as it is among the last,
 * and would be read the same.
 */
export class KeptViews<View> {
  readonly #kept = new RecentCache<Kept<View>>(MAX_BYTES)
  /** By equipment: the last entry that may have changed the known names of its identifiers. */
  readonly #namesChanged = new Map<string, number>()
  #last = 0

  /** Requires that knowledge is updated from an entry before this class receives its `appended` signal. */
  constructor(
    { appended }: Pick<Journal, 'appended'>,
    private readonly readingOf: (equipmentId: string) => Reading,
  ) {
    appended.on(({ seq, key, name, topic }) => {
      this.#last = seq
      if (name === MESSAGE_ENDED.name || name === REPORTS_OBSERVED.name || OBSERVED_TOPICS.has(topic ?? ''))
        this.#namesChanged.set(key, seq)
    })
  }

  /** `isStill`: whether a kept view is as `make` would make it, but for the names. `keeps`: whether a new one is kept. */
  of(
    entry: Entry,
    make: (reading: Reading) => View,
    { isStill = () => true, keeps = true }: { isStill?: (view: View) => boolean; keeps?: boolean } = {},
  ): View {
    const { seq, key } = entry
    const reading = this.readingOf(key)
    const kept = this.#kept.get(seq)
    const isNamed = isMessage(entry)
    if (
      kept?.reading === reading &&
      (!isNamed || kept.at >= (this.#namesChanged.get(key) ?? 0)) &&
      isStill(kept.view)
    )
      return kept.view
    const view = make(reading)
    if (!keeps) return view
    const bytes = isNamed ? messageOf(entry).length * BYTES_PER_BYTE : 0
    this.#kept.put(seq, { view, reading, at: this.#last }, VIEW_BYTES + bytes)
    return view
  }
}
