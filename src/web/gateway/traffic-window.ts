/** Seconds of one bar of the sparkline, and how many bars it has. */
export const BAR_SECONDS = 10
export const BARS = 24
const BARS_PER_MINUTE = 60 / BAR_SECONDS

/** How many messages an equipment exchanged in each of the last bars. Takes the same memory however many come. */
export class TrafficWindow {
  readonly #counts = new Uint16Array(BARS)
  #current = 0
  /** Bars that are over since counting began, at most `BARS` - 1. */
  #whole = 0

  add(): void {
    const count = this.#counts[this.#current] ?? 0
    if (count < 65_535) this.#counts[this.#current] = count + 1
  }

  /** The present bar is over. */
  advance(): void {
    this.#current = (this.#current + 1) % BARS
    this.#counts[this.#current] = 0
    this.#whole = Math.min(BARS - 1, this.#whole + 1)
  }

  /** The bars that are over, oldest first. */
  get bars(): readonly number[] {
    return Array.from({ length: this.#whole }, (_, at) => this.#back(this.#whole - at))
  }

  /** Messages in the last minute, or as many as a minute would have had; undefined before the first bar is over. */
  get perMinute(): number | undefined {
    const bars = Math.min(BARS_PER_MINUTE, this.#whole)
    if (bars === 0) return undefined
    let sum = 0
    for (let back = 1; back <= bars; back++) sum += this.#back(back)
    return Math.round((sum * BARS_PER_MINUTE) / bars)
  }

  #back(bars: number): number {
    return this.#counts[(this.#current - bars + BARS) % BARS] ?? 0
  }
}
