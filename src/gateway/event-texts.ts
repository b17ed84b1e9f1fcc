import type { Entry, Journal } from '../store/journal.js'
import { MESSAGE_ENDED } from './journal-kinds.js'
import { TEACHING_TOPICS } from './lessons.js'
import type { Reading } from './message-view.js'

interface Written {
  readonly text: string
  readonly reading: Reading
  /** The last entry that had come when it was written. */
  readonly at: number
}

/**
 * The JSON of events that show messages, made once for all who read them: an entry never changes. Kept for as long
 * as the journal keeps the entry in memory, and as long as it would be read the same.
 */
export class EventTexts {
  readonly #written = new WeakMap<Entry, Written>()
  /** By equipment: the last entry that may have taught what its identifiers are called. */
  readonly #taught = new Map<string, number>()
  #last = 0

  /** What is learned from an entry has been learned before its `appended` comes here. */
  constructor({ appended }: Pick<Journal, 'appended'>) {
    appended.on(({ seq, key, name, topic }) => {
      this.#last = seq
      if (name === MESSAGE_ENDED.name || TEACHING_TOPICS.has(topic ?? '')) this.#taught.set(key, seq)
    })
  }

  of(entry: Entry, reading: Reading, write: () => string): string {
    const known = this.#written.get(entry)
    if (known && isSame(known.reading, reading) && known.at >= (this.#taught.get(entry.key) ?? 0))
      return known.text
    const text = write()
    this.#written.set(entry, { text, reading, at: this.#last })
    return text
  }
}

const isSame = (one: Reading, other: Reading): boolean =>
  one.catalogue === other.catalogue &&
  one.formats === other.formats &&
  one.text === other.text &&
  one.knowledge === other.knowledge
