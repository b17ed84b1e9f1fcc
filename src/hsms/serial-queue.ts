/** Does things one after the other, also when doing one brings about more: those wait for their turn. */
export class SerialQueue<T> {
  #things: T[] = []
  /** How many of them had their turn. */
  #had = 0
  #busy = false

  constructor(readonly act: (thing: T) => void) {}

  /** Returns when all is done, unless called from within `act`. Where `act` throws, the others have their turn with the next. */
  add(things: readonly T[]): void {
    for (const thing of things) this.#things.push(thing)
    if (this.#busy) return
    this.#busy = true
    try {
      while (this.#had < this.#things.length) {
        const thing = this.#things[this.#had] as T
        this.#had += 1
        this.act(thing)
      }
      this.#things = []
      this.#had = 0
    } finally {
      this.#busy = false
    }
  }
}
