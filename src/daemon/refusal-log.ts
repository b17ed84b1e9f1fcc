import type { Logger } from 'pino'
import type { Clock } from '../kit/clock.js'

/** Between two lines, in milliseconds. */
const INTERVAL_MS = 10_000

/**
 * Logs connections that were closed because of their PROXY protocol header: at once, then one line in ten seconds at
 * most, with the number of those that were left out.
 */
export function refusalLog(
  clock: Clock,
  log: Pick<Logger, 'warn'>,
): (remote: string, detail: string) => void {
  let next = 0
  let omitted = 0
  return (remote, detail) => {
    if (clock.now() < next) {
      omitted += 1
      return
    }
    next = clock.now() + INTERVAL_MS
    log.warn(
      { remote, ...(omitted > 0 && { omitted }) },
      `a connection to an HSMS port was closed: ${detail}`,
    )
    omitted = 0
  }
}
