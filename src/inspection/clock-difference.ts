import { parseTime } from '../gem/time.js'

/** An equipment's clock that is off by no more than this is right, in milliseconds. */
const TOLERANCE = 60_000
const QUARTER = 15 * 60_000

export interface ClockDifference {
  readonly right: boolean
  /** It is off by whole quarters of an hour: TIME tells no zone. */
  readonly zone: boolean
  /** In words: how far it is off, and which way. */
  readonly text: string
}

/** The furthest that two time zones are apart, in milliseconds. */
const WORLD = 26 * 4 * QUARTER

/** How far an equipment's TIME (S2F18) is from the time here. Undefined for what is no TIME. */
export function clockDifference(time: string, now: Date): ClockDifference | undefined {
  const told = parseTime(time)
  return told && differenceOf(told.getTime() - now.getTime())
}

/** The same of a clock that is `off` milliseconds fast; slow where that is negative. */
export function differenceOf(off: number): ClockDifference {
  if (Math.abs(off) <= TOLERANCE) return { right: true, zone: false, text: `right to ${seconds(off)}` }
  const fromZone = Math.abs(off - Math.round(off / QUARTER) * QUARTER)
  const zone = Math.abs(off) <= WORLD && fromZone <= TOLERANCE
  return { right: false, zone, text: `${lasting(off)} ${off > 0 ? 'fast' : 'slow'}` }
}

const seconds = (ms: number): string => `${(Math.abs(ms) / 1000).toFixed(1)} s`

function lasting(ms: number): string {
  const minutes = Math.round(Math.abs(ms) / 60_000)
  if (minutes < 120) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.round(hours / 24)} days`
}
