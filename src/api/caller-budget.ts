import type { FastifyRequest } from 'fastify'
import { Problem } from '../contract/errors.js'
import type { Clock } from '../kit/clock.js'
import { networkOf } from '../kit/network.js'
import { shuttingDown } from './closing.js'
import { addressOf } from './request/passed-on.js'

/** Requests of one caller that may wait; further ones are refused at once. */
const MAX_WAITING = 64
/** Milliseconds for which a request waits for its turn: longer than the one before it waits for a reply of equipment, as a rule. */
const WAIT_MS = 60_000
/** Seconds after which a client may try again. */
const RETRY_AFTER = 5

interface Waiter {
  readonly amount: number
  readonly end: (isGiven: boolean) => void
}

/** By whom turns are taken: the user or key, or the network of a request without one. */
export const callerKey = (request: FastifyRequest): string =>
  request.caller?.id ?? networkOf(addressOf(request))

const gatewayBusy = (): Problem =>
  new Problem(
    'gateway_busy',
    'The gateway works on as many long requests as it has memory for. Nothing was done. Try again later.',
    { retry_after: RETRY_AFTER },
  )

/** What requests share of something that there is little of. Where it is used up, the callers take turns, each with its oldest request. */
export class CallerBudget {
  #free: number
  /** By caller; who had a turn last is the last. */
  readonly #waiting = new Map<string, Waiter[]>()
  #isClosed = false

  constructor(
    readonly clock: Clock,
    readonly all: number,
  ) {
    this.#free = all
  }

  /** In use now. */
  get used(): number {
    return this.all - this.#free
  }

  /** Whether a request waits for its turn. */
  get isAwaited(): boolean {
    return this.#waiting.size > 0
  }

  /** The error for a request that was not given its amount: `gateway_busy`, or `shutting_down` once it is closed. */
  refusal(): Problem {
    return this.#isClosed ? shuttingDown() : gatewayBusy()
  }

  /** Whether the amount is given at once: it is free, and nobody waits for it. */
  takeNow(amount: number): boolean {
    if (this.isAwaited || amount > this.#free) return false
    this.#free -= amount
    return true
  }

  /**
   * Resolves with true once the amount is given, with false where that takes too long or it is closed. `amount`: not more
   * than there is.
   */
  take(caller: string, amount: number): Promise<boolean> {
    if (this.takeNow(amount)) return Promise.resolve(true)
    const own = this.#waiting.get(caller) ?? []
    if (this.#isClosed || own.length >= MAX_WAITING) return Promise.resolve(false)
    return new Promise((resolve) => {
      const cancel = this.clock.at(this.clock.now() + WAIT_MS, () => {
        this.#remove(caller, waiter)
        waiter.end(false)
        // The next one may need less than this one.
        this.#next()
      })
      const waiter: Waiter = {
        amount,
        end: (isGiven) => {
          cancel()
          resolve(isGiven)
        },
      }
      this.#waiting.set(caller, own)
      own.push(waiter)
    })
  }

  /** Who waits is told at once: the gateway is stopping. */
  close(): void {
    this.#isClosed = true
    const waiting = [...this.#waiting.values()].flat()
    this.#waiting.clear()
    for (const { end } of waiting) end(false)
  }

  give(amount: number): void {
    this.#free += amount
    this.#next()
  }

  #next(): void {
    for (;;) {
      const [caller, [waiter] = []] = this.#waiting.entries().next().value ?? []
      if (caller === undefined || !waiter || waiter.amount > this.#free) return
      this.#free -= waiter.amount
      const own = this.#remove(caller, waiter)
      this.#waiting.delete(caller)
      if (own.length > 0) this.#waiting.set(caller, own)
      waiter.end(true)
    }
  }

  /** What else waits of the caller. */
  #remove(caller: string, waiter: Waiter): Waiter[] {
    const own = this.#waiting.get(caller) ?? []
    const at = own.indexOf(waiter)
    if (at >= 0) own.splice(at, 1)
    if (own.length === 0) this.#waiting.delete(caller)
    return own
  }
}
