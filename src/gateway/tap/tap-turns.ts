import { Problem } from '../../contract/errors.js'
import type { Clock } from '../../kit/clock.js'
import { deferred } from '../../kit/deferred.js'
import { Signal } from '../../kit/signal.js'
import type { Transaction } from '../link/transactions.js'

/** Milliseconds that a primary of the gateway waits for the end of the host's transactions. */
const PATIENCE_MS = 10_000
/** Milliseconds without a primary of the gateway after the equipment was slow to reply to its host. */
const REST_MS = 60_000
/** Primaries of the gateway that may wait for their turn. */
const MAX_WAITING = 16

/** When the gateway may send a primary to tapped equipment: one at a time, and the host comes first. */
export class TapTurns {
  readonly #idle = new Signal<void>()
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #slow: { readonly until: number; readonly ms: number } | undefined

  constructor(
    private readonly clock: Clock,
    private readonly nameOf: () => string,
    /** Transactions of the host that are open. */
    private readonly openOfHost: () => number,
    /** Milliseconds from which a reply is slow. */
    private readonly slowMs: () => number,
  ) {}

  /** A transaction of the host has ended; `ms`: how long it took. */
  hostEnded(ms: number): void {
    if (ms > this.slowMs()) this.#slow = { until: this.clock.now() + REST_MS, ms }
    if (this.openOfHost() === 0) this.#idle.emit()
  }

  /** Throws `equipment_busy` where its turn does not come. `begin` sends it, and throws what prevents it. */
  async take(begin: () => Promise<Transaction>): Promise<Transaction> {
    if (this.#waiting >= MAX_WAITING) throw this.#busy('too many messages of the gateway wait for their turn')
    const before = this.#last
    const over = deferred<void>()
    this.#last = over.promise
    this.#waiting += 1
    try {
      await before
      await this.#untilIdle()
      this.#refuseSlow()
      const transaction = await begin()
      transaction.ended.then(
        () => over.resolve(),
        () => over.resolve(),
      )
      return transaction
    } catch (error) {
      over.resolve()
      throw error
    } finally {
      this.#waiting -= 1
    }
  }

  async #untilIdle(): Promise<void> {
    if (this.openOfHost() === 0) return
    const idle = deferred<boolean>()
    const stop = this.#idle.on(() => idle.resolve(true))
    const cancel = this.clock.at(this.clock.now() + PATIENCE_MS, () => idle.resolve(false))
    const isIdle = await idle.promise
    stop()
    cancel()
    if (!isIdle) throw this.#busy('its host waits for a reply, and comes first')
  }

  #refuseSlow(): void {
    const slow = this.#slow
    if (!slow || slow.until <= this.clock.now()) return
    const left = Math.ceil((slow.until - this.clock.now()) / 1000)
    throw this.#busy(
      `it took ${Math.round(slow.ms)} ms to reply to its host, more than slow_reply: it is left alone for ${left} s`,
    )
  }

  #busy(why: string): Problem {
    return new Problem('equipment_busy', `${this.nameOf()} is shared with its host: ${why}.`)
  }
}
