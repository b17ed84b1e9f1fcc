import { ARRAYS, type IntegerFormat, type NumberFormat } from './format.js'
import type { NumberItem } from './number-item.js'

/** Smallest and largest value of each integer format. */
export const INTEGER_RANGES = {
  I1: { min: -(2n ** 7n), max: 2n ** 7n - 1n },
  I2: { min: -(2n ** 15n), max: 2n ** 15n - 1n },
  I4: { min: -(2n ** 31n), max: 2n ** 31n - 1n },
  I8: { min: -(2n ** 63n), max: 2n ** 63n - 1n },
  U1: { min: 0n, max: 2n ** 8n - 1n },
  U2: { min: 0n, max: 2n ** 16n - 1n },
  U4: { min: 0n, max: 2n ** 32n - 1n },
  U8: { min: 0n, max: 2n ** 64n - 1n },
} as const satisfies Record<IntegerFormat, { min: bigint; max: bigint }>

/** The largest F4: 24 bits of ones, the highest of them worth 2^127. */
const F4_MAX = (2 - 2 ** -23) * 2 ** 127

/** The same as numbers, for formats whose values are all exact numbers: comparing bigints is slow. */
const NUMBER_RANGES = {
  I1: { min: -(2 ** 7), max: 2 ** 7 - 1, whole: true },
  I2: { min: -(2 ** 15), max: 2 ** 15 - 1, whole: true },
  I4: { min: -(2 ** 31), max: 2 ** 31 - 1, whole: true },
  U1: { min: 0, max: 2 ** 8 - 1, whole: true },
  U2: { min: 0, max: 2 ** 16 - 1, whole: true },
  U4: { min: 0, max: 2 ** 32 - 1, whole: true },
  F4: { min: -F4_MAX, max: F4_MAX, whole: false },
  F8: { min: -Number.MAX_VALUE, max: Number.MAX_VALUE, whole: false },
} as const

/** The types in which a value may be given. */
type Given = number | bigint | string

