import type { Json, JsonObject } from '../kit/json.js'
import { TextEncodeError } from './errors.js'
import { FORMATS, type Format, isFormat, type NumberFormat, type TextFormat } from './format.js'
import { bytesItem, bytesOf, type Item, type NumberItem, type TextItem } from './item.js'
import { MAX_DEPTH } from './limits.js'
import { numberItem, numbersOf, readNumber } from './number.js'
import { bytesOfWire, LATIN1, type TextCodec } from './text.js'
import { decodeText, encodeText } from './text-item.js'

/** Typed JSON that is no item. `pointer` is a JSON pointer to what is wrong, from the item's own root. */
export class TypedJsonError extends Error {
  override readonly name = 'TypedJsonError'

  constructor(
    readonly pointer: string,
    readonly detail: string,
  ) {
    super(pointer === '' ? detail : `${pointer}: ${detail}`)
  }
}

/**
 * An item as typed JSON: an object of one key, its format. Text is a string, everything else an array, also
 * for one value or none. Integers beyond 2^53 are strings, an F4 is its exact value as a double, NaN and the
 * infinities are strings. A and J whose text would not give the same bytes again are arrays of bytes. C is its
 * text alone, whatever encoding it names: `fromTypedJson` writes it in UTF-8, which may be other bytes.
 */
export function toTypedJson(item: Item, text: TextCodec = LATIN1): JsonObject {
  switch (item.format) {
    case 'L':
      return { L: item.items.map((inner) => toTypedJson(inner, text)) }
    case 'B':
      return { B: typeof item.value === 'number' ? [item.value] : Array.from(item.value) }
    case 'BOOLEAN':
      return { BOOLEAN: Array.from(bytesOf(item), (byte) => byte !== 0) }
    case 'A':
    case 'J':
      return { [item.format]: survives(item, text) ? decodeText(item, text) : [...bytesOfWire(item.value)] }
    case 'C':
      return { C: decodeText(item, text) }
    default:
      return { [item.format]: numbersJson(item) }
  }
}

/** Whether the text of an A or J item gives its bytes again. */
function survives(item: TextItem, text: TextCodec): boolean {
  if (item.format === 'A' && text === LATIN1) return true
  try {
    return encodeText(item.format, decodeText(item, text), text).value === item.value
  } catch (error) {
    if (error instanceof TextEncodeError) return false
    throw error
  }
}

const numbersJson = (item: NumberItem): Json[] =>
  typeof item.value === 'object' ? Array.from(numbersOf(item), numberJson) : [numberJson(item.value)]

/** A number as typed JSON has it. */
export function numberJson(value: number | bigint): Json {
  if (typeof value === 'bigint') {
    const near = Number(value)
    return Number.isSafeInteger(near) ? near : String(value)
  }
  // JSON has no NaN, no infinity and, as JSON.stringify writes it, no -0.
  if (Object.is(value, -0)) return '-0'
  return Number.isFinite(value) ? value : String(value)
}

/**
 * The item that typed JSON is. A value may stand without its array. A C item is written in UTF-8; given as an
 * array of bytes it is taken as it is, encoding word included, and A and J likewise. Throws TypedJsonError.
 */
export const fromTypedJson = (json: unknown, text: TextCodec = LATIN1): Item => new Reader(text).item(json, 0)

class Reader {
  readonly #text: TextCodec
  /** Formats and places that lead to what is read. An error ends the reading, and leaves it as it is. */
  readonly #path: (string | number)[] = []

  constructor(text: TextCodec) {
    this.#text = text
  }

  item(json: unknown, above: number): Item {
    if (typeof json !== 'object' || json === null || Array.isArray(json)) {
      throw this.#wrong(`an item is an object of one key, its format, not ${kindOf(json)}`)
    }
    const keys = Object.keys(json)
    const [format] = keys
    if (format === undefined || keys.length > 1) {
      throw this.#wrong(`an item has one key, its format, not ${keys.length}`)
    }
    if (format === 'L' && above >= MAX_DEPTH) throw this.#wrong(`lists nested deeper than ${MAX_DEPTH}`)
    this.#path.push(format)
    if (!isFormat(format)) throw this.#wrong(`no SECS-II format: one of ${FORMATS.join(', ')}`)
    const item = this.#item(format, (json as Readonly<Record<string, unknown>>)[format], above)
    this.#path.pop()
    return item
  }

