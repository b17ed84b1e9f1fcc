import type { Cancel, Clock } from '../../../kit/clock.js'

/** Milliseconds of the first pause, and of the longest one. */
const FIRST_MS = 60_000
const LONGEST_MS = 3_600_000

interface Pause {
  readonly ms: number
  readonly cancel: Cancel
}

/** Calls `over` for a key after a pause; each pause of the same key is twice as long as the last one, up to an hour. */
export class GrowingPauses {
  readonly #pauses = new Map<string, Pause>()

  constructor(
    private readonly clock: Clock,
    private readonly over: (key: string) => void,
  ) {}

  next(key: string): void {
    const last = this.#pauses.get(key)
    this.#begin(key, last === undefined ? FIRST_MS : Math.min(last.ms * 2, LONGEST_MS))
  }

  /** A pause as long as the last one. */
  repeat(key: string): void {
    this.#begin(key, this.#pauses.get(key)?.ms ?? FIRST_MS)
  }

  /** The next pause is the first one again. */
  end(key: string): void {
    this.#pauses.get(key)?.cancel()
    this.#pauses.delete(key)
  }

  close(): void {
    for (const key of [...this.#pauses.keys()]) this.end(key)
  }

  #begin(key: string, ms: number): void {
    this.#pauses.get(key)?.cancel()
    this.#pauses.set(key, { ms, cancel: this.clock.at(this.clock.now() + ms, () => this.over(key)) })
  }
}
