import type { Cancel, Clock } from './clock.js'

/** Lets callers through at a steady rate, in the order in which they came; after a time without any, some at once. */
export class Pace {
  /** When the next caller is let through at the steady rate, at the latest. */
  #next = Number.NEGATIVE_INFINITY
  /** Who waits, with its timer. */
  readonly #waiting = new Map<() => void, Cancel>()

  /** `interval`: milliseconds between two callers. `burst`: how many are let through at once where none came before. */
  constructor(
    readonly clock: Pick<Clock, 'now' | 'at'>,
    readonly interval: number,
    readonly burst: number,
  ) {}

  /** Resolves when it is the caller's turn. */
  turn(): Promise<void> {
    const now = this.clock.now()
    const at = Math.max(this.#next, now - (this.burst - 1) * this.interval)
    this.#next = at + this.interval
    if (at <= now) return Promise.resolve()
    return new Promise((resolve) => {
      const cancel = this.clock.at(at, () => {
        this.#waiting.delete(resolve)
        resolve()
      })
      this.#waiting.set(resolve, cancel)
    })
  }

  /** All who wait have their turn: nothing is left to wait for. */
  close(): void {
    for (const [resolve, cancel] of this.#waiting) {
      cancel()
      resolve()
    }
    this.#waiting.clear()
  }
}
