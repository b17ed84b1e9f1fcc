import { durationOf } from '../../kit/duration-text.js'
import { momentOf } from '../../kit/time-text.js'
import { wrongUsage } from '../errors/failure.js'

/** Milliseconds of `500ms`, `30s`, `5m`, `1h30m` or `2d`; fractions are taken, a bare number is not. */
export function parseDuration(text: string, flag: string): number {
  const found = durationOf(text)
  if (found !== undefined) return found
  throw wrongUsage(`${flag} takes a duration such as 500ms, 30s, 5m or 1h30m, not "${text}"`)
}

/** An equipment that is asked more often than after so many milliseconds does little else. */
const LEAST_INTERVAL = 100

/** The milliseconds of `--interval` between two questions to an equipment. */
export function parseInterval(text: string): number {
  const interval = parseDuration(text, '--interval')
  if (interval < LEAST_INTERVAL) throw wrongUsage(`--interval is ${LEAST_INTERVAL}ms or more`)
  return interval
}

/** When something expires: in a duration from `now`, at a time, or `never` (null). In UTC. */
export function parseExpiry(text: string, flag: string, now: Date): string | null {
  if (text === 'never') return null
  const left = durationOf(text)
  const moment =
    left === undefined ? (momentOf(text) ?? localMoment(text, now)?.getTime()) : now.getTime() + left
  const date = new Date(moment ?? Number.NaN)
  if (date.getTime() > now.getTime() && date.getUTCFullYear() < 10_000) return date.toISOString()
  throw wrongUsage(
    `${flag} takes how long from now such as 90d or 12h, a time to come such as 2027-06-30, or never, not "${text}"`,
  )
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?))?$/
const TIME_OF_DAY = /^(\d\d?):(\d\d)(?::(\d\d))?$/

/** A time of this machine's time zone. Undefined for a time of day that does not exist. */
function localDate(year: number, month: number, day: number, time = '00:00'): Date | undefined {
  const [, hours = 0, minutes = 0, seconds = 0] = TIME_OF_DAY.exec(time) ?? []
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined
  return new Date(year, month, day, Number(hours), Number(minutes), Number(seconds))
}

/** What people call a time: `today`, `yesterday`, `08:00`, `2026-11-22`, `2026-11-22 08:00`, all of local time. */
function localMoment(text: string, now: Date): Date | undefined {
  const today = [now.getFullYear(), now.getMonth(), now.getDate()] as const
  const [year, month, day] = today
  if (text === 'now') return now
  if (text === 'today') return localDate(...today)
  if (text === 'yesterday') return localDate(year, month, day - 1)
  if (TIME_OF_DAY.test(text)) {
    const found = localDate(...today, text)
    // Before eight in the morning `08:00` is yesterday's.
    return found && found > now ? localDate(year, month, day - 1, text) : found
  }
  const [, years, months, days, time] = DATE.exec(text) ?? []
  if (years === undefined) return undefined
  const found = localDate(Number(years), Number(months) - 1, Number(days), time)
  const exists = found?.getMonth() === Number(months) - 1 && found.getDate() === Number(days)
  return exists ? found : undefined
}

/** The time that a text names, in UTC: an RFC 3339 time, a local time, or a duration before `now`. */
export function parseTime(text: string, flag: string, now: Date): string {
  const ago = durationOf(text)
  const moment =
    momentOf(text) ?? (ago === undefined ? localMoment(text, now)?.getTime() : now.getTime() - ago)
  if (moment !== undefined && Number.isFinite(moment)) return new Date(moment).toISOString()
  throw wrongUsage(
    `${flag} takes a time such as 08:00, yesterday, 2026-03-01 or 2026-03-01T08:00:00Z, or how long ago such as 10m or 1h30m, not "${text}"`,
  )
}
