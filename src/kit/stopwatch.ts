import { AwakeClock } from './awake-clock.js'
import type { Clock } from './clock.js'

/** Milliseconds to the microsecond: what follows says nothing. */
export const roundedMs = (ms: number): number => Math.round(ms * 1000) / 1000

/** Measures times without those in which this process stood still. */
export class Stopwatch {
  readonly #clock: AwakeClock

  constructor(clock: Clock) {
    this.#clock = new AwakeClock(clock)
  }

  /**
   * Begins to measure. The first call of what it returns ends that, and every call gives the milliseconds until then.
   * Until the first call the clock is looked at.
   */
  start(): () => number {
    const end = this.#clock.at(Number.POSITIVE_INFINITY, () => {})
    const began = this.#clock.now()
    let took: number | undefined
    return () => {
      if (took !== undefined) return took
      took = this.#clock.now() - began
      end()
      return took
    }
  }
}
