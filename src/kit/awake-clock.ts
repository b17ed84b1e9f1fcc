import type { Cancel, Clock } from './clock.js'

/** Milliseconds between two looks at the clock. */
const LOOK_EVERY_MS = 500
/** A busy machine is late by less. */
const LATE_MS = 250

/**
 * A clock that stands still while this process does: stopped by a signal, frozen with its machine, or at one piece of
 * work for long. While something is scheduled it looks at the other clock, and a look that is late shows a stand-still.
 * What is left of one is three quarters of a second at most.
 */
export class AwakeClock {
  readonly #scheduled = new Set<{ readonly at: number; readonly run: () => void }>()
  /** Milliseconds of all stand-stills so far. */
  #stoodStill = 0
  /** What `now()` has last said: a look that turns out to be late must not take it back. */
  #said = Number.NEGATIVE_INFINITY
  /** When the next look is due, on the other clock. */
  #due = Number.POSITIVE_INFINITY
  #cancel: Cancel = () => {}

  constructor(private readonly clock: Clock) {}

  /** Milliseconds without stand-stills, also one of which no look has told yet: sockets may be read before it. */
  now(): number {
    this.#said = Math.max(this.#said, this.clock.now() - this.#stoodStill - this.#late())
    return this.#said
  }

  /**
   * Calls `run` once, when `now()` has reached `at`; what is due together, in the order of the times. After a stand-still what
   * has come meanwhile is read first.
   */
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
    try {
      if (!stoodStill) this.#runDue()
    } finally {
      this.#rest()
      if (this.#scheduled.size > 0) this.#lookAfter(stoodStill ? LOOK_EVERY_MS : this.#untilNext())
    }
  }

  /** What these schedule has its turn at the next look. */
  #runDue(): void {
    // Whatever takes long among them is a stand-still, too.
    this.#due = this.clock.now()
    const now = this.now()
    const due = [...this.#scheduled].filter(({ at }) => at <= now).sort((one, other) => one.at - other.at)
    for (const one of due) if (this.#scheduled.delete(one)) one.run()
  }

  /** Milliseconds until the next look; never so few that the clock would be the same then. */
  #untilNext(): number {
    let within = LOOK_EVERY_MS
    for (const { at } of this.#scheduled) within = Math.min(within, at - this.now())
    return Math.max(1, within)
  }
}
