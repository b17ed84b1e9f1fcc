import { isJsonList } from '../../kit/text/json-list.js'
import { TextEncodeError } from '../../secs2/errors.js'
import { type Format, isNumberFormat, isTextFormat, type NumberFormat } from '../../secs2/format.js'
import { bytesItem, type Item, lengthOf } from '../../secs2/item.js'
import { TypedJsonError, typedJsonSteps } from '../../secs2/json.js'
import { MAX_DEPTH } from '../../secs2/limits.js'
import { finite, numberItem, numbersOf, numberText, readNumber } from '../../secs2/number.js'
import { decodeText, encodeTextSteps } from '../../secs2/text-item.js'
import { valueSteps } from '../../secs2/values.js'
import type { DataItem } from '../data-item.js'
import type { ReadValue } from '../structure/structure-data.js'
import { type ItemView, ownFormat, type View } from '../view.js'
import type { BuildWork } from './build-work.js'

/** A value that its item cannot hold. The message says why. */
export class LeafError extends Error {
  override readonly name = 'LeafError'
}

const takesFormat = (known: DataItem, format: Format, view: ItemView): boolean =>
  known.free || known.formats.includes(format) || format === ownFormat(known, view)

/** Whether the length of an item does not matter. */
const takesAnyLength = (known: DataItem, format: Format, many: boolean): boolean =>
  many || !known.single || isTextFormat(format)

/** From equipment, one integer of any format is accepted as a code. */
const mayBeCode = (known: DataItem, format: Format, { sender }: View): boolean =>
  known.values !== undefined && sender === 'equipment' && /^[BIU]/.test(format) && format !== 'BOOLEAN'

/** Whether an item is valid where a structure names `known`. */
const leafFits = (known: DataItem, item: Item, many: boolean, view: ItemView): boolean =>
  takesFormat(known, item.format, view) && (takesAnyLength(known, item.format, many) || lengthOf(item) <= 1)

/** The same for a received item. Codes are bytes (SEMI E5), but some equipment sends them as integers. */
export const leafReads = (known: DataItem, item: Item, many: boolean, view: View): boolean =>
  leafFits(known, item, many, view) || (mayBeCode(known, item.format, view) && lengthOf(item) === 1)

/** The same for a received item that is not made. */
export const formatReads = (
  known: DataItem,
  format: Format,
  length: number,
  many: boolean,
  view: View,
): boolean =>
  (takesFormat(known, format, view) && (takesAnyLength(known, format, many) || length <= 1)) ||
  (mayBeCode(known, format, view) && length === 1)

/**
 * The values of an item as strings: numbers in decimal, a boolean as `true` or `false`, several bytes as one
 * string of hex. Several values are an array, none an empty one; a list an array of its items.
 */
export function readLeaf(item: Item, view: ItemView): ReadValue {
  switch (item.format) {
    case 'L':
      return item.items.map((inner) => readLeaf(inner, view))
    case 'A':
    case 'J':
    case 'C':
      return decodeText(item, view.text)
    case 'B':
      if (typeof item.value === 'number') return String(item.value)
      return item.value.length > 1 ? hexText(item.value) : alone(Array.from(item.value, String))
    case 'BOOLEAN':
      if (typeof item.value === 'number') return truthText(item.value)
      return alone(Array.from(item.value, truthText))
    default: {
      const { format, value } = item
      if (typeof value !== 'object') return numberText(format, value)
      return alone(Array.from(numbersOf(item), (number) => numberText(format, number)))
    }
  }
}

const alone = (texts: readonly string[]): ReadValue => (texts.length === 1 ? (texts[0] ?? '') : texts)

/** A boolean as a string. */
export const truthText = (byte: number): string => (byte === 0 ? 'false' : 'true')

/** Bytes as one string of hex. */
export const hexText = ({ buffer, byteOffset, length }: Uint8Array): string =>
  `0x${Buffer.from(buffer, byteOffset, length).toString('hex')}`

/**
 * The item of a value that a caller gave for `known`, in steps. LeafError when it does not fit; throws
 * `TooManyItems`.
 */
export function* leafSteps(
  known: DataItem,
  value: unknown,
  many: boolean,
  view: ItemView,
  work: BuildWork,
): Generator<void, Item> {
  const item = yield* rethrown(made(known, value, view, work))
  if (leafFits(known, item, many, view)) return item
  const format = ownFormat(known, view) ?? known.formats[0]
  throw new LeafError(
    lengthOf(item) > 1 && item.format !== 'L' && known.single
      ? `takes one value, not ${lengthOf(item)}`
      : `takes ${format}, not ${item.format}`,
  )
}

