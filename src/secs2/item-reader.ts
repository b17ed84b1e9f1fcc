import { type DecodeFault, Secs2DecodeError } from './errors.js'
import { FORMAT_CODES, FORMATS, type Format, isTextFormat, type ValueFormat, widthOf } from './format.js'
import { COPY_BYTES, STEP } from './in-parts.js'
import type { Item, ListItem } from './item.js'
import { MAX_DEPTH, MAX_ITEMS } from './limits.js'
import { singleValue, valueArray, valueArraySteps } from './wire-values.js'
import { counted } from './wording.js'

type LeafFormat = Exclude<Format, 'L'>

/** Formats by code. A format byte has six bits of it, so there are 64 places. */
const FORMAT_OF: readonly (Format | undefined)[] = Array.from({ length: 64 }, (_, code) =>
  FORMATS.find((format) => FORMAT_CODES[format] === code),
)

/** Format byte and one length byte: nothing is shorter, so a list of n items has at least 2n bytes. */
const MIN_ITEM = 2

/** Most places that a list is given before its items have been read. */
const PLACES_IN_ADVANCE = 64

/** Items that are passed over in one step. */
const PASSED_AT_ONCE = 32 * 1024

/**
 * Bytes that become text in one call of the runtime. Short texts are cut from it: a call for each costs more than the
 * text. A text that is kept may keep all of it.
 */
const STRETCH_BYTES = 512

