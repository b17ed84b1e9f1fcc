/** Values counted into fixed buckets: as large after a year as in the beginning. */
export class Histogram {
  /** One more than there are bounds: the last has none. Not cumulative. */
  readonly #counts: number[]
  #sum = 0

  /** `bounds` rise. */
  constructor(readonly bounds: readonly number[]) {
    this.#counts = [...bounds, Number.POSITIVE_INFINITY].map(() => 0)
  }

  add(value: number): void {
    let bucket = 0
    while (value > (this.bounds[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1
    this.#sum += value
  }

  /** Cumulative: how many values were at most `bound`. The last bound is Infinity, its count that of all. */
  get counts() {
    let count = 0
    const buckets = this.#counts.map((own, at) => {
      count += own
      return { bound: this.bounds[at] ?? Number.POSITIVE_INFINITY, count }
    })
    return { buckets, sum: this.#sum, count } as const
  }
}