/** `above`: the number of lists around the value. */
function* made(
  known: DataItem,
  value: unknown,
  view: ItemView,
  work: BuildWork,
  above = 0,
): Generator<void, Item> {
  work.countItem()
  if (isData(value)) return yield* typedJsonSteps(value, { text: view.text, meter: work })
  const own = ownFormat(known, view)
  if (own !== undefined) return yield* ofFormat(own, value, view, work)
  if (known.free) return yield* ofItsKind(known, value, view, work, above)
  return yield* ofFormat(known.formats[0], value, view, work)
}

/** For an item of any format: text as A, numbers in the smallest of U4, I4, U8, I8 and F8 that holds them. */
function* ofItsKind(
  known: DataItem,
  value: unknown,
  view: ItemView,
  work: BuildWork,
  above: number,
): Generator<void, Item> {
  if (isJsonList(value)) {
    if (above >= MAX_DEPTH) throw new LeafError(`takes lists nested no deeper than ${MAX_DEPTH}`)
    const items: Item[] = []
    for (const inner of value) {
      items.push(yield* made(known, inner, view, work, above + 1))
      if (work.due(1)) yield
    }
    return { format: 'L', items }
  }
  if (typeof value === 'number' || typeof value === 'bigint') {
    finite(value)
    if (isInexact(value))
      throw new LeafError(`${value} is beyond 2^53, where a number is not exact: write it as a string`)
    return numberItem(numberFormat(value), [value])
  }
  return yield* ofFormat(typeof value === 'boolean' ? 'BOOLEAN' : 'A', value, view, work)
}

/** A whole number of the range of U8 and I8 that JSON may have rounded; a larger one is no integer of SECS-II. */
const isInexact = (value: number | bigint): boolean =>
  Number.isInteger(value) && !Number.isSafeInteger(value) && value < 2 ** 64 && value > -(2 ** 63)

function numberFormat(value: number | bigint): 'U4' | 'I4' | 'U8' | 'I8' | 'F8' {
  if (typeof value === 'number' && (!Number.isSafeInteger(value) || Object.is(value, -0))) return 'F8'
  if (value >= 0) return value < 2 ** 32 ? 'U4' : 'U8'
  return value >= -(2 ** 31) ? 'I4' : 'I8'
}

function* ofFormat(format: Format, value: unknown, view: ItemView, work: BuildWork): Generator<void, Item> {
  const values = isJsonList(value) ? value : [value]
  if (isTextFormat(format)) {
    const text = values.length === 0 ? '' : textOf(value)
    if (work.due(text.length / CHARACTERS_A_VALUE)) yield
    return yield* encodeTextSteps(format, text, view.text)
  }
  if (format === 'B') {
    const several = typeof value === 'string' ? hexBytes(value) : undefined
    return several ? bytesItem(format, several) : yield* valueSteps(format, values, byteOf, work)
  }
  if (format === 'BOOLEAN') return yield* valueSteps(format, values, truthOf, work)
  if (isNumberFormat(format)) return yield* valueSteps(format, values, numberOf, work)
  throw new LeafError(`takes ${format}`)
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  throw new LeafError(`takes text, not ${kindOf(value)}`)
}

/** The bytes of a hex string; undefined for other text, and for one byte, which is also a number. */
function hexBytes(text: string): Uint8Array | undefined {
  if (text.length < 6 || !/^0x/i.test(text)) return undefined
  // Read up to the first character that is no hex. A pattern would exhaust its stack on millions.
  const bytes = Buffer.from(text.slice(2), 'hex')
  return 2 * bytes.length === text.length - 2 ? new Uint8Array(bytes) : undefined
}

function numberOf(value: unknown, format: NumberFormat): number | bigint {
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string') {
    return readNumber(format, finite(value))
  }
  throw new LeafError(`takes a number, not ${kindOf(value)}`)
}

const byteOf = (value: unknown): number => Number(numberOf(value, 'U1'))

function truthOf(value: unknown): number {
  if (value === true || value === 1) return 1
  if (value === false || value === 0) return 0
  if (typeof value === 'string' && /^(true|t|1)$/i.test(value)) return 1
  if (typeof value === 'string' && /^(false|f|0)$/i.test(value)) return 0
  throw new LeafError(
    `takes true or false, not ${typeof value === 'string' ? JSON.stringify(value) : kindOf(value)}`,
  )
}

const kindOf = (value: unknown): string =>
  value === null ? 'null' : isJsonList(value) ? 'an array' : `a ${typeof value}`

export const isData = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !isJsonList(value)

function* rethrown<T>(make: Generator<void, T>): Generator<void, T> {
  try {
    return yield* make
  } catch (error) {
    if (error instanceof RangeError || error instanceof TextEncodeError || error instanceof TypedJsonError) {
      throw new LeafError(error.message)
    }
    throw error
  }
}

/** Characters of a text that count as one value of work. */
const CHARACTERS_A_VALUE = 16
