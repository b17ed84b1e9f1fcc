import type { Cancel, Clock } from '../../kit/clock.js'

/** Asks equipment that has been silent for `period` milliseconds whether it is there; a period of 0 asks nothing. */
export class PresenceCheck {
  #lastMessage = 0
  #cancel: Cancel = () => {}
  #isRunning = false

  /** `ask` resolves when the equipment has replied, or did not within T3. */
  constructor(
    readonly clock: Clock,
    readonly period: () => number,
    readonly ask: () => Promise<unknown>,
  ) {}

  /** Messages can be exchanged from now on. */
  begin(): void {
    this.#isRunning = true
    this.#lastMessage = this.clock.now()
    this.#wait()
  }

  end(): void {
    this.#isRunning = false
    this.#cancel()
  }

  /** A message of the equipment has come. */
  received(): void {
    this.#lastMessage = this.clock.now()
  }

  /** The period may have changed. */
  reconsider(): void {
    if (this.#isRunning) this.#wait()
  }

  #wait(): void {
    this.#cancel()
    const period = this.period()
    if (period > 0) this.#cancel = this.clock.at(this.#lastMessage + period, () => void this.#look())
  }

  async #look(): Promise<void> {
    if (this.clock.now() >= this.#lastMessage + this.period()) {
      // A question without a reply counts as well: the next one is asked a period later.
      this.#lastMessage = this.clock.now()
      await this.ask()
    }
    if (this.#isRunning) this.#wait()
  }
}
