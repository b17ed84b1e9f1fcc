import { RecentCache } from '../../kit/recent-cache.js'
import type { Entry, Revive } from '../entry.js'

/** Bytes of lines whose entries are kept in memory: as objects, with the items of messages, they take several times as much. */
const MAX_READ_BYTES = 2 * 1024 * 1024
/** Enough for those who follow the journal. More of them would outlive young objects, and cost the collector more than a read. */
const MAX_WRITTEN_BYTES = 256 * 1024
/** A longer line is not kept, in bytes: few of them would take the place of all others. */
const MAX_LINE_BYTES = 16 * 1024

/** The entries that were read last, and those written last. They never change, so that all who read one share it. */
export class EntryCache {
  readonly #read = new RecentCache<Entry>(MAX_READ_BYTES)
  readonly #written = new RecentCache<Entry>(MAX_WRITTEN_BYTES)
  /** Applied to each entry that is read from disk. */
  revive: Revive = (entry) => entry

  get(seq: number): Entry | undefined {
    return this.#written.get(seq) ?? this.#read.get(seq)
  }

  /** `bytes`: of its line. */
  read(entry: Entry, bytes: number): void {
    if (bytes <= MAX_LINE_BYTES && !this.get(entry.seq)) this.#read.put(entry.seq, entry, bytes)
  }

  wrote(entry: Entry, bytes: number): void {
    if (bytes <= MAX_LINE_BYTES) this.#written.put(entry.seq, entry, bytes)
  }
}
