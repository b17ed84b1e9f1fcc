import { Problem } from '../../contract/errors.js'

/** Calls under way at once where there are many: the gateway puts their changes on disk together. */
const AT_ONCE = 16

export interface Settled<R> {
  /** Of those that succeeded, in their order. */
  readonly done: readonly R[]
  /** Of the first that did not. */
  readonly failure?: unknown
}

/**
 * What `call` comes to for each, once all have ended; those that had not begun when `signal` aborted are left out. What
 * the gateway refuses (`Problem`) is about the one alone, after any other failure no further one begins.
 */
export async function settledAtOnce<T, R>(
  all: readonly T[],
  call: (one: T) => Promise<R>,
  signal?: AbortSignal,
): Promise<Settled<R>> {
  const left = all.entries()
  const results: (readonly [R])[] = []
  const failures: unknown[] = []
  const caller = async (): Promise<void> => {
    for (const [place, one] of left) {
      try {
        results[place] = [await call(one)]
      } catch (error) {
        failures.push(error)
      }
      if (signal?.aborted || failures.some((failure) => !(failure instanceof Problem))) return
    }
  }
  if (!signal?.aborted) await Promise.all(Array.from({ length: AT_ONCE }, caller))
  return { done: results.flat(), ...(failures.length > 0 && { failure: failures[0] }) }
}

/** The same where all have to succeed: rejects with the first failure. */
export async function callsAtOnce<T, R>(
  ...calls: [all: readonly T[], call: (one: T) => Promise<R>, signal?: AbortSignal]
): Promise<readonly R[]> {
  const { done, failure } = await settledAtOnce(...calls)
  if (failure !== undefined) throw failure
  return done
}
