import type { Cancel, Clock } from '../../kit/clock.js'

/** Ends what waits for something when nothing has come for a while, or when `stop` aborts. */
export class IdleTimeout {
  readonly #controller = new AbortController()
  #cancel: Cancel = () => {}
  readonly signal: AbortSignal
  /** True once it has lasted too long. */
  over = false

  /** `limit` in milliseconds; left out, it may last for ever. */
  constructor(
    readonly clock: Clock,
    readonly limit: number | undefined,
    stop: AbortSignal,
  ) {
    this.signal = AbortSignal.any([stop, this.#controller.signal])
  }

  /** Counts from now on, and once more from the beginning when something has come. */
  begin(): void {
    this.#cancel()
    if (this.limit === undefined) return
    this.#cancel = this.clock.at(this.clock.now() + this.limit, () => {
      this.over = true
      this.#controller.abort()
    })
  }

  /** Does not count until `begin`. */
  rest(): void {
    this.#cancel()
  }

  /** Nothing is waited for any more. */
  end(): void {
    this.#cancel()
    this.#controller.abort()
  }
}
