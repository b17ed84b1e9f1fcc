/** Calls `act` for one item after the other. Items that are added during a call wait for their turn. */
export class SerialQueue<T> {
  /**
   * One array for good. That of a quiet link gets old, and V8 keeps what an old array holds until its next full garbage
   * collection, also when nothing refers to the array any more: with a new one each time that would be each message.
   */
  readonly #items: T[] = []
  /** How many of them had their turn. */
  #had = 0
  #busy = false

  constructor(readonly act: (item: T) => void) {}

  /** Returns when all is done, unless called from within `act`. Where `act` throws, the others have their turn with the next. */
  add(items: readonly T[]): void {
    for (const item of items) this.#items.push(item)
    if (this.#busy) return
    this.#busy = true
    try {
      while (this.#had < this.#items.length) {
        const item = this.#items[this.#had] as T
        this.#had += 1
        this.act(item)
      }
      this.#items.length = 0
      this.#had = 0
    } finally {
      this.#busy = false
    }
  }
}
