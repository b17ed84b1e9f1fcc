import { Problem } from '../../contract/errors.js'
import type { Clock } from '../../kit/clock.js'
import { keepNewest } from '../../kit/keep-newest.js'
import { networkOf } from '../../kit/network.js'

/** Milliseconds in which failures add up. */
const WINDOW_MS = 60_000
/** Failures in a window for one email from one address, and for all emails from one address. */
const MAX_FAILURES_OF_EMAIL = 5
const MAX_FAILURES_OF_ADDRESS = 20
/** Milliseconds that the first refusal lasts; each that follows soon lasts twice as long, up to the longest. */
const FIRST_PENALTY = 60_000
const MAX_PENALTY = 15 * 60_000
/** Addresses and emails that are remembered; the one that was used longest ago is forgotten first. */
const MAX_REMEMBERED = 20_000

type KeyLimit = readonly [key: string, most: number]

interface Failures {
  /** Times of those in the window, on the clock that never goes back. */
  times: number[]
  penalty: number
  /** Refused until then. */
  until: number
}

/** Limits failed logins per email and address, so that guesses from one address do not lock out users elsewhere. */
export class LoginLimits {
  readonly #records = new Map<string, Failures>()

  constructor(readonly clock: Clock) {}

  /** How many addresses and emails are remembered. */
  get size(): number {
    return this.#records.size
  }

  /** Throws `rate_limited` when there were too many failures. Asking does not prolong the refusal. */
  check(email: string, address: string): void {
    const now = this.clock.now()
    const refusing = this.#keys(email, address).flatMap(([key]) => {
      const record = this.#records.get(key)
      return record && record.until > now ? [record] : []
    })
    if (refusing.length === 0) return
    const seconds = Math.ceil((Math.max(...refusing.map(({ until }) => until)) - now) / 1000)
    throw new Problem('rate_limited', `Too many failed logins. Wait ${seconds} seconds, then try once.`, {
      retry_after: seconds,
    })
  }

  failed(email: string, address: string): void {
    const now = this.clock.now()
    for (const [key, most] of this.#keys(email, address)) {
      const record = this.#remember(key)
      record.times = [...record.times.filter((at) => at > now - WINDOW_MS), now]
      if (record.times.length < most) continue
      // A refusal that ended recently makes the next one longer.
      const recently = record.penalty > 0 && now - record.until < MAX_PENALTY
      record.penalty = recently ? Math.min(record.penalty * 2, MAX_PENALTY) : FIRST_PENALTY
      record.until = now + record.penalty
    }
  }

  succeeded(email: string, address: string): void {
    const [[own]] = this.#keys(email, address)
    this.#records.delete(own)
  }

  #keys(email: string, address: string): readonly [ofEmail: KeyLimit, ofAddress: KeyLimit] {
    const network = networkOf(address)
    return [
      [`${network} ${email}`, MAX_FAILURES_OF_EMAIL],
      [network, MAX_FAILURES_OF_ADDRESS],
    ]
  }

  #remember(key: string): Failures {
    const record = this.#records.get(key) ?? { times: [], penalty: 0, until: 0 }
    this.#records.delete(key)
    this.#records.set(key, record)
    keepNewest(this.#records, MAX_REMEMBERED)
    return record
  }
}
