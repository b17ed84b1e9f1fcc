/** Admits `most` at once; the others wait, and are admitted in the order in which they came. */
export class Semaphore {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(readonly most: number) {
    this.#free = most
  }

  /** How many are in. */
  get taken(): number {
    return this.most - this.#free
  }

  /** Whether a caller waits for a place. */
  get awaited(): boolean {
    return this.#waiting.length > 0
  }

  /** Resolves once there is a place, with what gives it back. */
  async take(): Promise<() => void> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    let given = false
    return () => {
      if (given) return
      given = true
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }
}
