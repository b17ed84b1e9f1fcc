import { Problem } from '../../contract/errors.js'
import type { Clock } from '../../kit/clock.js'
import { networkOf } from '../../kit/network.js'

/** Milliseconds of a window, and calls in it that lead to a request to the identity provider. */
const WINDOW_MS = 60_000
const MAX_OF_ALL = 3000
/** Requests to the provider at once. */
const MAX_AT_ONCE = 64
/** Seconds after which requests that are under way have ended. */
const FULL_S = 2

/** The share of one network: calls in a window, and requests at once. */
interface Share {
  readonly calls: number
  readonly atOnce: number
}

/** Of users. */
const USERS: Share = { calls: 120, atOnce: 16 }
/** Of the provider, which tells the logouts of all users. */
export const PROVIDER: Share = { calls: 1500, atOnce: MAX_AT_ONCE }

/** Limits what callers without a token can have the gateway ask of the identity provider. */
export class RequestLimit {
  /** Calls by their network: at most as many as there may be calls of all. */
  readonly #counts = new Map<string, number>()
  #all = 0
  #since = Number.NEGATIVE_INFINITY
  #atOnce = 0
  readonly #atOnceOf = new Map<string, number>()

  constructor(
    readonly clock: Clock,
    readonly share = USERS,
  ) {}

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
    const own = this.#atOnceOf.get(network) ?? 0
    const isFull = this.#atOnce >= MAX_AT_ONCE || own >= this.share.atOnce
    const isTooOften = count > this.share.calls || this.#all >= MAX_OF_ALL
    if (isTooOften || isFull) {
      const rest = left > 0 ? left : WINDOW_MS
      const retry_after = isTooOften ? Math.max(1, Math.ceil(rest / 1000)) : FULL_S
      throw new Problem('rate_limited', 'Too many sign-ons are under way.', { retry_after })
    }
    this.#counts.set(network, count)
    this.#all++
    this.#atOnce++
    this.#atOnceOf.set(network, own + 1)
    try {
      return await work()
    } finally {
      this.#atOnce--
      const open = (this.#atOnceOf.get(network) ?? 1) - 1
      if (open > 0) this.#atOnceOf.set(network, open)
      else this.#atOnceOf.delete(network)
    }
  }
}
