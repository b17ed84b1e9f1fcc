import { momentOf } from '../kit/time-text.js'
import { Failure } from './failure.js'

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Milliseconds of `500ms`, `30s`, `5m`, `1h` or `2d`; fractions are taken, a bare number is not. */
export function parseDuration(text: string, flag: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text) ?? []
  if (amount === undefined || unit === undefined) {
    throw new Failure('usage', `${flag} takes a duration such as 500ms, 30s, 5m or 1h, not "${text}"`)
  }
  return Number(amount) * UNITS[unit as keyof typeof UNITS]
}

/** The time that an RFC 3339 text or a duration before `now` names, in UTC. */
export function parseTime(text: string, flag: string, now: Date): string {
  const moment = momentOf(text)
  if (moment !== undefined) return new Date(moment).toISOString()
  if (!/^\d+(\.\d+)?(ms|s|m|h|d)$/.test(text)) {
    throw new Failure(
      'usage',
      `${flag} takes a time such as 2026-03-01T08:00:00Z, or how long ago such as 10m, not "${text}"`,
    )
  }
  return new Date(now.getTime() - parseDuration(text, flag)).toISOString()
}
