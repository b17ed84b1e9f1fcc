/** A queue whose first item is taken without moving the others. */
export class Fifo<T> {
  #items: T[] = []
  /** So many at the beginning have been taken. */
  #taken = 0

  get length(): number {
    return this.#items.length - this.#taken
  }

  get first(): T | undefined {
    return this.#items[this.#taken]
  }

  add(item: T): void {
    this.#items.push(item)
  }

  /** Before all others. */
  addFirst(...items: readonly T[]): void {
    this.#items.splice(0, this.#taken, ...items)
    this.#taken = 0
  }

  take(): T | undefined {
    const item = this.#items[this.#taken]
    if (this.#taken === this.#items.length) return undefined
    this.#items[this.#taken] = undefined as T // what is taken is not kept
    this.#taken++
    if (this.#taken * 2 > this.#items.length) {
      this.#items.splice(0, this.#taken)
      this.#taken = 0
    }
    return item
  }

  /** All that are left, in their order. */
  drain(): readonly T[] {
    const left = this.#items.slice(this.#taken)
    this.#items = []
    this.#taken = 0
    return left
  }
}
