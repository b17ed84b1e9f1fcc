const two = (value: number): string => String(value).padStart(2, '0')

/** How TIME is written, by E30's TimeFormat: 0 as YYMMDDhhmmss, 1 as YYYYMMDDhhmmsscc, 2 as ISO 8601. */
export type TimeFormat = 0 | 1 | 2

/**
 * E5's TIME: of 16 characters and this computer's local time, in hundredths of a second, unless `format` says
 * otherwise. ISO 8601 is in UTC.
 */
export function formatTime(date: Date, format: TimeFormat = 1): string {
  if (format === 2) return date.toISOString()
  if (format === 0) return formatTime(date).slice(2, 14)
  return [
    String(date.getFullYear()).padStart(4, '0'),
    two(date.getMonth() + 1),
    two(date.getDate()),
    two(date.getHours()),
    two(date.getMinutes()),
    two(date.getSeconds()),
    two(Math.floor(date.getMilliseconds() / 10)),
  ].join('')
}

/** Local time as ISO 8601 to hundredths of a second, without an offset: for a clock whose time zone is not known. */
export function wallTime(date: Date): string {
  const [, year, month, day, hour, minute, second, hundredths] =
    /^(.{4})(..)(..)(..)(..)(..)(..)$/.exec(formatTime(date)) ?? []
  return `${year}-${month}-${day}T${hour}:${minute}:${second}.${hundredths}`
}

const TWELVE = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/
/** No standard's, and still some equipment's. */
const FOURTEEN = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/
const SIXTEEN = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/

/**
 * Reads E5's TIME of 12 characters (YYMMDDhhmmss, the years 1970 to 2069), of 16, of 14 (the same without
 * hundredths), or an ISO 8601 time; all but the last are local. Undefined when `text` is none of them or no such time exists.
 */
export function parseTime(text: string): Date | undefined {
  const parts = TWELVE.exec(text) ?? SIXTEEN.exec(text) ?? FOURTEEN.exec(text)
  if (!parts) {
    const date = /^\d{4}-\d\d-\d\dT/.test(text) ? new Date(text) : undefined
    return date && !Number.isNaN(date.getTime()) ? date : undefined
  }
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, hundredths = 0] = parts
    .slice(1)
    .map(Number)
  const full = text.length > 12 ? year : year + (year < 70 ? 2000 : 1900)
  const date = new Date(full, month - 1, day, hour, minute, second, hundredths * 10)
  // What `Date` had to carry over (31 April, 25 o'clock) comes back different.
  const exists = date.getMonth() === month - 1 && date.getDate() === day && date.getHours() === hour
  return exists && minute < 60 && second < 60 ? date : undefined
}

/** So many seconds before a TIME, as ISO 8601: with an offset where the TIME has one. Null for what is no TIME. */
export function timeBefore(text: string, seconds: number): string | null {
  const parsed = parseTime(text)
  if (!parsed) return null
  const time = new Date(parsed.getTime() - Math.round(seconds * 1000))
  return text.includes('T') ? time.toISOString() : wallTime(time)
}
