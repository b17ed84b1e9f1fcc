const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

export type Signal = keyof typeof EXIT_CODES

export const SIGNALS = Object.keys(EXIT_CODES) as readonly Signal[]

/**
 * What a signal from outside does to the command that runs: it ends the process at once, unless the command
 * holds it to clean up first. A second signal is never held.
 */
export class Interruption {
  readonly #controller = new AbortController()
  #held = false
  #hangUp: (() => void) | undefined
  readonly #atEnd = new Set<(signal: Signal) => void>()

  /** The exit code of the signal that came, 128 and its number. */
  exitCode: number | undefined

  /** `end` ends the process; `onHold` is called when a command begins to hold it. */
  constructor(
    readonly end: (code: number) => void,
    readonly onHold: () => void = () => {},
  ) {}

  signal(signal: Signal): void {
    if (signal === 'SIGHUP' && this.#hangUp) return this.#hangUp()
    if (this.#ends) for (const run of this.#atEnd) run(signal)
    this.#stop(EXIT_CODES[signal])
  }

  /** Calls `run` with a signal that ends the process at once, before it does. Returns what takes this back. */
  beforeEnd(run: (signal: Signal) => void): () => void {
    this.#atEnd.add(run)
    return () => void this.#atEnd.delete(run)
  }

  /** The next signal ends the process. */
  get #ends(): boolean {
    return !this.#held || this.exitCode !== undefined
  }

  /** The reader of a pipe has seen enough: ends the process with 0, once a command that holds it is in order. */
  readerGone(): void {
    // Whatever is written from now on fails the same way.
    if (this.#held && this.exitCode !== undefined) return
    this.#stop(0)
  }

  #stop(code: number): void {
    if (this.#ends) return this.end(code)
    this.exitCode = code
    this.#controller.abort()
  }

  /** The command was meant to be ended this way, and has done its work. */
  settle(): void {
    this.exitCode = undefined
  }

  /** Has SIGHUP do this, and end nothing any more. */
  onHangUp(run: () => void): void {
    this.#hangUp = run
  }

  /** Aborts at the first signal instead of ending the process. */
  hold(): AbortSignal {
    if (!this.#held) this.onHold()
    this.#held = true
    return this.#controller.signal
  }
}
