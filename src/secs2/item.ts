import type { TextFormat } from './format.js'
import { numberItem } from './number.js'

/** A list of items. */
export interface ListItem {
  readonly format: 'L'
  readonly items: readonly Item[]
}

/** Bytes, or truth values kept as the bytes they were (0 is false, anything else true). */
export interface BytesItem {
  readonly format: 'B' | 'BOOLEAN'
  readonly bytes: Uint8Array
}

/**
 * Text as the bytes it was on the wire. What they mean depends on the equipment's encoding, so an item does
 * not decide it. A `C` item's bytes begin with its two-byte encoding word.
 */
export interface TextItem {
  readonly format: TextFormat
  readonly bytes: Uint8Array
}

/** Numbers: a single one as itself, none or several as a typed array. */
export type NumberItem =
  | { readonly format: 'I1'; readonly value: number | Int8Array }
  | { readonly format: 'I2'; readonly value: number | Int16Array }
  | { readonly format: 'I4'; readonly value: number | Int32Array }
  | { readonly format: 'U1'; readonly value: number | Uint8Array }
  | { readonly format: 'U2'; readonly value: number | Uint16Array }
  | { readonly format: 'U4'; readonly value: number | Uint32Array }
  | { readonly format: 'F4'; readonly value: number | Float32Array }
  | { readonly format: 'F8'; readonly value: number | Float64Array }
  | { readonly format: 'I8'; readonly value: bigint | BigInt64Array }
  | { readonly format: 'U8'; readonly value: bigint | BigUint64Array }

/** One SECS-II item (SEMI E5): data without behaviour. */
export type Item = ListItem | BytesItem | TextItem | NumberItem

/** A list of items. */
export const L = (...items: readonly Item[]): ListItem => ({ format: 'L', items })

/** Latin-1 text. A RangeError for a character above U+00FF: other text wants a `TextCodec`. */
export function A(text: string): TextItem {
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code > 0xff) throw new RangeError(`the character ${text[at]} is not in Latin-1`)
    bytes[at] = code
  }
  return { format: 'A', bytes }
}

/** Bytes, each 0 to 255. */
export function B(...bytes: readonly number[]): BytesItem {
  const wrong = bytes.find((byte) => !Number.isInteger(byte) || byte < 0 || byte > 0xff)
  if (wrong !== undefined) throw new RangeError(`${wrong} is no byte: 0 to 255`)
  return { format: 'B', bytes: Uint8Array.from(bytes) }
}

export const BOOLEAN = (...values: readonly boolean[]): BytesItem => ({
  format: 'BOOLEAN',
  bytes: Uint8Array.from(values, Number),
})

// Numbers: a RangeError for one that its format cannot hold. F4 rounds to the nearest value it has.
type Numbers = readonly (number | bigint)[]
export const I1 = (...values: Numbers): NumberItem => numberItem('I1', values)
export const I2 = (...values: Numbers): NumberItem => numberItem('I2', values)
export const I4 = (...values: Numbers): NumberItem => numberItem('I4', values)
export const I8 = (...values: Numbers): NumberItem => numberItem('I8', values)
export const U1 = (...values: Numbers): NumberItem => numberItem('U1', values)
export const U2 = (...values: Numbers): NumberItem => numberItem('U2', values)
export const U4 = (...values: Numbers): NumberItem => numberItem('U4', values)
export const U8 = (...values: Numbers): NumberItem => numberItem('U8', values)
export const F4 = (...values: Numbers): NumberItem => numberItem('F4', values)
export const F8 = (...values: Numbers): NumberItem => numberItem('F8', values)

/** How many items a list has, how many values a number item, how many bytes any other. */
export function lengthOf(item: Item): number {
  if (item.format === 'L') return item.items.length
  if ('bytes' in item) return item.bytes.length
  return typeof item.value === 'object' ? item.value.length : 1
}