/** Reads the items of one body, front to back. Throws Secs2DecodeError and nothing else. */
export class ItemReader {
  /** Where the next item begins, or after `#head` its items or values. */
  at = 0
  /** What the latest head announced: items of a list, otherwise bytes, which are there. */
  #length = 0
  #items = 0
  /** Some of the bytes as text, and where they begin. */
  #stretch = ''
  #stretchAt = 0
  readonly #bytes: Uint8Array
  /** The same bytes: only a Buffer makes text of a part of them. Made for the first text. */
  #buffer: Buffer | undefined

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** The next `count` items, which stand in `above` lists. */
  items(count: number, above: number): Item[] {
    const items: Item[] = count > PLACES_IN_ADVANCE ? [] : new Array(count)
    for (let place = 0; place < count; place++) {
      const start = this.at
      const format = this.#head()
      if (format !== 'L') items[place] = this.#leaf(start, format)
      else if (above >= MAX_DEPTH) throw tooDeep(start)
      else if (this.#length === 0) items[place] = EMPTY_LIST
      else items[place] = { format: 'L', items: this.items(this.#length, above + 1) }
    }
    return items
  }

  /** The next item, giving way after every few thousand items, and in items of megabytes. */
  *inParts(): Generator<undefined, Item> {
    const open: { readonly items: Item[]; readonly length: number; at: number }[] = []
    // V8 copies an array that grows. All lists of a body that can be read have no more places than this.
    let places = MAX_ITEMS
    for (let count = 1; ; count++) {
      if (count % STEP === 0) yield
      const start = this.at
      const format = this.#head()
      if (format === 'L' && open.length >= MAX_DEPTH) throw tooDeep(start)
      if (format === 'L' && this.#length > 0) {
        const length = this.#length
        places -= length
        open.push({ items: places < 0 ? [] : new Array(length), length, at: 0 })
        continue
      }
      let read: Item
      if (format === 'L') read = EMPTY_LIST
      else if (this.#length > COPY_BYTES && !isTextFormat(format)) read = yield* this.#longLeaf(start, format)
      else {
        // A text is made at once: 16 MiB take 8 ms.
        if (this.#length > COPY_BYTES) yield
        read = this.#leaf(start, format)
      }
      for (let list = open.at(-1); list; list = open.at(-1)) {
        list.items[list.at++] = read
        if (list.at < list.length) break
        open.pop()
        read = { format: 'L', items: list.items }
      }
      if (open.length === 0) return read
    }
  }

  /**
   * The next item; a list without the items in it, which come next. `items` says how many those are. `values`: how many
   * an item has at most that is no list; those after them are passed over.
   */
  outermost(values = Number.POSITIVE_INFINITY): { readonly item: Item; readonly items: number } {
    const start = this.at
    const format = this.#head()
    const from = this.at
    const length = this.#length
    if (format !== 'L') {
      this.#passLeaf(start, format)
      // A localized string says its encoding in its first two bytes.
      const most = Math.max(2, values) * widthOf(format)
      return { item: this.#made(format, from, Math.min(length, most)), items: 0 }
    }
    const items = length
    return { item: UNREAD_LISTS[Math.min(items, 2)] as ListItem, items }
  }

  /** Passes over the next item, of a list over its head alone, and returns its format. It stands in `above` lists. */
  passHead(above: number): Format {
    const start = this.at
    const format = this.#head()
    if (format !== 'L') this.#passLeaf(start, format)
    else if (above >= MAX_DEPTH) throw tooDeep(start)
    return format
  }

  /** How many items or values the latest item of `passHead` has, whose format that was. */
  lengthAs(format: Format): number {
    return format === 'L' ? this.#length : this.#length / widthOf(format)
  }

  /** Passes over `count` items, which stand in `above` lists, and all in them. */
  passShort(count: number, above: number): void {
    for (let place = 0; place < count; place++)
      if (this.passHead(above) === 'L') this.passShort(this.#length, above + 1)
  }

  /** Passes over `count` items and all in them without making any, giving way now and then; returns how many they were. */
  *pass(count: number): Generator<undefined, number> {
    const left = [count]
    let passed = 0
    while (left.length > 0) {
      const list = left.length - 1
      const inList = left[list] as number
      if (inList === 0) {
        left.pop()
        continue
      }
      left[list] = inList - 1
      if (++passed % PASSED_AT_ONCE === 0) yield
      const start = this.at
      const format = this.#head()
      if (format !== 'L') this.#passLeaf(start, format)
      else if (list >= MAX_DEPTH) throw tooDeep(start)
      else left.push(this.#length)
    }
    return passed
  }

  /** Reads on at an earlier place of bytes that were passed over before. */
  goBack(at: number): void {
    this.at = at
    this.#items = 0
    // The cached text may begin after this position.
    this.#stretch = ''
    this.#stretchAt = 0
  }

  #leaf(start: number, format: LeafFormat): Item {
    const from = this.at
    const length = this.#length
    this.#passLeaf(start, format)
    return this.#made(format, from, length)
  }

  *#longLeaf(start: number, format: ValueFormat): Generator<undefined, Item> {
    const from = this.at
    const length = this.#length
    this.#passLeaf(start, format)
    return { format, value: yield* valueArraySteps(format, this.#bytes, from, length) } as Item
  }

  /** The item whose values are these bytes. */
  #made(format: LeafFormat, from: number, length: number): Item {
    if (isTextFormat(format)) return { format, value: this.#text(from, length) }
    if (length === widthOf(format)) return { format, value: singleValue(format, this.#bytes, from) } as Item
    return { format, value: valueArray(format, this.#bytes, from, length) } as Item
  }

  #passLeaf(start: number, format: LeafFormat): void {
    const width = widthOf(format)
    if (this.#length % width === 0) this.at += this.#length
    else
      throw fault(
        'bad_length',
        start,
        `${format} of ${counted(this.#length, 'byte')}: no multiple of ${width}`,
      )
  }

  #text(from: number, length: number): string {
    let at = from - this.#stretchAt
    if (at + length > this.#stretch.length) {
      this.#buffer ??= bufferOf(this.#bytes)
      this.#stretch = this.#buffer.toString('latin1', from, from + Math.max(length, STRETCH_BYTES))
      this.#stretchAt = from
      at = 0
    }
    return this.#stretch.substring(at, at + length)
  }

  /** Takes the format byte and the length bytes of the next item, and returns its format. */
  #head(): Format {
    const bytes = this.#bytes
    const start = this.at
    const head = bytes[start] ?? 0
    const size = head & 0b11
    const from = start + 1 + size
    let length = bytes[start + 1] ?? 0
    for (let at = start + 2; at < from; at++) length = (length << 8) | (bytes[at] ?? 0)
    const format = FORMAT_OF[head >> 2]
    const end = from + (format === 'L' ? length * MIN_ITEM : length)
    if (++this.#items > MAX_ITEMS || format === undefined || size === 0 || end > bytes.length) {
      throw headFault(bytes, start, this.#items, length)
    }
    this.at = from
    this.#length = length
    return format
  }
}

const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)

/** Why the item that begins at `start` cannot be read; `length` is what its length bytes say. */
function headFault(bytes: Uint8Array, start: number, items: number, length: number): Secs2DecodeError {
  if (items > MAX_ITEMS) return fault('too_many_items', start, `more than ${MAX_ITEMS} items`)
  const head = bytes[start]
  if (head === undefined) return fault('truncated', start, 'an item is missing')
  const format = FORMAT_OF[head >> 2]
  if (format === undefined) {
    const code = (head >> 2).toString(8).padStart(2, '0')
    return fault('unknown_format', start, `no format has the code ${code} (octal)`)
  }
  const size = head & 0b11
  if (size === 0) return fault('bad_length', start, 'an item without length bytes')
  const left = bytes.length - (start + 1 + size)
  if (left < 0) return fault('truncated', start, 'length bytes are missing')
  const what =
    format === 'L' ? `a list of ${counted(length, 'item')}` : `${format} of ${counted(length, 'byte')}`
  return fault('truncated', start, `${what}, but ${counted(left, 'byte')} ${left === 1 ? 'is' : 'are'} left`)
}

/** Shared: there is nothing in it to change. */
const EMPTY_LIST: ListItem = { format: 'L', items: [] }

/** Stand for lists whose items were not made: of none, one, and more. */
const UNREAD_LISTS: readonly ListItem[] = [
  EMPTY_LIST,
  { format: 'L', items: [EMPTY_LIST] },
  { format: 'L', items: [EMPTY_LIST, EMPTY_LIST] },
]

const fault = (kind: DecodeFault, offset: number, detail: string): Secs2DecodeError =>
  new Secs2DecodeError(kind, offset, detail)

const tooDeep = (offset: number): Secs2DecodeError =>
  fault('too_deep', offset, `lists nested deeper than ${MAX_DEPTH}`)