  #item(format: Format, value: unknown, above: number): Item {
    if (format === 'L') return this.#list(value, above)
    if (format === 'A' || format === 'J' || format === 'C') return this.#textItem(format, value)
    const values: readonly unknown[] = Array.isArray(value) ? value : [value]
    const place = (at: number): string =>
      Array.isArray(value) ? `${this.#pointer()}/${at}` : this.#pointer()
    if (format === 'B') return bytesItem(format, bytesFrom(values, place))
    if (format === 'BOOLEAN') {
      return bytesItem(
        format,
        values.map((one, at) => booleanByte(one, at, place)),
      )
    }
    return numbersFrom(format, values, place)
  }

  #list(value: unknown, above: number): Item {
    if (!Array.isArray(value)) throw this.#wrong(`a list is an array, not ${kindOf(value)}`)
    const items = value.map((inner, at) => {
      this.#path.push(at)
      const item = this.item(inner, above + 1)
      this.#path.pop()
      return item
    })
    return { format: 'L', items }
  }

  #textItem(format: TextFormat, value: unknown): TextItem {
    if (Array.isArray(value)) {
      const bytes = bytesFrom(value, (at) => `${this.#pointer()}/${at}`)
      return { format, value: Buffer.from(bytes).toString('latin1') }
    }
    if (typeof value !== 'string') throw this.#wrong(`text is a string, not ${kindOf(value)}`)
    return located(
      () => encodeText(format, value, this.#text),
      () => this.#pointer(),
    )
  }

  #pointer(): string {
    return this.#path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  }

  #wrong(detail: string): TypedJsonError {
    return new TypedJsonError(this.#pointer(), detail)
  }
}

/** A loop, as below: an item has up to 16 million values. */
function numbersFrom(format: NumberFormat, values: readonly unknown[], place: (at: number) => string): Item {
  const numbers = new Array<number | bigint>(values.length)
  let at = 0
  const readAll = (): void => {
    for (; at < values.length; at++) {
      const one = values[at]
      if (typeof one !== 'number' && typeof one !== 'string') {
        throw new TypedJsonError(place(at), `${format} takes numbers, or their text, not ${kindOf(one)}`)
      }
      numbers[at] = readNumber(format, one)
    }
  }
  located(readAll, () => place(at))
  return numberItem(format, numbers)
}

function bytesFrom(values: readonly unknown[], place: (at: number) => string): Uint8Array {
  const bytes = new Uint8Array(values.length)
  for (let at = 0; at < values.length; at++) {
    const one = values[at]
    if (typeof one !== 'number' || !Number.isInteger(one) || one < 0 || one > 0xff) {
      throw new TypedJsonError(place(at), `${describe(one)} is no byte: 0 to 255`)
    }
    bytes[at] = one
  }
  return bytes
}

function booleanByte(value: unknown, at: number, place: (at: number) => string): number {
  if (typeof value === 'boolean') return Number(value)
  throw new TypedJsonError(place(at), `${describe(value)} is neither true nor false`)
}

/** Runs `make`, and says where its error is. */
function located<T>(make: () => T, pointer: () => string): T {
  try {
    return make()
  } catch (error) {
    if (error instanceof RangeError || error instanceof TextEncodeError) {
      throw new TypedJsonError(pointer(), error.message)
    }
    throw error
  }
}

const kindOf = (value: unknown): string =>
  value === null || value === undefined
    ? 'nothing'
    : Array.isArray(value)
      ? 'an array'
      : typeof value === 'object'
        ? 'an object'
        : `a ${typeof value}`

const describe = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : kindOf(value)
