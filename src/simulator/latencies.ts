import { createHistogram } from 'node:perf_hooks'

/** Ten minutes. Longer latencies count as this. */
const MAX_MICROSECONDS = 600_000_000

/** A histogram of latencies: quantiles to three digits, in constant memory. */
export class Latencies {
  readonly #histogram = createHistogram({ lowest: 1, highest: MAX_MICROSECONDS, figures: 3 })

  add(milliseconds: number): void {
    this.#histogram.record(Math.min(Math.max(Math.round(milliseconds * 1000), 1), MAX_MICROSECONDS))
  }

  /** In milliseconds; `share` above 0, up to 1. Null while there is nothing. */
  quantile(share: number): number | null {
    return this.#histogram.count === 0 ? null : this.#histogram.percentile(share * 100) / 1000
  }
}
