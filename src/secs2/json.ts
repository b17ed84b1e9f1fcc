import type { Json, JsonObject } from '../kit/text/json.js'
import { isJsonList, type JsonList } from '../kit/text/json-list.js'
import { pointerStep } from '../kit/text/json-text.js'
import { atOnce, StepMeter } from '../kit/turns.js'
import { TextEncodeError } from './errors.js'
import {
  ARRAYS,
  FORMATS,
  isFormat,
  isTextFormat,
  type NumberFormat,
  type TextFormat,
  widthOf,
} from './format.js'
import { isReversible, STEP } from './in-parts.js'
import { type BytesItem, bytesOf, type Item, type TextItem } from './item.js'
import { MAX_DEPTH, MAX_ITEMS, MAX_LENGTH } from './limits.js'
import { finite, numbersOf, readNumber } from './number.js'
import type { NumberItem } from './number-item.js'
import { bytesOfWire, jis8, LATIN1, type TextCodec } from './text.js'
import { decodeText, encodeTextSteps } from './text-item.js'
import { type Values, valueSteps } from './values.js'

/** What is wrong in typed JSON. `pointer`: a JSON pointer to it, from the item's own root. */
export interface TypedJsonFault {
  readonly pointer: string
  readonly detail: string
}

/** Faults that are named in a message; the error has all that were found. */
const NAMED_FAULTS = 3
/** Faults after which typed JSON is not read any further. */
const MAX_FAULTS = 20

/** Typed JSON that is no item. `pointer` and `detail` are those of its first fault. */
export class TypedJsonError extends Error {
  override readonly name = 'TypedJsonError'
  readonly pointer: string
  readonly detail: string

  constructor(readonly faults: readonly [TypedJsonFault, ...TypedJsonFault[]]) {
    super(faultsText(faults))
    this.pointer = faults[0].pointer
    this.detail = faults[0].detail
  }
}

/** Faults in one line: the first ones, and how many more were found. */
export function faultsText(faults: readonly TypedJsonFault[]): string {
  const texts = faults.map(({ pointer, detail }) => (pointer === '' ? detail : `${pointer}: ${detail}`))
  const more = texts.length > NAMED_FAULTS ? [`and ${texts.length - NAMED_FAULTS} more`] : []
  return [...texts.slice(0, NAMED_FAULTS), ...more].join('; ')
}

/** Nothing further can be read. */
class Limit extends Error {}

/**
 * An item as typed JSON: an object of one key, its format. Text is a string, everything else an array, also
 * for one value or none. Integers beyond 2^53 are strings, an F4 is its exact value as a double, NaN and the
 * infinities are strings. A and J whose text would not give the same bytes again are arrays of bytes. C is its
 * text alone, whatever encoding it names: `fromTypedJson` writes it in UTF-8, which may be other bytes. Any byte of a
 * BOOLEAN but 0 is true by E5, and true is written as 1.
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
const survives = ({ format, value }: TextItem, text: TextCodec): boolean =>
  (format === 'A' && text === LATIN1) || atOnce(isReversible(value, format === 'A' ? text : jis8()))

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
 * array of bytes it is taken as it is, encoding word included, and A and J likewise. Throws TypedJsonError
 * with all its faults, up to 20.
 */
export const fromTypedJson = (json: unknown, text: TextCodec = LATIN1): Item =>
  atOnce(typedJsonSteps(json, { text }))

export interface TypedJsonOptions {
  /** Latin-1 when left out. */
  readonly text?: TextCodec | undefined
  /** Bytes that the body may have; any number when left out. */
  readonly maxBytes?: number
  /** Of more steps than these. */
  readonly meter?: StepMeter
}

/** The same in steps of a few milliseconds. */
export const typedJsonSteps = (
  json: unknown,
  { text = LATIN1, maxBytes = Number.POSITIVE_INFINITY, meter = new StepMeter(STEP) }: TypedJsonOptions,
): Generator<void, Item> => new Reader(text, maxBytes, meter).items(json)

/** A list whose end has not been read. */
interface OpenList {
  readonly values: JsonList
  /** With a place for each from the beginning: V8 copies an array that grows, and collects for long what it leaves. */
  readonly items: Item[]
  at: number
}

class Reader {
  /** Formats and indexes that lead to the value that is read. */
  readonly #path: (string | number)[] = []
  readonly #faults: TypedJsonFault[] = []
  #items = 0
  /** Of the items that were read. */
  #bytes = 0

  constructor(
    private readonly text: TextCodec,
    private readonly maxBytes: number,
    private readonly meter: StepMeter,
  ) {}

  *items(json: unknown): Generator<void, Item> {
    let item: Item | undefined
    try {
      item = yield* this.#read(json)
    } catch (error) {
      if (!(error instanceof Limit)) throw error
    }
    const [first, ...others] = this.#faults
    if (first) throw new TypedJsonError([first, ...others])
    return item as Item
  }

