import { AwakeClock } from '../kit/awake-clock.js'
import { type Clock, withTimeout } from '../kit/clock.js'
import { deferred } from '../kit/deferred.js'
import { Overtaken, StoreUnavailable } from '../store/failure.js'
import type { Journal } from '../store/journal.js'

/** Milliseconds in which an entry that another process has appended is read. */
const READ_WITHIN_MS = 3000
/** Milliseconds in which decisions that are under way end when the gateway closes. */
const IDLE_WITHIN_MS = 3000
/** How often other processes may decide first. */
const MOST_ATTEMPTS = 20

/**
 * Whoever reads a state, decides by it and appends the decision does so here: one after the other for each key. Where
 * any process may append the decision, its entry has `unlessAfter`, so that the store refuses the later one of two.
 */
export class Decisions {
  readonly #turns = new Map<string, Promise<void>>()
  /** Nothing is read while this process stands still. */
  readonly #clock: AwakeClock

  constructor(
    private readonly journal: Pick<Journal, 'last' | 'appended'>,
    clock: Clock,
  ) {
    this.#clock = new AwakeClock(clock)
  }

  /**
   * Runs `work` while nothing else is decided here about any of these keys. `last`: the last entry that is known, for
   * `unlessAfter`; where another process has decided since, `work` runs again with that known.
   */
  async decide<T>(keys: readonly string[], work: (last: number) => Promise<T>): Promise<T> {
    const own = new Set(keys)
    const earlier = [...own].map((key) => this.#turns.get(key))
    const { promise, resolve } = deferred<void>()
    for (const key of own) this.#turns.set(key, promise)
    await Promise.all(earlier)
    try {
      return await this.#untilFirst(work)
    } finally {
      for (const key of own) if (this.#turns.get(key) === promise) this.#turns.delete(key)
      resolve()
    }
  }

  /** Resolves once nothing is being decided, such as what acknowledged events tell, or that takes too long. */
  async idle(): Promise<void> {
    const clock = this.#clock
    const end = clock.now() + IDLE_WITHIN_MS
    while (this.#turns.size > 0 && clock.now() < end)
      await withTimeout(clock, end - clock.now(), Promise.all(this.#turns.values()))
  }

  async #untilFirst<T>(work: (last: number) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work(this.journal.last)
      } catch (error) {
        if (!(error instanceof Overtaken) || attempt === MOST_ATTEMPTS) throw error
        await this.#known(error.seq)
      }
    }
  }

  /** Resolves once this entry is known here. */
  async #known(seq: number): Promise<void> {
    const { promise, resolve } = deferred<true>()
    const stop = this.journal.appended.on((entry) => entry.seq >= seq && resolve(true))
    if (this.journal.last >= seq) resolve(true)
    const isKnown = await withTimeout(this.#clock, READ_WITHIN_MS, promise)
    stop()
    if (!isKnown) throw new StoreUnavailable('What another process has decided cannot be read now.')
  }
}
