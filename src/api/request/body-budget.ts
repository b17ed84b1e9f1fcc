import type { Clock } from '../../kit/clock.js'

/** Bodies of one caller that may wait; further ones are refused at once. */
const MAX_WAITING = 64
/** Milliseconds for which a body waits for its turn: longer than the one before it waits for a reply of equipment, as a rule. */
const WAIT_MS = 60_000

interface Waiter {
  readonly bytes: number
  readonly end: (isGiven: boolean) => void
}

/** Bytes that bodies may have in memory. Where they are used up, the callers take turns, each with its oldest body. */
export class BodyBudget {
  #free: number
  /** By caller; who had a turn last is the last. */
  readonly #waiting = new Map<string, Waiter[]>()

  constructor(
    readonly clock: Clock,
    readonly bytes: number,
  ) {
    this.#free = bytes
  }

  /** In use now. */
  get used(): number {
    return this.bytes - this.#free
  }

  /** Whether a body waits for its turn. */
  get isAwaited(): boolean {
    return this.#waiting.size > 0
  }

  /** Resolves with true once the bytes are given, with false where that takes too long. `bytes`: not more than there are. */
  take(caller: string, bytes: number): Promise<boolean> {
    if (!this.isAwaited && bytes <= this.#free) {
      this.#free -= bytes
      return Promise.resolve(true)
    }
    const own = this.#waiting.get(caller) ?? []
    if (own.length >= MAX_WAITING) return Promise.resolve(false)
    return new Promise((resolve) => {
      const cancel = this.clock.at(this.clock.now() + WAIT_MS, () => {
        this.#remove(caller, waiter)
        waiter.end(false)
        // The next body may need fewer bytes than this one.
        this.#next()
      })
      const waiter: Waiter = {
        bytes,
        end: (isGiven) => {
          cancel()
          resolve(isGiven)
        },
      }
      this.#waiting.set(caller, own)
      own.push(waiter)
    })
  }

  /** Gives bytes back. */
  give(bytes: number): void {
    this.#free += bytes
    this.#next()
  }

  #next(): void {
    for (;;) {
      const [caller, [waiter] = []] = this.#waiting.entries().next().value ?? []
      if (caller === undefined || !waiter || waiter.bytes > this.#free) return
      this.#free -= waiter.bytes
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
