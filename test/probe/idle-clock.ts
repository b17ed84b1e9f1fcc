import { onTestFinished } from 'vitest'
import { ManualClock } from '../support/manual-clock.js'
import { turns } from '../support/until.js'

/** Rounds of the event loop without which nothing is taken to be silent. */
const ROUNDS = 100

/**
 * Made-up time for sockets between parts of this process: it stands still as long as bytes may be on their way, and then
 * goes to what is due next. However busy the machine is, no timer expires before what was sent has come.
 */
export class IdleClock extends ManualClock {
  #isRunning = true

  /** Resolves after `stop`. */
  async run(): Promise<void> {
    while (this.#isRunning) {
      await turns(ROUNDS)
      const { next } = this
      if (next !== undefined && this.#isRunning) this.advance(Math.max(0, next - this.now()))
    }
  }

  stop(): void {
    this.#isRunning = false
  }
}

/** One that runs until the test is over. */
export function idleClock(): IdleClock {
  const clock = new IdleClock()
  const running = clock.run()
  onTestFinished(async () => {
    clock.stop()
    await running
  })
  return clock
}
