import type { Cancel, Clock } from '../kit/clock.js'

const CHECK_INTERVAL_MS = 60_000
/** The clocks may differ by this much from one check to the next: NTP corrects a clock little by little. */
const TOLERANCE_MS = 5000

/**
 * Reports by how many milliseconds the wall clock was set ahead (more than 0) or back, within a minute. A
 * machine that slept shows the same as one whose clock was set ahead.
 */
export function watchClock(clock: Clock, jumped: (by: number) => void): Cancel {
  let cancel: Cancel = () => {}
  const check = (wall: number, at: number): void => {
    cancel = clock.at(at + CHECK_INTERVAL_MS, () => {
      const now = { wall: clock.date().getTime(), at: clock.now() }
      const by = Math.round(now.wall - wall - (now.at - at))
      if (Math.abs(by) > TOLERANCE_MS) jumped(by)
      check(now.wall, now.at)
    })
  }
  check(clock.date().getTime(), clock.now())
  return () => cancel()
}
