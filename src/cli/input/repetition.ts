import { type Clock, delay } from '../../kit/clock.js'
import { wrongUsage } from '../errors/failure.js'
import { parseDuration } from './durations.js'

/** Asked more often, in milliseconds, an equipment or a gateway does little else. */
const MIN_INTERVAL_MS = 100

/** `--watch` in milliseconds. */
export function watchInterval(given: string): number {
  const interval = parseDuration(given, '--watch')
  if (interval < MIN_INTERVAL_MS) throw wrongUsage(`--watch is ${MIN_INTERVAL_MS}ms or more`)
  return interval
}

/** Does `work` at once and then after each `interval`, `count` times or until `signal` aborts. */
export async function repeatedly(
  clock: Clock,
  interval: number,
  count: number,
  signal: AbortSignal,
  work: (done: number) => Promise<void>,
): Promise<void> {
  let due = clock.now()
  for (let done = 0; done < count && !signal.aborted; done++) {
    if (done > 0) await delay(clock, due - clock.now(), signal)
    if (signal.aborted) return
    // What was missed while the work took longer is not made up for.
    due = Math.max(due + interval, clock.now())
    await work(done)
  }
}
