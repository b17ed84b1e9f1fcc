import type { EntryIndex } from './entry-index.js'

/** Bytes of indexes kept in memory: those of two million entries. */
const MAX_BYTES = 32 * 1024 * 1024

/** The indexes of sealed segments that were used last. What is not here is read again when it is asked for. */
export class IndexCache {
  readonly #held = new Map<string, EntryIndex>()
  #bytes = 0

  constructor(readonly limit = MAX_BYTES) {}

  get(path: string): EntryIndex | undefined {
    const index = this.#held.get(path)
    if (!index) return undefined
    // Moved to the end: the first is the least recently used.
    this.#held.delete(path)
    this.#held.set(path, index)
    return index
  }

  put(path: string, index: EntryIndex): void {
    this.forget(path)
    this.#held.set(path, index)
    this.#bytes += index.bytes
    for (const oldest of this.#held.keys()) {
      if (this.#bytes <= this.limit || oldest === path) return
      this.forget(oldest)
    }
  }

  forget(path: string): void {
    this.#bytes -= this.#held.get(path)?.bytes ?? 0
    this.#held.delete(path)
  }
}
