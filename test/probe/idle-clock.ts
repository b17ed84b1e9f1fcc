import { onTestFinished } from 'vitest'
import { ManualClock } from '../support/manual-clock.js'

/** Rounds of the event loop without which nothing is taken to be silent, and pauses between them, for the kernel. */
const [ROUNDS, PAUSES] = [8, 3]

/**
 * Made-up time for sockets between parts of this process: it stands still as long as bytes may be on their way, and then
 * goes to what is due next. However busy the machine is, no timer expires before what was sent has come.
 */
export class IdleClock extends ManualClock {
  #isRunning = true

  /** Resolves after `stop`. */
  async run(): Promise<void> {
    while (this.#isRunning) {
      await silence()
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

async function silence(): Promise<void> {
  for (let pause = 0; pause < PAUSES; pause++) {
    await new Promise((resolve) => setTimeout(resolve, 1))
    for (let round = 0; round < ROUNDS; round++) await new Promise((resolve) => setImmediate(resolve))
  }
}
