import { limitedText } from '../../kit/text/limited-text.js'
import type { MatcherName, ValueType } from '../file/schema.js'

const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)

/** Characters of a value in a sentence. */
const MAX_SHOWN = 1000
const shownText = (value: unknown): string => limitedText(textOf(value), MAX_SHOWN)

/** A number is compared as a number, whatever format the item has; everything else as text. */
export function isEqual(actual: unknown, expected: unknown): boolean {
  if (Array.isArray(expected) || Array.isArray(actual))
    return (
      Array.isArray(expected) &&
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((one, at) => isEqual(actual[at], one))
    )
  if (typeof expected === 'number') return textOf(actual).trim() !== '' && Number(actual) === expected
  return actual !== undefined && actual !== null && textOf(actual) === textOf(expected)
}

const sizeOf = (value: unknown): number =>
  Array.isArray(value) ? value.length : [...textOf(value ?? '')].length
const numberOf = (value: unknown): number =>
  value === undefined || value === '' ? Number.NaN : Number(value)

/** `*` stands for any characters. */
export const isLike = (text: string, pattern: string): boolean =>
  new RegExp(`^${pattern.split('*').map(escaped).join('[^]*')}$`).test(text)
const escaped = (text: string): string => text.replace(/[\\^$.|?+()[\]{}]/g, '\\$&')

const isNumber = (value: unknown): boolean =>
  !Array.isArray(value) && textOf(value).trim() !== '' && Number.isFinite(numberOf(value))
const IS_TYPE: Readonly<Record<ValueType, (value: unknown) => boolean>> = {
  number: isNumber,
  integer: (value) => isNumber(value) && Number.isInteger(numberOf(value)),
  text: (value) => typeof value === 'string',
  list: (value) => Array.isArray(value),
}

const HOLDS: Readonly<Record<MatcherName, (actual: unknown, expected: never) => boolean>> = {
  equals: isEqual,
  not: (actual, expected) => actual !== undefined && !isEqual(actual, expected),
  one_of: (actual, expected: readonly unknown[]) => expected.some((one) => isEqual(actual, one)),
  min: (actual, least: number) => numberOf(actual) >= least,
  max: (actual, most: number) => numberOf(actual) <= most,
  present: (actual, expected: boolean) => (actual !== undefined) === expected,
  contains: (actual, part: string) =>
    Array.isArray(actual) ? actual.some((one) => isEqual(one, part)) : textOf(actual ?? '').includes(part),
  like: (actual, pattern: string) => actual !== undefined && isLike(textOf(actual), pattern),
  length: (actual, count: number) => actual !== undefined && sizeOf(actual) === count,
  type: (actual, type: ValueType) => actual !== undefined && IS_TYPE[type](actual),
}

/** The matchers that a value in a file stands for: a value alone means `equals`, a list `one_of`. */
function matchersOf(written: unknown): Readonly<Record<string, unknown>> {
  if (Array.isArray(written)) return { one_of: written }
  return typeof written === 'object' && written !== null
    ? (written as Record<string, unknown>)
    : { equals: written }
}

/** What is wrong with `actual`, such as `HCACK is 3, not one of 0, 4`; undefined where it is as expected. */
export function mismatch(name: string, actual: unknown, written: unknown): string | undefined {
  for (const [matcher, expected] of Object.entries(matchersOf(written))) {
    if (HOLDS[matcher as MatcherName](actual, expected as never)) continue
    const is = actual === undefined ? `${name} is missing` : `${name} is ${shownText(actual)}`
    return `${is}; expected ${expectedWords(matcher, expected)}`
  }
  return undefined
}

function expectedWords(matcher: string, expected: unknown): string {
  const words = shownText(Array.isArray(expected) ? expected.map(textOf).join(', ') : expected)
  if (matcher === 'equals') return words
  if (matcher === 'present') return expected ? 'a value' : 'no value'
  return `${matcher.replaceAll('_', ' ')} ${words}`
}

/** The first mismatch of several values; undefined where all are as expected. */
export function firstMismatch(
  values: Readonly<Record<string, unknown>>,
  written: unknown,
): string | undefined {
  for (const [name, expected] of Object.entries((written ?? {}) as Record<string, unknown>)) {
    const wrong = mismatch(name, valueNamed(values, name), expected)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

/** A value by its name, or by a path such as `ROWS.0.SVID`; undefined where there is none. */
export function valueNamed(values: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(values, name)) return values[name]
  return name.split('.').reduce<unknown>((value, step) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    return (value as Record<string, unknown>)[step]
  }, values)
}
