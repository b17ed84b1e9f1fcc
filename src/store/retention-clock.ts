import type { Clock } from '../kit/clock.js'

/** A wall clock may be ahead by this much, in milliseconds, of what has passed. */
const TOLERANCE_MS = 60 * 60 * 1000
/** A time further ahead is believed once the clock has shown it for so long, in milliseconds. */
const PROBATION_MS = 24 * 60 * 60 * 1000
/** The wall clock may pass over so much between two processes, in milliseconds, without being doubted. */
const PASSED_MS = 60 * 60 * 1000

/** What a process leaves to the next one: the time that it believed, and what the wall clock showed then. */
export interface SavedTime {
  readonly believed: number
  readonly wall: number
}

/** The time to believe at a start, of what was saved and what the wall clock shows now. */
export function believedNow({ believed, wall }: SavedTime, now: number): number {
  const passed = now - wall
  return passed > 0 && passed <= PASSED_MS ? believed + passed : believed
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
    const isAhead = wall > expected + TOLERANCE_MS
    if (isAhead) this.#doubtedSince ??= at
    if (isAhead && at - (this.#doubtedSince ?? at) < PROBATION_MS) return expected
    this.#doubtedSince = undefined
    this.#anchor = { wall, at }
    return wall
  }
}
