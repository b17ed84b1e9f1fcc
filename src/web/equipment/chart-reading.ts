import { texts } from '../texts.js'
import type { Mark } from './chart-marks.js'
import { heldAt, type Series } from './recorded-series.js'
import type { Span } from './time-span.js'

const words = texts.equipment
/** Marks that are named at once. */
const MAX_NAMED = 3
/** A shorter time than this has times with milliseconds. */
const EXACT_BELOW_MS = 20_000

/** A number with its unit. */
export const valueWords = (value: number, unit: string): string =>
  `${value.toLocaleString(undefined, { maximumSignificantDigits: 6 })}${unit && ` ${unit}`}`

const isShort = ({ from, to }: Span): boolean => to - from < EXACT_BELOW_MS

interface When {
  readonly shown: Span
  /** By the clock of the gateway. */
  readonly today: Date
}

/** A time with the day where it is not today, and with milliseconds where it is `isExact`: by default, where the time that is shown is short. */
function timeWords(at: number, { shown, today }: When, isExact = isShort(shown)): string {
  const isToday = new Date(at).toDateString() === today.toDateString()
  return new Date(at).toLocaleTimeString(undefined, {
    ...(!isToday && { month: 'short', day: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    ...(isExact && { fractionalSecondDigits: 3 }),
  })
}

/** Whether another value is of the same second, so that only milliseconds tell the two apart. */
function sharesSecond(times: readonly number[], place: number): boolean {
  const second = (at: number) => Math.floor(times[at] ?? Number.NaN)
  return second(place - 1) === second(place) || second(place + 1) === second(place)
}

interface Looked extends When {
  /** Milliseconds since 1970. */
  readonly at: number
  /** Marks that are not farther away are named, in milliseconds. */
  readonly near: number
}

/** What a chart says of a time, line by line: the value then, the time, since when the value is the last one, and the marks. */
export function readingAt(
  { times, values, unit }: Series,
  marks: readonly Mark[],
  { at, near, ...when }: Looked,
): readonly string[] {
  const held = heldAt(times, at / 1000)
  // A key moves the pointer to the very time of a value: the text must differ from that of the value before.
  const isAtValue = held !== undefined && (times[held] ?? 0) * 1000 === at
  const time = timeWords(at, when, isShort(when.shown) || (isAtValue && sharesSecond(times, held)))
  const since = held === undefined || isAtValue ? time : timeWords((times[held] ?? 0) * 1000, when)
  const found = marks.filter((mark) => Math.abs(mark.at - at) <= near)
  return [
    held === undefined ? words.noValueYet : valueWords(values[held] ?? Number.NaN, unit),
    time,
    ...(since === time ? [] : [words.valueSince(since)]),
    ...found.slice(0, MAX_NAMED).map((mark) => `${timeWords(mark.at, when)} ${mark.text}`),
    ...(found.length > MAX_NAMED ? [words.moreMarks(found.length - MAX_NAMED)] : []),
  ]
}

interface Shown {
  readonly series: Series
  readonly marks: readonly Mark[]
  readonly shown: Span
  /** Where the pointer is. */
  readonly at: number | undefined
}

/**
 * The time that a key moves the pointer to: arrows to the next or previous value, Page Up and Page Down to the previous
 * or next mark, Home and End to the first or last value. Undefined for other keys, and where there is none.
 */
export function stepOf(key: string, { series, marks, shown, at }: Shown): number | undefined {
  const isShown = (time: number): boolean => time >= shown.from && time <= shown.to
  const values = (): number[] => series.times.map((time) => time * 1000).filter(isShown)
  const marked = (): number[] => marks.map((mark) => mark.at).filter(isShown)
  const before = (times: readonly number[]) =>
    times.findLast((time) => time < (at ?? Number.POSITIVE_INFINITY))
  const after = (times: readonly number[]) => times.find((time) => time > (at ?? Number.NEGATIVE_INFINITY))
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return before(values())
    case 'ArrowRight':
    case 'ArrowUp':
      return after(values())
    case 'PageUp':
      return before(marked())
    case 'PageDown':
      return after(marked())
    case 'Home':
      return values()[0]
    case 'End':
      return values().at(-1)
    default:
      return undefined
  }
}
