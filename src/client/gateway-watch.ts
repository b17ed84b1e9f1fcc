import { type Cancel, type Clock, withTimeout } from '../kit/clock.js'
import { exchange } from './exchange.js'

/** Milliseconds that a call waits for its response until the gateway is asked whether it is there, and between two such questions. */
const ASK_AFTER_MS = 10_000

/** Milliseconds in which it says so: longer than any pause of a gateway that is busy. */
const THERE_WITHIN_MS = 20_000

const READINESS = { method: 'GET', path: '/readyz', headers: {} }

/**
 * Calls `giveUp` when the gateway does not respond to `/readyz` either while a call waits for its response: a call may take
 * as long as equipment does, and one to a gateway that hangs would never end. What it returns ends this.
 */
export function watchGateway(clock: Clock, url: URL, giveUp: () => void): Cancel {
  let over = false
  let cancel: Cancel = () => {}
  const wait = (): void => {
    cancel = clock.at(clock.now() + ASK_AFTER_MS, () => void ask())
  }
  const ask = async (): Promise<void> => {
    const question = exchange(url, { ...READINESS, timeout: THERE_WITHIN_MS }).then(
      () => true,
      () => false,
    )
    const isThere = await withTimeout(clock, THERE_WITHIN_MS, question)
    if (over) return
    if (isThere) wait()
    else giveUp()
  }
  wait()
  return () => {
    over = true
    cancel()
  }
}
