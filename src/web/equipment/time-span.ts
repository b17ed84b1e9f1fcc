const HOUR_MS = 3_600_000
/** The shortest part of the time that is shown, in milliseconds. */
const MIN_SPAN_MS = 1000
/** The shortest whole time: that of equipment that has just been added. */
const MIN_WHOLE_MS = 60_000
const ZOOM = 2

/** A stretch of time, in milliseconds since 1970. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** The times `from` and `to` of an address; undefined where they are not two times in order. */
export function spanIn(query: URLSearchParams): Span | undefined {
  const [from, to] = [Date.parse(query.get('from') ?? ''), Date.parse(query.get('to') ?? '')]
  return to - from >= MIN_SPAN_MS ? { from, to } : undefined
}

/** A span as the address has it; `spanIn` reads it. */
export const addressOf = ({ from, to }: Span): Readonly<Record<'from' | 'to', string>> => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
})

/** The whole time of a page that follows the present: the last hours, and no time before the equipment existed. */
export function lastHours(hours: number, now: number, since: number): Span {
  const from = Math.max(now - hours * HOUR_MS, since)
  return { from: Math.min(from, now - MIN_WHOLE_MS), to: now }
}

/**
 * The whole time of a page that shows a span before the last hours; undefined for a span within them. It stays the same
 * while one moves a little, so that not everything is read again.
 */
export function pastAround(span: Span, hours: number, now: number): Span | undefined {
  if (span.from >= now - hours * HOUR_MS) return undefined
  const step = (hours * HOUR_MS) / 2
  const from = Math.floor(span.from / step) * step
  return { from, to: Math.min(now, Math.max(from + 3 * step, span.to)) }
}

/** Half of a span around its middle, or twice of it. */
export function zoomed({ from, to }: Span, isIn: boolean): Span {
  const half = Math.max(MIN_SPAN_MS / 2, ((to - from) / 2) * (isIn ? 1 / ZOOM : ZOOM))
  const middle = (from + to) / 2
  return { from: middle - half, to: middle + half }
}

/** A quarter later for 1, a quarter earlier for -1. */
export function moved({ from, to }: Span, direction: 1 | -1): Span {
  const by = ((to - from) / 4) * direction
  return { from: from + by, to: to + by }
}

/** The span moved and cut so that it is within `limits` and not longer than `longest`, in whole milliseconds. */
export function within({ from, to }: Span, limits: Span, longest: number): Span {
  const length = Math.min(to - from, limits.to - limits.from, longest)
  const start = Math.max(limits.from, Math.min(from, limits.to - length))
  return { from: Math.floor(start), to: Math.ceil(start + length) }
}
