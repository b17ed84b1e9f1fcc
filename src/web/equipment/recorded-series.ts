import type { RecordedValue } from '../../contract/topics/variables.js'

/** Values over time of one variable, oldest first. */
export interface Series {
  readonly name: string
  readonly unit: string
  /** Seconds since 1970. */
  readonly times: number[]
  readonly values: number[]
}

/** Values of a variable that are drawn; of more the oldest are left out. */
export const MAX_POINTS = 20_000

/** The number that a recorded value is; undefined for text and lists. */
export function numberOf({ value, text }: Pick<RecordedValue, 'value' | 'text'>): number | undefined {
  const [[format, held] = []] = Object.entries(value ?? {})
  if (format === undefined || !/^(U|I|F)\d$/.test(format)) return undefined
  if (Array.isArray(held) && held.length !== 1) return undefined
  const number = Number(Array.isArray(held) ? held[0] : text)
  return Number.isFinite(number) ? number : undefined
}

/** Numbers by name of the variable. `recorded`: newest first, as the history has them. */
export function seriesOf(recorded: readonly RecordedValue[]): ReadonlyMap<string, Series> {
  const series = new Map<string, Series>()
  for (const one of recorded) {
    const number = numberOf(one)
    if (number === undefined) continue
    const name = one.name || (one.id ?? '')
    const known: Series = series.get(name) ?? { name, unit: one.unit ?? '', times: [], values: [] }
    series.set(name, known)
    if (known.times.length >= MAX_POINTS) continue
    // The clock of the equipment may be wrong: the gateway's own time orders all of them.
    known.times.push(Date.parse(one.at) / 1000)
    known.values.push(number)
  }
  for (const { times, values } of series.values()) {
    times.reverse()
    values.reverse()
  }
  return series
}

/** Least, greatest and last value, in words of the unit. */
export function summaryOf({ values }: Series): {
  readonly least: number
  readonly greatest: number
  readonly last: number
} {
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of values) {
    least = Math.min(least, value)
    greatest = Math.max(greatest, value)
  }
  return { least, greatest, last: values.at(-1) ?? Number.NaN }
}
