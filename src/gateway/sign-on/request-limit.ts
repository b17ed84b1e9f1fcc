import { Problem } from '../../contract/errors.js'
import type { Clock } from '../../kit/clock.js'
import { keepNewest } from '../../kit/keep-newest.js'
import { networkOf } from '../../kit/network.js'

/** Milliseconds of a window, and calls in it that lead to a request to the identity provider. */
const WINDOW_MS = 60_000
const MAX_OF_NETWORK = 120
const MAX_OF_ALL = 3000
/** Requests to the provider at once. */
const MAX_AT_ONCE = 64
const MAX_REMEMBERED = 10_000

/** Limits what callers without a token can have the gateway ask of the identity provider. */
export class RequestLimit {
  readonly #counts = new Map<string, number>()
  #all = 0
  #since = Number.NEGATIVE_INFINITY
  #atOnce = 0

  constructor(readonly clock: Clock) {}

  /** Throws `rate_limited` where this network, or all, have called too often. */
  async run<T>(address: string, work: () => Promise<T>): Promise<T> {
    const left = WINDOW_MS - (this.clock.now() - this.#since)
    if (left <= 0) {
      this.#counts.clear()
      this.#all = 0
      this.#since = this.clock.now()
    }
    const network = networkOf(address)
    const count = (this.#counts.get(network) ?? 0) + 1
    if (count > MAX_OF_NETWORK || this.#all >= MAX_OF_ALL || this.#atOnce >= MAX_AT_ONCE) {
      const retry_after = Math.max(1, Math.ceil(Math.min(left, WINDOW_MS) / 1000))
      throw new Problem('rate_limited', 'Too many sign-ons are under way.', { retry_after })
    }
    this.#counts.set(network, count)
    keepNewest(this.#counts, MAX_REMEMBERED)
    this.#all++
    this.#atOnce++
    try {
      return await work()
    } finally {
      this.#atOnce--
    }
  }
}
