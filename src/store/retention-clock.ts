import type { Clock } from '../kit/clock.js'
import type { RetentionPolicy } from './retention-policy.js'

/** A wall clock may be ahead by this much at most, in milliseconds, of what has passed. */
const LONGEST_TOLERANCE_MS = 60 * 60 * 1000
/** The same as a part of the age that is kept: what a clock that is ahead removes early is no more than this. */
const TOLERANCES_PER_AGE = 30
/** A time further ahead is believed once the clock has shown it for so long, in milliseconds. */
const PROBATION_MS = 24 * 60 * 60 * 1000

/** What a process leaves to the next one: the time that it believed, and what the wall clock showed then. */
export interface SavedTime {
  readonly believed: number
  readonly wall: number
}

/** Milliseconds by which a wall clock may be ahead of what has passed, where history of this age is kept. */
export const toleranceOf = ({ maxAge }: Pick<RetentionPolicy, 'maxAge'>): number =>
  Math.min(LONGEST_TOLERANCE_MS, maxAge / TOLERANCES_PER_AGE)

/**
 * The time to believe at a start, of what was saved and what the wall clock shows now. Between two processes it may pass
 * over the tolerance without being doubted.
 */
export function believedNow({ believed, wall }: SavedTime, now: number, tolerance: number): number {
  const passed = now - wall
  return passed <= tolerance ? believed + Math.max(0, passed) : believed
}

/**
 * The time by which history gets old. A clock that jumps ahead, as one does that has lost its battery or is set
 * by hand, is not believed for a day, so that a person can put it right before anything is removed. Going back
 * is believed at once: it removes nothing.
 */
export class RetentionClock {
  /** What was believed, and when that was on the clock that never goes back. */
  #anchor: { readonly wall: number; readonly at: number }
  #doubtedSince: number | undefined

  /** `known`: what is believed already, in milliseconds since 1970; undefined where the clock is all there is. */
  constructor(
    readonly clock: Clock,
    known: number | undefined,
    readonly tolerance = LONGEST_TOLERANCE_MS,
  ) {
    this.#anchor = { wall: known ?? clock.date().getTime(), at: clock.now() }
  }

  /** For the next process. */
  get saved(): SavedTime {
    return { believed: this.now(), wall: this.clock.date().getTime() }
  }

  /** Milliseconds since 1970. */
  now(): number {
    const wall = this.clock.date().getTime()
    const at = this.clock.now()
    const expected = this.#anchor.wall + at - this.#anchor.at
    if (wall > expected + this.tolerance) {
      this.#doubtedSince ??= at
      if (at - this.#doubtedSince < PROBATION_MS) return expected
    }
    this.#doubtedSince = undefined
    this.#anchor = { wall, at }
    return wall
  }
}
