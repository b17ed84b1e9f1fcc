import { parseTime } from '../gem/time.js'

/** A clock that differs by no more than this is right. */
const TOLERANCE_MS = 60_000
const QUARTER_MS = 15 * 60_000

export interface ClockDifference {
  readonly right: boolean
  /** It is off by whole quarters of an hour: TIME has no zone. */
  readonly zone: boolean
  /** The difference in words. */
  readonly text: string
}

/** The largest difference of two time zones. */
const MAX_ZONE_MS = 26 * 4 * QUARTER_MS

/** How far an equipment's TIME (S2F18) is from the time here. Undefined for what is no TIME. */
export function clockDifference(time: string, now: Date): ClockDifference | undefined {
  const date = parseTime(time)
  return date && differenceOf(date.getTime() - now.getTime())
}

/** The same of a clock that is `off` milliseconds fast; slow where that is negative. */
export function differenceOf(off: number): ClockDifference {
  if (Math.abs(off) <= TOLERANCE_MS) return { right: true, zone: false, text: `right to ${seconds(off)}` }
  const fromZone = Math.abs(off - Math.round(off / QUARTER_MS) * QUARTER_MS)
  const zone = Math.abs(off) <= MAX_ZONE_MS && fromZone <= TOLERANCE_MS
  return { right: false, zone, text: `${lasting(off)} ${off > 0 ? 'fast' : 'slow'}` }
}

const seconds = (ms: number): string => `${(Math.abs(ms) / 1000).toFixed(1)} s`

function lasting(ms: number): string {
  const minutes = Math.round(Math.abs(ms) / 60_000)
  if (minutes < 120) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.round(hours / 24)} days`
}
