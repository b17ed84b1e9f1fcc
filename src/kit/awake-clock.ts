import type { Cancel, Clock } from './clock.js'

/** Milliseconds between two looks at the clock. */
const LOOK_EVERY_MS = 500
/** A busy machine is late by less. */
const LATE_MS = 250

/**
 * A clock that stands still while this process does: stopped by a signal, frozen with its machine, or at one piece of
 * work for long. While something is scheduled it looks at the other clock, and a look that is late shows a stand-still.
 * What is left of one is half a second at most.
 */
export class AwakeClock {
  readonly #scheduled = new Set<{ readonly at: number; readonly run: () => void }>()
  /** Milliseconds of all stand-stills so far. */
  #stoodStill = 0
  /** When the next look is due, on the other clock. */
  #due = Number.POSITIVE_INFINITY
  #cancel: Cancel = () => {}

  constructor(private readonly clock: Clock) {}

  /** Milliseconds without stand-stills, also one of which no look has told yet: sockets may be read before it. */
  now(): number {
    return this.clock.now() - this.#stoodStill - this.#late()
  }

  /** Calls `run` once, when `now()` has reached `at`. After a stand-still what has come meanwhile is read first. */
  at(at: number, run: () => void): Cancel {
    const one = { at, run }
    this.#scheduled.add(one)
    // What is overdue is no stand-still.
    const within = Math.max(0, Math.min(LOOK_EVERY_MS, at - this.now()))
    if (this.clock.now() + within < this.#due) this.#lookAfter(within)
    return () => {
      this.#scheduled.delete(one)
      if (this.#scheduled.size === 0) this.#rest()
    }
  }

  #late(): number {
    const late = this.clock.now() - this.#due
    return late > LATE_MS ? late : 0
  }

  #rest(): void {
    this.#cancel()
    this.#stoodStill += this.#late()
    this.#due = Number.POSITIVE_INFINITY
  }

  #lookAfter(ms: number): void {
    this.#cancel()
    this.#due = this.clock.now() + ms
    this.#cancel = this.clock.at(this.#due, () => this.#look())
  }

  #look(): void {
    const stoodStill = this.#late() > 0
    this.#rest()
    if (!stoodStill) {
      const now = this.now()
      // A copy: what these schedule has its turn at the next look.
      for (const one of [...this.#scheduled]) {
        if (one.at > now || !this.#scheduled.delete(one)) continue
        one.run()
      }
    }
    if (this.#scheduled.size === 0) return
    let within = LOOK_EVERY_MS
    if (!stoodStill) for (const { at } of this.#scheduled) within = Math.min(within, at - this.now())
    this.#lookAfter(Math.max(0, within))
  }
}
