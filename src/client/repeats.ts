import type { ErrorCode } from '../contract/error-table.js'
import { type Clock, delay, systemClock } from '../kit/clock.js'
import type { ResponseProblem } from './failures.js'

/** Milliseconds of pauses between the repeats of a call. Another daemon has taken equipment over by then, with the lease that daemons have unless told otherwise. */
export const PATIENCE_MS = 15_000

/** Refusals for a reason that passes, before anything was done: the call may be repeated, whatever it does. */
const PASSING = ['equipment_unowned', 'gateway_busy'] as const satisfies readonly ErrorCode[]

/** True for a refusal after which a client that may wait repeats the call. */
export const isRepeated = (code: string | undefined): boolean => PASSING.some((passing) => passing === code)

export interface Repeats {
  readonly clock?: Clock | undefined
  /** Called before a call is repeated that was refused for a reason that passes. */
  readonly onRepeat?: ((refusal: ResponseProblem) => void) | undefined
}

/** Makes a call again while it is refused for a reason that passes, until the pauses add up to `patience`. */
export async function repeated<T>(
  { clock = systemClock, onRepeat }: Repeats,
  call: () => Promise<T>,
  refusalIn: (result: T) => ResponseProblem | undefined,
  signal: AbortSignal | undefined,
  patience = PATIENCE_MS,
): Promise<T> {
  for (let left = patience; ; ) {
    const result = await call()
    if (left <= 0 || signal?.aborted) return result
    const refusal = refusalIn(result)
    if (!refusal || !isRepeated(refusal.code)) return result
    onRepeat?.(refusal)
    const wait = (refusal.extra.retry_after ?? 1) * 1000
    left -= wait
    await delay(clock, wait, signal)
  }
}
