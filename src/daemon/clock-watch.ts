import type { Cancel, Clock } from '../kit/clock.js'

/** Milliseconds from one look to the next. */
const WAIT = 60_000
/** Milliseconds within which clocks may go apart from one look to the next: one is put right little by little. */
const TOLERANCE = 5000

/**
 * Tells by how many milliseconds the wall clock was set ahead (more than 0) or back, within a minute of it. A
 * machine that slept shows the same as one whose clock was set ahead.
 */
export function watchClock(clock: Clock, jumped: (by: number) => void): Cancel {
  let cancel: Cancel = () => {}
  const look = (wall: number, at: number): void => {
    cancel = clock.at(at + WAIT, () => {
      const now = { wall: clock.date().getTime(), at: clock.now() }
      const by = Math.round(now.wall - wall - (now.at - at))
      if (Math.abs(by) > TOLERANCE) jumped(by)
      look(now.wall, now.at)
    })
  }
  look(clock.date().getTime(), clock.now())
  return () => cancel()
}
