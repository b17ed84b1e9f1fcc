import type { Clock } from '../kit/clock.js'

/** A wall clock may be ahead by this much, in milliseconds, of what has passed. */
const TOLERANCE_MS = 60 * 60 * 1000
/** A time further ahead is believed once the clock has shown it for so long, in milliseconds. */
const PROBATION_MS = 24 * 60 * 60 * 1000

/**
 * The time by which history gets old. A clock that jumps ahead, as one does that has lost its battery or is set
 * by hand, is not believed for a day, so that a person can put it right before anything is removed. Going back
 * is believed at once: it removes nothing.
 */
export class RetentionClock {
  /** What was believed, and when that was on the clock that never goes back. */
  #anchor: { readonly wall: number; readonly at: number }
  #doubtedSince: number | undefined

  /** `latest`: when the newest entry was made, in milliseconds since 1970; undefined where there is none. */
  constructor(
    readonly clock: Clock,
    latest: number | undefined,
  ) {
    this.#anchor = { wall: latest ?? clock.date().getTime(), at: clock.now() }
  }

  /** Milliseconds since 1970. */
  now(): number {
    const wall = this.clock.date().getTime()
    const at = this.clock.now()
    const expected = this.#anchor.wall + at - this.#anchor.at
    const isAhead = wall > expected + TOLERANCE_MS
    if (isAhead) this.#doubtedSince ??= at
    if (isAhead && at - (this.#doubtedSince ?? at) < PROBATION_MS) return expected
    this.#doubtedSince = undefined
    this.#anchor = { wall, at }
    return wall
  }
}
