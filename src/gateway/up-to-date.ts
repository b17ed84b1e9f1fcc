import { Problem } from '../contract/errors.js'
import { AwakeClock } from '../kit/awake-clock.js'
import { withTimeout } from '../kit/clock.js'
import type { Gateway } from './open-gateway.js'

/** Milliseconds for which what other daemons have written is waited for. */
const READ_WITHIN_MS = 3000

/** Resolves once what other daemons have written until now is known here. Throws `store_unavailable`. */
export async function upToDate({ catchUp, clock }: Pick<Gateway, 'catchUp' | 'clock'>): Promise<void> {
  if (!catchUp) return
  const isRead = await withTimeout(
    new AwakeClock(clock),
    READ_WITHIN_MS,
    catchUp().then(() => true),
  )
  if (!isRead) throw new Problem('store_unavailable', 'What other daemons have written cannot be read now.')
}

/** What is not here may have been added through another daemon a moment ago: it is looked for again with all known. */
const mayBeElsewhere = (error: unknown): boolean =>
  error instanceof Problem && (error.status === 404 || error.code === 'token_revoked')

/** Runs `work` again, with all known that other daemons have written, where it does not find what it is about. */
export function foundUpToDate<T>(
  gateway: Pick<Gateway, 'catchUp' | 'clock'>,
  work: () => Promise<T>,
): Promise<T> {
  // Nobody else writes: its caller waits for one promise less.
  return gateway.catchUp ? againUpToDate(gateway, work) : work()
}

async function againUpToDate<T>(
  gateway: Pick<Gateway, 'catchUp' | 'clock'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!mayBeElsewhere(error)) throw error
    await upToDate(gateway)
    return work()
  }
}
