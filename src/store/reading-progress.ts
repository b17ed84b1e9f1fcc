import type { Clock } from '../kit/clock.js'

/** Milliseconds until the first text about a long reading, and between two. A start waits for one of them: `daemon/spawn`. */
const FIRST_MS = 1000
const INTERVAL_MS = 5000

/** Takes how far a reading is: `done` of `all`. */
export type ReadingProgress = (doing: string, done: number, all: number) => void

export const SILENT: ReadingProgress = () => {}

/** Tells `info` how far a reading is, after a second and then every five: of a reading that is shorter, nothing. */
export function readingProgress(clock: Clock, info: (text: string) => void): ReadingProgress {
  let due = clock.now() + FIRST_MS
  return (doing, done, all) => {
    if (clock.now() < due) return
    due = clock.now() + INTERVAL_MS
    info(`${doing}: ${Math.floor((100 * done) / all)} %`)
  }
}
