import { TextEncodeError } from '../secs2/errors.js'
import { type Format, isNumberFormat } from '../secs2/format.js'
import { type Item, lengthOf } from '../secs2/item.js'
import { fromTypedJson, TypedJsonError } from '../secs2/json.js'
import { MAX_DEPTH } from '../secs2/limits.js'
import { numberItem, numbersOf, numberText } from '../secs2/number.js'
import { decodeText, encodeText } from '../secs2/text-item.js'
import type { DataItem } from './data-item.js'
import { ownFormat, type View } from './view.js'

/** A value that its item cannot hold. The message says why. */
export class LeafError extends Error {
  override readonly name = 'LeafError'
}

type Look = Pick<View, 'formats' | 'text'>

/** Whether an item may stand where the catalogue names `known`. */
export function leafFits(known: DataItem, item: Item, many: boolean, view: Look): boolean {
  if (item.format !== ownFormat(known, view) && !known.formats.includes(item.format)) return false
  return many || !known.single || isText(item.format) || lengthOf(item) <= 1
}

/**
 * The values of an item as strings: numbers in decimal, a truth as `true` or `false`, several bytes as one
 * string of hex. Several values are an array, none an empty one; a list an array of its items.
 */
export function readLeaf(item: Item, view: Look): unknown {
  switch (item.format) {
    case 'L':
      return item.items.map((inner) => readLeaf(inner, view))
    case 'A':
    case 'J':
    case 'C':
      return decodeText(item, view.text)
    case 'B':
      return item.bytes.length > 1 ? hexText(item.bytes) : alone(Array.from(item.bytes, String))
    case 'BOOLEAN':
      return alone(Array.from(item.bytes, (byte) => String(byte !== 0)))
    default:
      return alone(Array.from(numbersOf(item), (number) => numberText(item.format, number)))
  }
}

const alone = (texts: readonly string[]): unknown => (texts.length === 1 ? texts[0] : texts)

const hexText = ({ buffer, byteOffset, length }: Uint8Array): string =>
  `0x${Buffer.from(buffer, byteOffset, length).toString('hex')}`

/** The item of a value that a caller gave for `known`. LeafError when it does not fit. */
export function buildLeaf(known: DataItem, value: unknown, many: boolean, view: Look): Item {
  const item = rethrown(() => made(known, value, view))
  if (leafFits(known, item, many, view)) return item
  const format = ownFormat(known, view) ?? known.formats[0]
  throw new LeafError(
    lengthOf(item) > 1 && item.format !== 'L' && known.single
      ? `takes one value, not ${lengthOf(item)}`
      : `takes ${format}, not ${item.format}`,
  )
}

/** `above` is how many lists stand round the value. */
function made(known: DataItem, value: unknown, view: Look, above = 0): Item {
  if (isObject(value)) return fromTypedJson(value, view.text)
  const own = ownFormat(known, view)
  if (own !== undefined) return ofFormat(own, value, view)
  if (known.free) return ofItsKind(known, value, view, above)
  return ofFormat(known.formats[0], value, view)
}

/** Where any format is right: text as A, numbers in the smallest of U4, I4, U8, I8 and F8 that holds them. */
function ofItsKind(known: DataItem, value: unknown, view: Look, above: number): Item {
  if (Array.isArray(value)) {
    if (above >= MAX_DEPTH) throw new LeafError(`takes lists nested no deeper than ${MAX_DEPTH}`)
    return { format: 'L', items: value.map((inner) => made(known, inner, view, above + 1)) }
  }
  if (typeof value === 'number') return numberItem(numberFormat(value), [value])
  return ofFormat(typeof value === 'boolean' ? 'BOOLEAN' : 'A', value, view)
}

function numberFormat(value: number): 'U4' | 'I4' | 'U8' | 'I8' | 'F8' {
  if (!Number.isSafeInteger(value) || Object.is(value, -0)) return 'F8'
  if (value >= 0) return value < 2 ** 32 ? 'U4' : 'U8'
  return value >= -(2 ** 31) ? 'I4' : 'I8'
}

function ofFormat(format: Format, value: unknown, view: Look): Item {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (format === 'A' || format === 'J' || format === 'C') {
    return encodeText(format, values.length === 0 ? '' : textOf(value), view.text)
  }
  if (format === 'B') return { format, bytes: bytesOf(value, values) }
  if (format === 'BOOLEAN') return { format, bytes: Uint8Array.from(values, truthOf) }
  if (isNumberFormat(format)) return numberItem(format, values.map(numberOf))
  throw new LeafError(`takes ${format}`)
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  throw new LeafError(`takes text, not ${kindOf(value)}`)
}

/** One byte as a number, or any number of them as one string of hex. */
function bytesOf(value: unknown, values: readonly unknown[]): Uint8Array {
  if (typeof value === 'string' && /^0x([0-9a-f]{2}){2,}$/i.test(value)) {
    return new Uint8Array(Buffer.from(value.slice(2), 'hex'))
  }
  const item = numberItem('U1', values.map(numberOf))
  return Uint8Array.from(numbersOf(item), Number)
}

function numberOf(value: unknown): number | string {
  if (typeof value === 'number' || typeof value === 'string') return value
  throw new LeafError(`takes a number, not ${kindOf(value)}`)
}

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
  value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isText = (format: Format): boolean => format === 'A' || format === 'J' || format === 'C'

function rethrown<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (error instanceof RangeError || error instanceof TextEncodeError || error instanceof TypedJsonError) {
      throw new LeafError(error.message)
    }
    throw error
  }
}
