import type { Entry } from './journal.js'

/** Bytes of lines whose entries are kept in memory: as objects they take about three times as much. */
const BYTES = 4 * 1024 * 1024
/** A longer line is not kept, in bytes: few of them would take the place of all others. */
const LONGEST = 16 * 1024

interface Held {
  readonly entry: Entry
  readonly bytes: number
}

/** The entries that were written or read last. They never change, so that all who read one share it. */
export class EntryCache {
  readonly #held = new Map<number, Held>()
  #bytes = 0

  constructor(readonly limit = BYTES) {}

  get(seq: number): Entry | undefined {
    return this.#held.get(seq)?.entry
  }

  /** `bytes`: of its line. */
  put(entry: Entry, bytes: number): void {
    if (bytes > LONGEST || this.#held.has(entry.seq)) return
    this.#held.set(entry.seq, { entry, bytes })
    this.#bytes += bytes
    for (const [oldest, held] of this.#held) {
      if (this.#bytes <= this.limit) return
      this.#held.delete(oldest)
      this.#bytes -= held.bytes
    }
  }
}
