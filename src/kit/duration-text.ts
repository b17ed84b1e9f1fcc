/** Of the parts in `DURATION`, in milliseconds. */
const UNITS_MS = [86_400_000, 3_600_000, 60_000, 1_000, 1] as const

/** Parts from the largest unit to the smallest, each at most once. */
const DURATION =
  /^(?=\d)(?:(\d+(?:\.\d+)?)d)?(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?$/

/** Milliseconds of `500ms`, `30s`, `5m`, `1h30m` or `2d`, also with fractions; undefined for any other text. */
export function durationOf(text: string): number | undefined {
  const parts = DURATION.exec(text)?.slice(1)
  return parts && UNITS_MS.reduce((sum, unit, at) => sum + Number(parts[at] ?? 0) * unit, 0)
}

/** A duration for people: `350 ms`, `12.3 s`, `4 min 5 s`, `2 h 10 min`. */
export function durationWords(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`
  const seconds = Math.round(milliseconds / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  const minutes = Math.round(seconds / 60)
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
