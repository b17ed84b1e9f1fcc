import type { RecordedValue } from '../../../contract/topics/variables.js'
import { numberOf } from '../recorded-series.js'

/** The time in which an equipment worked on a lot, in milliseconds since 1970. */
export interface LotRun {
  readonly lot: string
  readonly from: number
  readonly to: number
  /** How many runs before it had the same lot. */
  readonly repeat: number
}

/** A run with the values of a variable in it. */
export interface DrawnRun extends LotRun {
  /** Names the run in the address. */
  readonly key: string
  /** Seconds since the start of the run, rising. */
  readonly times: readonly number[]
  readonly values: readonly number[]
}

/** Runs that can be drawn; of more the oldest are left out. */
export const MAX_RUNS = 24
/** Longer names of lots are cut. */
const MAX_LENGTH = 64

type Reported = Pick<RecordedValue, 'at' | 'text'>

/**
 * The runs that reports of the lot show, the newest first. `reported`: oldest first. A run begins with the first report
 * that names the lot. It ends with the last one; if there is only one, when another lot or none is named, or at `end`.
 */
export function runsOf(reported: readonly Reported[], end: number): readonly LotRun[] {
  const found: { lot: string; from: number; last: number; next: number }[] = []
  let current: (typeof found)[number] | undefined
  for (const { at, text } of reported) {
    const [lot, time] = [(text ?? '').trim().slice(0, MAX_LENGTH), Date.parse(at)]
    if (current?.lot === lot) {
      current.last = time
      continue
    }
    if (current) current.next = time
    current = lot === '' ? undefined : { lot, from: time, last: time, next: end }
    if (current) found.push(current)
  }
  const counts = new Map<string, number>()
  return found
    .map(({ lot, from, last, next }) => {
      const repeat = counts.get(lot) ?? 0
      counts.set(lot, repeat + 1)
      return { lot, from, to: last > from ? last : next, repeat }
    })
    .reverse()
    .slice(0, MAX_RUNS)
}

/** The key of a run in the address: the same as long as its reports are kept. */
export const keyOf = ({ lot, from }: LotRun): string => `${lot} ${new Date(from).toISOString()}`

/** The numbers of each run. `recorded`: values of one variable in any order. */
export function drawnRuns(runs: readonly LotRun[], recorded: readonly RecordedValue[]): readonly DrawnRun[] {
  const points = recorded
    .flatMap((one) => {
      const value = numberOf(one)
      return value === undefined ? [] : [{ at: Date.parse(one.at), value }]
    })
    .sort((one, other) => one.at - other.at)
  return runs.map((run) => {
    const inside = points.filter(({ at }) => at >= run.from && at <= run.to)
    return {
      ...run,
      key: keyOf(run),
      times: inside.map(({ at }) => (at - run.from) / 1000),
      values: inside.map(({ value }) => value),
    }
  })
}

/** Points of a line that is drawn: more than a screen has cannot be seen. */
const MAX_DRAWN = 1000

/** At most so many points of a run: of each stretch the least and the greatest, so that no peak is lost. */
export function thinned({
  times,
  values,
}: Pick<DrawnRun, 'times' | 'values'>): readonly (readonly [number, number])[] {
  const all = times.map((time, at) => [time, values[at] ?? 0] as const)
  if (all.length <= MAX_DRAWN) return all
  const size = Math.ceil((2 * all.length) / MAX_DRAWN)
  const kept: (readonly [number, number])[] = []
  for (let begin = 0; begin < all.length; begin += size) {
    const part = all.slice(begin, begin + size)
    const least = part.reduce((best, one) => (one[1] < best[1] ? one : best))
    const greatest = part.reduce((best, one) => (one[1] > best[1] ? one : best))
    kept.push(...(least === greatest ? [least] : [least, greatest].sort((a, b) => a[0] - b[0])))
  }
  return kept
}

/** The last value at or before a time in seconds; undefined before the first and after the end of the run. */
export function valueAt({ times, values, from, to }: DrawnRun, time: number): number | undefined {
  if (time > (to - from) / 1000) return undefined
  const at = times.findLastIndex((one) => one <= time)
  return at < 0 ? undefined : values[at]
}
