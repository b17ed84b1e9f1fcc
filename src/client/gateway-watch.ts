import { type Cancel, type Clock, withTimeout } from '../kit/clock.js'

/** Milliseconds that a call waits for its response until the gateway is asked whether it is there, and between two such questions. */
const ASK_AFTER_MS = 10_000

/** Milliseconds in which it says so: longer than any pause of a gateway that is busy. */
export const THERE_WITHIN_MS = 20_000

/**
 * Calls `giveUp` when the gateway does not respond to a question either (`isThere`) while a call waits for its response: a
 * call may take as long as equipment does, and one to a gateway that hangs would never end. What it returns ends this.
 */
export function watchGateway(clock: Clock, isThere: () => Promise<boolean>, giveUp: () => void): Cancel {
  let over = false
  let cancel: Cancel = () => {}
  const wait = (): void => {
    cancel = clock.at(clock.now() + ASK_AFTER_MS, () => void ask())
  }
  const ask = async (): Promise<void> => {
    const responds = await withTimeout(clock, THERE_WITHIN_MS, isThere())
    if (over) return
    if (responds) wait()
    else giveUp()
  }
  wait()
  return () => {
    over = true
    cancel()
  }
}