  *#read(json: unknown): Generator<void, Item> {
    const lists: OpenList[] = []
    let next = json
    for (;;) {
      let item = yield* this.#begin(next, lists)
      for (let list = lists.at(-1); list; list = lists.at(-1)) {
        if (item) {
          list.items[list.at++] = item
          this.#path.pop()
        }
        if (list.at < list.values.length) break
        lists.pop()
        this.#path.pop()
        item = { format: 'L', items: list.items }
      }
      const list = lists.at(-1)
      if (!list) return item as Item
      this.#path.push(list.at)
      next = list.values[list.at]
      if (this.meter.due(1)) yield
    }
  }

  /** Reads an item; undefined for a list, which is entered. */
  *#begin(json: unknown, lists: OpenList[]): Generator<void, Item | undefined> {
    if (++this.#items > MAX_ITEMS) this.#limit(`more than ${MAX_ITEMS} items`)
    if (typeof json !== 'object' || json === null || isJsonList(json))
      return this.#wrong(`an item is an object of one key, its format, not ${kindOf(json)}`)
    const keys = Object.keys(json)
    const [format] = keys
    if (format === undefined || keys.length > 1)
      return this.#wrong(`an item has one key, its format, not ${keys.length}`)
    if (format === 'L' && lists.length >= MAX_DEPTH) this.#limit(`lists nested deeper than ${MAX_DEPTH}`)
    this.#path.push(format)
    const value = (json as Readonly<Record<string, unknown>>)[format]
    if (format === 'L' && isJsonList(value)) {
      this.#hold(0)
      lists.push({ values: value, items: new Array(Math.min(value.length, MAX_ITEMS)), at: 0 })
      return undefined
    }
    const item = yield* this.#leaf(format, value)
    this.#path.pop()
    return item
  }

  *#leaf(format: string, value: unknown): Generator<void, Item> {
    if (!isFormat(format)) return this.#wrong(`no SECS-II format: one of ${FORMATS.join(', ')}`)
    if (format === 'L') return this.#wrong(`a list is an array, not ${kindOf(value)}`)
    if (isTextFormat(format)) return yield* this.#textItem(format, value)
    if (format === 'B') return yield* this.#values(format, value, byteOf)
    if (format === 'BOOLEAN') return yield* this.#values(format, value, booleanByte)
    return yield* this.#values(format, value, numberOf)
  }

  *#values<F extends Values['format']>(
    format: F,
    value: unknown,
    read: (one: unknown, format: F) => number | bigint,
  ): Generator<void, NumberItem | BytesItem> {
    const given = isJsonList(value) ? value : [value]
    this.#hold(given.length * widthOf(format))
    const readAt = (one: unknown, format: F, at: number): number | bigint => {
      try {
        return read(one, format)
      } catch (error) {
        if (!(error instanceof RangeError)) throw error
        this.#fault(this.#pointer() + (isJsonList(value) ? `/${at}` : ''), error.message)
        // For the place of the value: the item is not used.
        return new ARRAYS[format](1)[0] as number | bigint
      }
    }
    return yield* valueSteps(format, given, readAt, this.meter)
  }

  *#textItem(format: TextFormat, value: unknown): Generator<void, Item> {
    if (isJsonList(value)) {
      const bytes = (yield* this.#values('B', value, byteOf)) as BytesItem
      return { format, value: Buffer.from(bytesOf(bytes)).toString('latin1') }
    }
    if (typeof value !== 'string') return this.#wrong(`text is a string, not ${kindOf(value)}`)
    try {
      if (this.meter.due(value.length / CHARACTERS_A_VALUE)) yield
      const item = yield* encodeTextSteps(format, value, this.text)
      this.#hold(item.value.length)
      return item
    } catch (error) {
      if (error instanceof TextEncodeError) return this.#wrong(error.message)
      throw error
    }
  }

  /** Counts an item of `bytes` bytes. */
  #hold(bytes: number): void {
    if (bytes > MAX_LENGTH) this.#limit(`${bytes} bytes: an item holds at most ${MAX_LENGTH}`)
    this.#bytes += MIN_HEAD + bytes
    if (this.#bytes > this.maxBytes) this.#limit(`a body of more than ${this.maxBytes} bytes`)
  }

  #pointer(): string {
    return this.#path.map(pointerStep).join('')
  }

  /** Notes a fault of the value that is read. Reading goes on, with another item in its place that is not used. */
  #wrong(detail: string): Item {
    this.#fault(this.#pointer(), detail)
    return { format: 'L', items: [] }
  }

  #fault(pointer: string, detail: string): void {
    this.#faults.push({ pointer, detail })
    if (this.#faults.length >= MAX_FAULTS) throw new Limit()
  }

  /** Notes a fault with which reading ends. */
  #limit(detail: string): never {
    this.#faults.push({ pointer: this.#pointer(), detail })
    throw new Limit()
  }
}

/** The work of a long text. */
const CHARACTERS_A_VALUE = 16

/** Bytes of a format and the shortest length. */
const MIN_HEAD = 2

// Of one value. A RangeError for what is none of its format.

function numberOf(one: unknown, format: NumberFormat): number | bigint {
  if (typeof one === 'number' || typeof one === 'string') return readNumber(format, finite(one))
  throw new RangeError(`${format} takes numbers, or their text, not ${kindOf(one)}`)
}

function byteOf(one: unknown): number {
  if (typeof one === 'number' && Number.isInteger(one) && one >= 0 && one <= 0xff) return one
  throw new RangeError(`${describe(one)} is no byte: 0 to 255`)
}

function booleanByte(one: unknown): number {
  if (typeof one === 'boolean') return Number(one)
  throw new RangeError(`${describe(one)} is neither true nor false`)
}

const kindOf = (value: unknown): string =>
  value === null || value === undefined
    ? 'nothing'
    : isJsonList(value)
      ? 'an array'
      : typeof value === 'object'
        ? 'an object'
        : `a ${typeof value}`

const describe = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : kindOf(value)
