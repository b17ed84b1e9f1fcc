/** Cancels a scheduled callback; calling it twice, or after it fired, does nothing. */
export type Cancel = () => void

/**
 * The only source of time in the process. Nothing above this file calls `Date.now`, `setTimeout` or
 * `performance.now`; tests pass a clock that stands still instead.
 */
export interface Clock {
  /** Milliseconds on a clock that never goes back. For timers; meaningless across restarts. */
  now(): number
  /** Wall-clock time. For records shown to people; may jump. */
  date(): Date
  /** Calls `run` once, when `now()` has reached `at`. */
  at(at: number, run: () => void): Cancel
}

/** `setTimeout` fires at once for anything longer. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

/** Milliseconds of a clock that never goes back. Node loads seven modules for `performance`, at the start of every command. */
function elapsed(): number {
  if (typeof process === 'undefined') return performance.now()
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + nanoseconds / 1e6
}

export const systemClock: Clock = {
  now: elapsed,
  date: () => new Date(),
  at(at, run) {
    let timer: NodeJS.Timeout
    const arm = (): void => {
      const left = Math.ceil(at - elapsed())
      timer = left > MAX_TIMEOUT_MS ? setTimeout(arm, MAX_TIMEOUT_MS) : setTimeout(run, Math.max(0, left))
    }
    arm()
    return () => clearTimeout(timer)
  },
}

/** Resolves after `ms` milliseconds, or as soon as `signal` aborts. */
export function delay(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const finish = (): void => {
      cancel()
      signal?.removeEventListener('abort', finish)
      resolve()
    }
    const cancel = clock.at(clock.now() + ms, finish)
    signal?.addEventListener('abort', finish, { once: true })
  })
}

/** The result of `work`, which is not ended by the timeout; undefined when there is none within `timeoutMs`. */
export function withTimeout<T>(
  clock: Pick<Clock, 'now' | 'at'>,
  timeoutMs: number,
  work: Promise<T>,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const cancel = clock.at(clock.now() + timeoutMs, () => resolve(undefined))
    work.then(resolve, reject).finally(cancel)
  })
}
