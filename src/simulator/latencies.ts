/** The upper bound of a bucket, as a multiple of the previous one. */
const STEP = 1.02
/** Shorter latencies count as this, and longer than `MAX_MS` as that. */
const MIN_MS = 0.01
const MAX_MS = 600_000

const bucketOf = (milliseconds: number): number =>
  Math.ceil(Math.log(Math.min(Math.max(milliseconds, MIN_MS), MAX_MS) / MIN_MS) / Math.log(STEP))

/** A histogram of latencies: quantiles within two percent, in constant memory. */
export class Latencies {
  readonly #counts = new Uint32Array(bucketOf(MAX_MS) + 1)
  #count = 0

  get count(): number {
    return this.#count
  }

  add(milliseconds: number): void {
    const bucket = bucketOf(milliseconds)
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1
    this.#count += 1
  }

  /** In milliseconds; `share` from 0 to 1. Null while there is nothing. */
  quantile(share: number): number | null {
    if (this.#count === 0) return null
    let left = Math.max(1, Math.ceil(share * this.#count))
    const bucket = this.#counts.findIndex((count) => {
      left -= count
      return left <= 0
    })
    return MIN_MS * STEP ** bucket
  }
}
