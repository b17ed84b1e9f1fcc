/** Does things one after the other, also when doing one brings about more: those wait for their turn. */
export class InOrder<T> {
  readonly #waiting: T[] = []
  #busy = false

  constructor(readonly act: (thing: T) => void) {}

  /** Returns when all is done, unless called from within `act`. */
  add(things: readonly T[]): void {
    this.#waiting.push(...things)
    if (this.#busy) return
    this.#busy = true
    try {
      for (let thing = this.#waiting.shift(); thing !== undefined; thing = this.#waiting.shift())
        this.act(thing)
    } finally {
      this.#busy = false
    }
  }
}
