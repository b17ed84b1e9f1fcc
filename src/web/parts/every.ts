import { type Cancel, systemClock } from '../../kit/clock.js'

/** Runs work every so many milliseconds, until the result is called. */
export function every(milliseconds: number, work: () => void): Cancel {
  let cancel = systemClock.at(systemClock.now() + milliseconds, function next() {
    cancel = systemClock.at(systemClock.now() + milliseconds, next)
    work()
  })
  return () => cancel()
}
