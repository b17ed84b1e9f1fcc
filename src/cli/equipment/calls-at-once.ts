import { Problem } from '../../contract/errors.js'

/** Calls under way at once where there are many: the gateway puts their changes on disk together. */
const AT_ONCE = 16

/**
 * What `call` comes to for each, in their order; those that had not begun when `signal` aborted are left out.
 * Rejects with the first failure, once all have ended: what the gateway refuses (`Problem`) is about the one
 * alone, after any other failure no further one begins.
 */
export async function callsAtOnce<T, R>(
  all: readonly T[],
  call: (one: T) => Promise<R>,
  signal?: AbortSignal,
): Promise<readonly R[]> {
  const left = all.entries()
  const results: R[] = []
  const failures: unknown[] = []
  const caller = async (): Promise<void> => {
    for (const [place, one] of left) {
      try {
        results[place] = await call(one)
      } catch (error) {
        failures.push(error)
      }
      if (signal?.aborted || failures.some((failure) => !(failure instanceof Problem))) return
    }
  }
  if (!signal?.aborted) await Promise.all(Array.from({ length: AT_ONCE }, caller))
  if (failures.length > 0) throw failures[0]
  return results
}

export interface Settled<R> {
  /** Of those that succeeded, in their order. */
  readonly done: readonly R[]
  /** Of one that did not. */
  readonly failure?: unknown
}

/** The same, with what succeeded beside the failure. */
export async function settledAtOnce<T, R>(
  all: readonly T[],
  call: (one: T) => Promise<R>,
): Promise<Settled<R>> {
  const results: (readonly [R])[] = []
  const keep = async ([place, one]: readonly [number, T]): Promise<void> => {
    results[place] = [await call(one)]
  }
  try {
    await callsAtOnce([...all.entries()], keep)
    return { done: results.flat() }
  } catch (failure) {
    return { done: results.flat(), failure }
  }
}
