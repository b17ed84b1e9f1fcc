import type { Problem } from '../contract/errors.js'
import { type Clock, delay } from '../kit/clock.js'
import type { ClientOptions } from './client.js'
import { unreachable } from './failures.js'

export interface PersistentOptions extends ClientOptions {
  readonly clock: Clock
  /** Called at each loss, with the milliseconds until the next attempt. */
  readonly onLoss?: (error: Error, retryIn: number) => void
  /** Called before each further attempt: the address of the gateway and the token may have changed. */
  readonly renew?: () => Promise<ClientOptions>
}

/** What an attempt calls while it lasts. */
export interface Attempt {
  /** The gateway has responded: after a loss from now on another attempt is made. */
  readonly opened: () => void
  /** Something has come: the next loss is the first again. */
  readonly received: () => void
}

/** Milliseconds before the first attempt to connect again, and the longest between two. */
const FIRST_DELAY = 250
const MAX_DELAY = 10_000

/** True for a failure that another attempt may mend. */
export const isPassing = (error: unknown): error is Error => {
  const { kind, status = 0 } = error as Partial<Problem> & { readonly kind?: unknown }
  return kind === 'unreachable' || status >= 500 || status === 429
}

const hasExpired = (error: unknown): boolean => (error as Partial<Problem>).code === 'token_expired'

/**
 * The records of a stream, with another attempt after each loss. Ends when an attempt ends, or when `signal` aborts;
 * throws what the first attempt fails with, and the `Problem` when the gateway refuses.
 */
export async function* persistent<T>(
  options: PersistentOptions,
  attempt: (where: ClientOptions, report: Attempt) => AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  let where: ClientOptions = options
  let wait = FIRST_DELAY
  let connected = false
  let expired = false
  const opened = (): void => {
    connected = true
    expired = false
  }
  const received = (): void => {
    wait = FIRST_DELAY
  }
  while (!signal.aborted) {
    try {
      if (connected && options.renew) where = await options.renew()
      yield* attempt(where, { opened, received })
      return
    } catch (error) {
      if (signal.aborted) return
      const failure = error instanceof Error && 'kind' in error ? error : unreachable(where.url, error)
      // A token that is renewed need not end the stream; one that has ended at once is not renewed again.
      const renewable: boolean = hasExpired(failure) && options.renew !== undefined && !expired
      expired = renewable
      if (!connected || !(isPassing(failure) || renewable)) throw failure
      options.onLoss?.(failure, wait)
      await delay(options.clock, wait, signal)
      wait = Math.min(wait * 2, MAX_DELAY)
    }
  }
}
