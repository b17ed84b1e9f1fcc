/** The SECS-II item formats (SEMI E5) and their codes, as the standard writes them: in octal. */
export const FORMAT_CODES = {
  L: 0o00,
  B: 0o10,
  BOOLEAN: 0o11,
  A: 0o20,
  J: 0o21,
  C: 0o22,
  I8: 0o30,
  I1: 0o31,
  I2: 0o32,
  I4: 0o34,
  F8: 0o40,
  F4: 0o44,
  U8: 0o50,
  U1: 0o51,
  U2: 0o52,
  U4: 0o54,
} as const

export type Format = keyof typeof FORMAT_CODES
export type IntegerFormat = 'I1' | 'I2' | 'I4' | 'I8' | 'U1' | 'U2' | 'U4' | 'U8'
export type FloatFormat = 'F4' | 'F8'
export type NumberFormat = IntegerFormat | FloatFormat
export type TextFormat = 'A' | 'J' | 'C'

export const isFormat = (name: string): name is Format => Object.hasOwn(FORMAT_CODES, name)

export const FORMATS = Object.keys(FORMAT_CODES).filter(isFormat)

export const isTextFormat = (format: Format): format is TextFormat =>
  format === 'A' || format === 'J' || format === 'C'

/** Bytes of one value in each number format. */
export const NUMBER_WIDTHS = {
  I1: 1,
  I2: 2,
  I4: 4,
  I8: 8,
  U1: 1,
  U2: 2,
  U4: 4,
  U8: 8,
  F4: 4,
  F8: 8,
} as const satisfies Record<NumberFormat, number>

/** The formats of values that are kept in arrays. */
export type ValueFormat = NumberFormat | 'B' | 'BOOLEAN'

/** Holds several values of a format. */
export const ARRAYS = {
  B: Uint8Array,
  BOOLEAN: Uint8Array,
  I1: Int8Array,
  I2: Int16Array,
  I4: Int32Array,
  I8: BigInt64Array,
  U1: Uint8Array,
  U2: Uint16Array,
  U4: Uint32Array,
  U8: BigUint64Array,
  F4: Float32Array,
  F8: Float64Array,
} as const satisfies Record<ValueFormat, unknown>

export const isNumberFormat = (name: string): name is NumberFormat => Object.hasOwn(NUMBER_WIDTHS, name)

/**
 * Bytes of one value of a format; a character and a truth are one each. A switch: to look a property up by its
 * name takes longer than to read or write a number.
 */
export function widthOf(format: Exclude<Format, 'L'>): number {
  switch (format) {
    case 'U4':
    case 'F4':
    case 'I4':
      return NUMBER_WIDTHS.U4
    case 'U2':
    case 'I2':
      return NUMBER_WIDTHS.U2
    case 'F8':
    case 'U8':
    case 'I8':
      return NUMBER_WIDTHS.U8
    default:
      return 1
  }
}
