import type { Cancel, Clock } from '../../kit/clock.js'

/** Ends what waits for something when nothing has come for a while, or when `stop` aborts. */
export class IdleTimeout {
  readonly #controller = new AbortController()
  readonly #abort = (): void => this.#controller.abort()
  #cancel: Cancel = () => {}
  #over = false

  /** `limit` in milliseconds; left out, it may last for ever. */
  constructor(
    readonly clock: Clock,
    readonly limit: number | undefined,
    readonly stop: AbortSignal,
  ) {
    stop.addEventListener('abort', this.#abort)
    if (stop.aborted) this.#abort()
  }

  /** True once it has lasted too long. */
  get over(): boolean {
    return this.#over
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Counts from now on, and once more from the beginning when something has come. */
  begin(): void {
    this.#cancel()
    if (this.limit === undefined) return
    this.#cancel = this.clock.at(this.clock.now() + this.limit, () => {
      this.#over = true
      this.#abort()
    })
  }

  /** Nothing is waited for any more. */
  end(): void {
    this.#cancel()
    this.stop.removeEventListener('abort', this.#abort)
    this.#abort()
  }
}
