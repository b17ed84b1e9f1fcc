import { RecentCache } from '../../kit/recent-cache.js'
import type { Entry, Revive } from '../entry.js'

/** Bytes of lines whose entries are kept in memory: as objects, with the items of messages, they take several times as much. */
const MAX_READ_BYTES = 2 * 1024 * 1024
/** A longer line is not kept, in bytes: few of them would take the place of all others. */
const MAX_LINE_BYTES = 16 * 1024
/** Enough for those who follow the journal. More would live until the second collection, and then for long. */
const MAX_WRITTEN = 64
/** The longest line of an entry that was written, in bytes. */
const MAX_WRITTEN_LINE_BYTES = 4 * 1024

/** The entries that were read last, and those written last. They never change, so that all who read one share it. */
export class EntryCache {
  readonly #read: RecentCache<Entry>
  /**
   * By the rest of the sequence number. An array, since a `Map` that is old keeps its young entries alive until the next
   * full garbage collection, also when nothing refers to the map any more.
   */
  readonly #written: (Entry | undefined)[] = Array.from({ length: MAX_WRITTEN })
  /** Applied to each entry that is read from disk. */
  revive: Revive = (entry) => entry

  constructor(limit = MAX_READ_BYTES) {
    this.#read = new RecentCache<Entry>(limit)
  }

  get(seq: number): Entry | undefined {
    const written = this.#written[seq % MAX_WRITTEN]
    return written?.seq === seq ? written : this.#read.get(seq)
  }

  /** `bytes`: of its line. */
  read(entry: Entry, bytes: number): void {
    if (bytes <= MAX_LINE_BYTES && !this.get(entry.seq)) this.#read.put(entry.seq, entry, bytes)
  }

  wrote(entry: Entry, bytes: number): void {
    this.#written[entry.seq % MAX_WRITTEN] = bytes <= MAX_WRITTEN_LINE_BYTES ? entry : undefined
  }
}
