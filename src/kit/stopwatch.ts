import type { Cancel, Clock } from './clock.js'

/** Milliseconds to the microsecond: what follows says nothing. */
export const roundedMs = (ms: number): number => Math.round(ms * 1000) / 1000

/** Milliseconds between two looks at the clock. */
const LOOK_EVERY_MS = 500
/** A busy machine is late by less. */
const LATE_MS = 250

/**
 * Measures times without those in which this process stood still: stopped by a signal, frozen with its machine, or at
 * one piece of work for long. While something is measured it looks at the clock, and a look that is late shows a
 * stand-still. What is left of one is half a second at most.
 */
export class Stopwatch {
  #measured = 0
  /** Milliseconds of all stand-stills so far. */
  #stoodStill = 0
  /** When the next look is due. */
  #due = Number.POSITIVE_INFINITY
  #cancel: Cancel = () => {}

  constructor(private readonly clock: Clock) {}

  /**
   * Begins to measure. The first call of what it returns ends that, and every call gives the milliseconds until then.
   * Until the first call the clock is looked at.
   */
  start(): () => number {
    if (this.#measured === 0) this.#lookLater()
    this.#measured += 1
    const began = this.#running()
    let took: number | undefined
    return () => {
      if (took !== undefined) return took
      took = this.#running() - began
      this.#measured -= 1
      if (this.#measured === 0) this.#cancel()
      return took
    }
  }

  /** Time without stand-stills, also one of which no look has told yet: sockets may be read before it. */
  #running(): number {
    return this.clock.now() - this.#stoodStill - this.#late()
  }

  #late(): number {
    const late = this.clock.now() - this.#due
    return late > LATE_MS ? late : 0
  }

  #lookLater(): void {
    this.#due = this.clock.now() + LOOK_EVERY_MS
    this.#cancel = this.clock.at(this.#due, () => {
      this.#stoodStill += this.#late()
      this.#lookLater()
    })
  }
}
