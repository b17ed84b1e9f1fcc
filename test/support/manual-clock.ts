import type { Cancel, Clock } from '../../src/kit/clock.js'

/** A clock that stands still until told otherwise. */
export class ManualClock implements Clock {
  #now = 0
  readonly #pending = new Set<{ readonly at: number; readonly run: () => void }>()

  now(): number {
    return this.#now
  }

  date(): Date {
    return new Date(Date.UTC(2026, 0, 1) + this.#now)
  }

  at(at: number, run: () => void): Cancel {
    const entry = { at, run }
    this.#pending.add(entry)
    return () => void this.#pending.delete(entry)
  }

  /** How many callbacks are scheduled. */
  get scheduled(): number {
    return this.#pending.size
  }

  /** When the next callback is due; undefined without one. */
  get next(): number | undefined {
    const due = [...this.#pending].map(({ at }) => at)
    return due.length === 0 ? undefined : Math.min(...due)
  }

  /** Time passes in which this process stands still: what falls due meanwhile is late, and runs at the next `advance`. */
  standStill(ms: number): void {
    this.#now += ms
  }

  /** Moves time on, running what falls due in order of time. */
  advance(ms: number): void {
    const until = this.#now + ms
    for (;;) {
      const due = [...this.#pending].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
      if (!due) break
      this.#pending.delete(due)
      this.#now = Math.max(this.#now, due.at)
      due.run()
    }
    // What ran may have made the process stand still.
    this.#now = Math.max(this.#now, until)
  }
}
