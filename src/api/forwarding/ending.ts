const ENDED = new Error('The exchange was ended.')

/** Ends an exchange with another daemon. An AbortController would make an error with its stack for each. */
export class Ending {
  #isOver = false
  #run: (error: Error) => void = () => {}

  get isOver(): boolean {
    return this.#isOver
  }

  /** Calls `run` when the exchange is to end; at once where it has. */
  on(run: (error: Error) => void): void {
    if (this.#isOver) run(ENDED)
    else this.#run = run
  }

  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#run(ENDED)
  }
}
