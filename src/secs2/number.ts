import type { IntegerFormat, NumberFormat } from './format.js'
import type { NumberItem } from './item.js'

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

const INTEGER = /^[+-]?(\d+|0[xX][0-9a-fA-F]+)$/
const FLOAT = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/
const INFINITE = /^([+-]?)inf(inity)?$/i

/** A value longer than this cannot be one: an F8 in full has 1,078 characters at most. */
const LONGEST_NUMBER = 1100

/**
 * A value of `format` from a number or from its text: decimal, `0x` hexadecimal for integers, `NaN` and
 * `Infinity` for floats. Throws a RangeError that says what does not fit.
 */
export function readNumber(format: NumberFormat, given: number | bigint | string): number | bigint {
  if (typeof given === 'string' && given.length > LONGEST_NUMBER)
    throw new RangeError(`too long for ${format}`)
  return format === 'F4' || format === 'F8' ? readFloat(format, given) : readInteger(format, given)
}

function readInteger(format: IntegerFormat, given: number | bigint | string): number | bigint {
  const { min, max } = INTEGER_RANGES[format]
  if (typeof given === 'number' && Number.isSafeInteger(given) && given >= min && given <= max) {
    return format === 'I8' || format === 'U8' ? BigInt(given) : given + 0
  }
  if (typeof given === 'number' && Number.isInteger(given) && !Number.isSafeInteger(given)) {
    throw new RangeError(`${given} is beyond 2^53, where a number is not exact: write it as a string`)
  }
  const value = exactInteger(given)
  if (value === undefined) throw new RangeError(`${show(given)} is no integer, as ${format} wants`)
  if (value < min || value > max)
    throw new RangeError(`${show(given)} is outside ${format}: ${min} to ${max}`)
  return format === 'I8' || format === 'U8' ? value : Number(value)
}

function exactInteger(given: number | bigint | string): bigint | undefined {
  if (typeof given === 'bigint') return given
  if (typeof given === 'number') return Number.isInteger(given) ? BigInt(given) : undefined
  if (!INTEGER.test(given)) return undefined
  const digits = given.replace(/^[+-]/, '')
  return given.startsWith('-') ? -BigInt(digits) : BigInt(digits)
}

function readFloat(format: 'F4' | 'F8', given: number | bigint | string): number {
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

const show = (given: number | bigint | string): string =>
  typeof given === 'string'
    ? JSON.stringify(given.length > 40 ? `${given.slice(0, 40)}...` : given)
    : String(given)

/** The item of `values`: one as itself, none or several as a typed array. RangeError for one that does not fit. */
export function numberItem(format: NumberFormat, values: readonly (number | bigint | string)[]): NumberItem {
  const [first] = values
  if (format === 'I8' || format === 'U8') {
    const read = (value: number | bigint | string): bigint => BigInt(readNumber(format, value))
    if (values.length === 1 && first !== undefined) return { format, value: read(first) }
    return format === 'I8'
      ? { format, value: BigInt64Array.from(values, read) }
      : { format, value: BigUint64Array.from(values, read) }
  }
  const read = (value: number | bigint | string): number => Number(readNumber(format, value))
  if (values.length === 1 && first !== undefined) return { format, value: read(first) }
  switch (format) {
    case 'I1':
      return { format, value: Int8Array.from(values, read) }
    case 'I2':
      return { format, value: Int16Array.from(values, read) }
    case 'I4':
      return { format, value: Int32Array.from(values, read) }
    case 'U1':
      return { format, value: Uint8Array.from(values, read) }
    case 'U2':
      return { format, value: Uint16Array.from(values, read) }
    case 'U4':
      return { format, value: Uint32Array.from(values, read) }
    case 'F4':
      return { format, value: Float32Array.from(values, read) }
    case 'F8':
      return { format, value: Float64Array.from(values, read) }
  }
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
