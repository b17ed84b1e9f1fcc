import type { Clock } from '../kit/clock.js'

/** Milliseconds between two texts about a long reading. A start waits for one of them: `daemon/spawn`. */
const INTERVAL_MS = 5000

/** Takes how far a reading is: `done` of `all`. */
export type ReadingProgress = (doing: string, done: number, all: number) => void

export const SILENT: ReadingProgress = () => {}

/** Tells `info` how far a reading is, every five seconds: of a reading that is shorter, nothing. */
export function readingProgress(clock: Clock, info: (text: string) => void): ReadingProgress {
  let last = clock.now()
  return (doing, done, all) => {
    if (clock.now() - last < INTERVAL_MS) return
    last = clock.now()
    info(`${doing}: ${Math.floor((100 * done) / all)} %`)
  }
}
