import { RecentCache } from '../../kit/recent-cache.js'
import type { Entry, Revive } from '../entry.js'

/** Bytes of lines whose entries are kept in memory: as objects, with the items of messages, they take several times as much. */
const MAX_BYTES = 2 * 1024 * 1024
/** A longer line is not kept, in bytes: few of them would take the place of all others. */
const MAX_LINE_BYTES = 16 * 1024

/** The entries that were written or read last. They never change, so that all who read one share it. */
export class EntryCache {
  readonly #entries: RecentCache<Entry>
  /** Applied to each entry that is read from disk. */
  revive: Revive = (entry) => entry

  constructor(limit = MAX_BYTES) {
    this.#entries = new RecentCache(limit)
  }

  get(seq: number): Entry | undefined {
    return this.#entries.get(seq)
  }

  /** `bytes`: of its line. */
  put(entry: Entry, bytes: number): void {
    if (bytes <= MAX_LINE_BYTES && !this.get(entry.seq)) this.#entries.put(entry.seq, entry, bytes)
  }
}
