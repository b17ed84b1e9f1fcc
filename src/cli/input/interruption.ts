const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/**
 * What a signal from outside does to the command that runs: it ends the process at once, unless the command
 * holds it to put things in order first. A second signal is never held.
 */
class Interruption {
  readonly #controller = new AbortController()
  #held = false
  #hangUp: (() => void) | undefined

  /** The exit code of the signal that came, 128 and its number. */
  exitCode: number | undefined

  listen(): void {
    for (const [signal, code] of Object.entries(SIGNALS)) {
      process.on(signal, () => {
        if (signal === 'SIGHUP' && this.#hangUp) return this.#hangUp()
        if (!this.#held || this.exitCode !== undefined) process.exit(code)
        this.exitCode = code
        this.#controller.abort()
      })
    }
  }

  /** The reader of a pipe has seen enough: ends the process with 0, once a command that holds it is in order. */
  readerGone(): void {
    if (!this.#held) process.exit(0)
    // Whatever is written from now on fails the same way.
    if (this.exitCode !== undefined) return
    this.exitCode = 0
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
    this.#held = true
    return this.#controller.signal
  }
}

export const interruption = new Interruption()
