import type { Span } from './timeline.js'

export const HOURS = ['8', '12', '24'] as const
export type Hours = (typeof HOURS)[number]
const HOUR_MS = 3_600_000

/** The time that the page shows, as its address says it. */
export interface ShiftWindow {
  readonly hours: Hours
  /** Milliseconds since 1970; undefined for the last hours until now. */
  readonly begin: number | undefined
}

export function windowOf(query: URLSearchParams): ShiftWindow {
  const hours = HOURS.find((known) => known === query.get('hours')) ?? '8'
  const begin = Date.parse(query.get('from') ?? '')
  return { hours, begin: Number.isNaN(begin) ? undefined : begin }
}

/** The window at a time of the gateway; a shift that has begun ends in the future. */
export function spanOf({ hours, begin }: ShiftWindow, now: number): Span {
  const length = Number(hours) * HOUR_MS
  return begin === undefined ? { from: now - length, to: now } : { from: begin, to: begin + length }
}
