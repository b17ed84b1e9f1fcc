import { type Clock, delay } from '../kit/clock.js'
import { NotOwner, StoreUnavailable } from '../store/failure.js'

/** Milliseconds until work is done again that the store did not let end. */
const AGAIN_MS = 5000

/** Whether the same work may succeed later: the store is away, and the equipment is still this process's. */
export const mayPass = (error: unknown): boolean =>
  error instanceof StoreUnavailable && !(error instanceof NotOwner)

/** Does work that is owed although nobody waits for it: again while the store is away, as long as it is needed. */
export async function untilStored(
  clock: Clock,
  isNeeded: () => boolean,
  work: () => Promise<void>,
): Promise<void> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!mayPass(error)) throw error
    }
    await delay(clock, AGAIN_MS)
    if (!isNeeded()) return
  }
}
