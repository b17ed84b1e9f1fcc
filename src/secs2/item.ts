import type { TextFormat } from './format.js'
import { numberItem } from './number.js'
import type { NumberItem } from './number-item.js'
import { beyondLatin1 } from './text.js'

/** A list of items. */
export interface ListItem {
  readonly format: 'L'
  readonly items: readonly Item[]
}

/**
 * Bytes, or truth values kept as the bytes they were (0 is false, anything else true): a single one as itself,
 * none or several as an array.
 */
export interface BytesItem {
  readonly format: 'B' | 'BOOLEAN'
  readonly value: number | Uint8Array
}

/**
 * Text as it is on the wire, a character (U+0000 to U+00FF) for each byte. What the bytes mean depends on the
 * equipment's encoding, so an item does not decide it: `decodeText` does. A `C` item's begin with its two-byte
 * encoding word.
 */
export interface TextItem {
  readonly format: TextFormat
  readonly value: string
}

/** What holds none or several values of an item, in the machine's byte order. */
export type ValueArray = Extract<(NumberItem | BytesItem)['value'], ArrayBufferView>

/** One SECS-II item (SEMI E5): data without behaviour. */
export type Item = ListItem | BytesItem | TextItem | NumberItem

/** A list of items. */
export const L = (...items: readonly Item[]): ListItem => ({ format: 'L', items })

/** The items of a list; none of anything else. */
export const itemsIn = (item: Item | undefined): readonly Item[] => (item?.format === 'L' ? item.items : [])

/** Latin-1 text. A RangeError for a character above U+00FF: other text wants a `TextCodec`. */
export function A(text: string): TextItem {
  const wrong = beyondLatin1(text)
  if (wrong !== undefined) throw new RangeError(`the character ${wrong} is not in Latin-1`)
  return { format: 'A', value: text }
}

/** Bytes, each 0 to 255. */
export function B(...bytes: readonly number[]): BytesItem {
  const wrong = bytes.find((byte) => !Number.isInteger(byte) || byte < 0 || byte > 0xff)
  if (wrong !== undefined) throw new RangeError(`${wrong} is no byte: 0 to 255`)
  return bytesItem('B', bytes)
}

export const BOOLEAN = (...values: readonly boolean[]): BytesItem => bytesItem('BOOLEAN', values.map(Number))

/** The item of `bytes`: one as itself, none or several as an array of its own. */
export function bytesItem(format: BytesItem['format'], bytes: ArrayLike<number>): BytesItem {
  const first = bytes[0]
  return { format, value: bytes.length === 1 && first !== undefined ? first : arrayOf(bytes) }
}

/** An array of a few bytes is filled faster by hand. */
const FEW = 16

function arrayOf(bytes: ArrayLike<number>): Uint8Array {
  if (bytes.length > FEW) return new Uint8Array(bytes)
  const array = new Uint8Array(bytes.length)
  for (let at = 0; at < bytes.length; at++) array[at] = bytes[at] as number
  return array
}

/** The bytes of an item, one or many, in order. */
export const bytesOf = ({ value }: BytesItem): Uint8Array =>
  typeof value === 'number' ? Uint8Array.of(value) : value

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
  const { value } = item
  return typeof value === 'number' || typeof value === 'bigint' ? 1 : value.length
}