const INTEGER = /^[+-]?(\d+|0[xX][0-9a-fA-F]+)$/
const FLOAT = /^[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?$/
const INFINITE = /^([+-]?)inf(inity)?$/i

/** A value longer than this cannot be one: an F8 in full has 1,078 characters at most. */
const MAX_NUMBER_LENGTH = 1100

/**
 * A value of `format` from a number or from its text: decimal, `0x` hexadecimal for integers, `NaN` and
 * `Infinity` for floats. Throws a RangeError that says what does not fit.
 */
export function readNumber(format: NumberFormat, given: Given): number | bigint {
  if (typeof given === 'string' && given.length > MAX_NUMBER_LENGTH)
    throw new RangeError(`too long for ${format}`)
  return format === 'F4' || format === 'F8' ? readFloat(format, given) : readInteger(format, given)
}

/** A number of JSON that is beyond the doubles is read as Infinity: nobody meant that, who would have written a string. */
export function finite<T extends Given>(given: T): T {
  if (given === Infinity || given === -Infinity)
    throw new RangeError(`the number is beyond F8; what is infinite is written as a string, "${given}"`)
  return given
}

function readInteger(format: IntegerFormat, given: Given): number | bigint {
  if (typeof given === 'number' && format !== 'I8' && format !== 'U8') {
    const range = NUMBER_RANGES[format]
    // Adding 0 turns -0 into 0: an integer has no -0.
    if (Number.isInteger(given) && given >= range.min && given <= range.max) return given + 0
  }
  const { min, max } = INTEGER_RANGES[format]
  if (typeof given === 'number' && Number.isInteger(given) && !Number.isSafeInteger(given)) {
    throw new RangeError(`${given} is beyond 2^53, where a number is not exact: write it as a string`)
  }
  const value = exactInteger(given)
  if (value === undefined) throw new RangeError(`${show(given)} is no integer, as ${format} wants`)
  if (value < min || value > max)
    throw new RangeError(`${show(given)} is outside ${format}: ${min} to ${max}`)
  return format === 'I8' || format === 'U8' ? value : Number(value)
}

function exactInteger(given: Given): bigint | undefined {
  if (typeof given === 'bigint') return given
  if (typeof given === 'number') return Number.isInteger(given) ? BigInt(given) : undefined
  if (!INTEGER.test(given)) return undefined
  const digits = given.replace(/^[+-]/, '')
  return given.startsWith('-') ? -BigInt(digits) : BigInt(digits)
}

function readFloat(format: 'F4' | 'F8', given: Given): number {
  const value = typeof given === 'string' ? floatOf(given) : Number(given)
  if (value === undefined) throw new RangeError(`${show(given)} is no number`)
  const fitting = format === 'F4' ? Math.fround(value) : value
  const meantInfinite = typeof given === 'number' ? !Number.isFinite(given) : INFINITE.test(String(given))
  if (!Number.isFinite(fitting) && !Number.isNaN(fitting) && !meantInfinite) {
    throw new RangeError(`${show(given)} is beyond ${format}`)
  }
  return fitting
}

function floatOf(text: string): number | undefined {
  if (FLOAT.test(text)) return Number(text)
  if (INTEGER.test(text)) return Number(exactInteger(text))
  const infinite = INFINITE.exec(text)
  if (infinite) return infinite[1] === '-' ? -Infinity : Infinity
  return /^nan$/i.test(text) ? Number.NaN : undefined
}

const show = (given: Given): string =>
  typeof given === 'string'
    ? JSON.stringify(given.length > 40 ? `${given.slice(0, 40)}...` : given)
    : String(given)

/** The item of `values`: one as itself, none or several as a typed array. RangeError for one that does not fit. */
export function numberItem(format: NumberFormat, values: readonly Given[]): NumberItem {
  const [first] = values
  if (values.length === 1 && first !== undefined) return singleItem(format, first)
  const value =
    format === 'I8' || format === 'U8'
      ? new ARRAYS[format](values.map((value) => BigInt(readNumber(format, value))))
      : format === 'U4'
        ? unsigned32(values)
        : new ARRAYS[format](numbers(format, values))
  return { format, value } as NumberItem
}

function singleItem(format: NumberFormat, value: Given): NumberItem {
  if (format === 'I8' || format === 'U8') return { format, value: BigInt(readNumber(format, value)) }
  if (typeof value === 'number' && holds(format, value)) return { format, value }
  return { format, value: Number(readNumber(format, value)) }
}

/** Whether a number is a value of the format, of which nothing is left but to keep it: most are. -0 is none of an integer. */
function holds(format: keyof typeof NUMBER_RANGES, value: number): boolean {
  switch (format) {
    case 'U4':
      return value >>> 0 === value && !Object.is(value, -0)
    case 'F4':
      return Math.fround(value) === value
    case 'F8':
      return Number.isFinite(value)
    default: {
      const { min, max } = NUMBER_RANGES[format]
      return (value | 0) === value && value >= min && value <= max && !Object.is(value, -0)
    }
  }
}

/** The format of the longest arrays: checked and stored in one step, without an array of doubles. */
function unsigned32(values: readonly Given[]): Uint32Array {
  const integers = new Uint32Array(values.length)
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? Number.NaN
    integers[at] =
      typeof value === 'number' && value >>> 0 === value ? value : Number(readNumber('U4', value))
  }
  return integers
}

/**
 * Values as numbers that `format` holds. They pass through doubles, which hold all of these formats: one kind of
 * array to fill is many times faster than eight.
 */
function numbers(format: keyof typeof NUMBER_RANGES, values: readonly Given[]): Float64Array {
  const { min, max, whole } = NUMBER_RANGES[format]
  const doubles = new Float64Array(values.length)
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? Number.NaN
    const fits = typeof value === 'number' && value >= min && value <= max
    doubles[at] = fits && (!whole || Number.isInteger(value)) ? value : Number(readNumber(format, value))
  }
  return doubles
}

/** The values of a number item, one or many, in order. */
export function numbersOf(item: NumberItem): Iterable<number | bigint> & { readonly length: number } {
  const { value } = item
  return typeof value === 'object' ? value : [value]
}

/** A value in few digits that read back as the same; of an F4, six where they are enough. */
export function numberText(format: NumberFormat, value: number | bigint): string {
  if (Object.is(value, -0)) return '-0'
  if (typeof value === 'bigint' || format !== 'F4') return String(value)
  for (let digits = 6; digits <= 9; digits++) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return String(short)
  }
  return String(value)
}
