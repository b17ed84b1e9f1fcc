import type { Entry, Revive } from '../entry.js'

/** Bytes of lines whose entries are kept in memory: as objects they take about three times as much. */
const MAX_BYTES = 4 * 1024 * 1024
/** A longer line is not kept, in bytes: few of them would take the place of all others. */
const MAX_LINE_BYTES = 16 * 1024

/**
 * The entries that were written or read last. They never change, so that all who read one share it. The older
 * half goes at once: to take the first of a `Map` again and again costs more than to write an entry.
 */
export class EntryCache {
  #newer = new Map<number, Entry>()
  #older: ReadonlyMap<number, Entry> = new Map()
  /** Of the newer half. */
  #bytes = 0

  /** Applied to each entry that is read from disk. */
  revive: Revive = (entry) => entry

  constructor(readonly limit = MAX_BYTES) {}

  get(seq: number): Entry | undefined {
    return this.#newer.get(seq) ?? this.#older.get(seq)
  }

  /** `bytes`: of its line. */
  put(entry: Entry, bytes: number): void {
    if (bytes > MAX_LINE_BYTES || this.get(entry.seq)) return
    if (this.#bytes + bytes > this.limit / 2) {
      this.#older = this.#newer
      this.#newer = new Map()
      this.#bytes = 0
    }
    this.#newer.set(entry.seq, entry)
    this.#bytes += bytes
  }
}
