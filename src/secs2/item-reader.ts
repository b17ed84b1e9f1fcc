import { type DecodeFault, Secs2DecodeError } from './errors.js'
import { FORMAT_CODES, FORMATS, type Format, widthOf } from './format.js'
import type { Item, ListItem } from './item.js'
import { MAX_DEPTH, MAX_ITEMS } from './limits.js'
import { wireBytes, wireNumbers, wireText } from './wire-values.js'
import { counted } from './wording.js'

/** Formats by code. A format byte has six bits of it, so there are 64 places. */
const FORMAT_OF: readonly (Format | undefined)[] = Array.from({ length: 64 }, (_, code) =>
  FORMATS.find((format) => FORMAT_CODES[format] === code),
)

/** Format byte and one length byte: nothing is shorter, so a list of n items has at least 2n bytes. */
const MIN_ITEM = 2

/** Most places that a list is given before its items have been read. */
const PLACES_IN_ADVANCE = 64

/** Items read before giving way: less than a millisecond. */
const PORTION = 4096

/** Reads the items of one body, front to back. Throws Secs2DecodeError and nothing else. */
export class ItemReader {
  /** Where the next item begins, or after `#head` its items or values. */
  at = 0
  /** What the latest head announced: items of a list, otherwise bytes, which are there. */
  #length = 0
  #items = 0
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    // Long texts are read as only a Buffer can.
    this.#bytes = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  /** The next item, which stands in `above` lists. */
  item(above: number): Item {
    const start = this.at
    const format = this.#head()
    return format === 'L' ? this.#list(start, above) : this.#leaf(start, format)
  }

  /** As `item(0)`, giving way after every few thousand items. */
  *inParts(): Generator<undefined, Item> {
    const open: { readonly items: Item[]; left: number }[] = []
    for (let count = 1; ; count++) {
      if (count % PORTION === 0) yield
      const start = this.at
      const format = this.#head()
      if (format === 'L' && open.length >= MAX_DEPTH) throw tooDeep(start)
      if (format === 'L' && this.#length > 0) {
        open.push({ items: [], left: this.#length })
        continue
      }
      let read: Item = format === 'L' ? EMPTY_LIST : this.#leaf(start, format)
      for (let list = open.at(-1); list; list = open.at(-1)) {
        list.items.push(read)
        if (--list.left > 0) break
        open.pop()
        read = { format: 'L', items: list.items }
      }
      if (open.length === 0) return read
    }
  }

  #leaf(start: number, format: Exclude<Format, 'L'>): Item {
    const from = this.at
    const length = this.#length
    this.at = from + length
    switch (format) {
      case 'A':
      case 'J':
      case 'C':
        return { format, value: wireText(this.#bytes, from, length) }
      case 'B':
      case 'BOOLEAN':
        return { format, value: wireBytes(this.#bytes, from, length) }
      default:
        if (length % widthOf(format) !== 0) {
          throw fault(
            'bad_length',
            start,
            `${format} of ${counted(length, 'byte')}: no multiple of ${widthOf(format)}`,
          )
        }
        return wireNumbers(format, this.#bytes, from, length)
    }
  }

  #list(start: number, above: number): ListItem {
    if (above >= MAX_DEPTH) throw tooDeep(start)
    const length = this.#length
    if (length === 0) return EMPTY_LIST
    const items: Item[] = length > PLACES_IN_ADVANCE ? [] : new Array(length)
    for (let place = 0; place < length; place++) items[place] = this.item(above + 1)
    return { format: 'L', items }
  }

  /** Takes the format byte and the length bytes of the next item. */
  #head(): Format {
    const bytes = this.#bytes
    const start = this.at
    if (++this.#items > MAX_ITEMS) throw fault('too_many_items', start, `more than ${MAX_ITEMS} items`)
    const head = bytes[start]
    if (head === undefined) throw fault('truncated', start, 'an item is missing')
    const format = FORMAT_OF[head >> 2]
    if (format === undefined) {
      throw fault(
        'unknown_format',
        start,
        `no format has the code ${(head >> 2).toString(8).padStart(2, '0')} (octal)`,
      )
    }
    const size = head & 0b11
    if (size === 0) throw fault('bad_length', start, 'an item without length bytes')
    const from = start + 1 + size
    let length = 0
    for (let at = start + 1; at < from; at++) length = (length << 8) | (bytes[at] ?? 0)
    const left = bytes.length - from
    if (left < 0) throw fault('truncated', start, 'length bytes are missing')
    if ((format === 'L' ? length * MIN_ITEM : length) > left) {
      const what =
        format === 'L' ? `a list of ${counted(length, 'item')}` : `${format} of ${counted(length, 'byte')}`
      const there = `${counted(left, 'byte')} ${left === 1 ? 'is' : 'are'} left`
      throw fault('truncated', start, `${what}, but ${there}`)
    }
    this.at = from
    this.#length = length
    return format
  }
}

/** Shared: there is nothing in it to change. */
const EMPTY_LIST: ListItem = { format: 'L', items: [] }

const fault = (kind: DecodeFault, offset: number, detail: string): Secs2DecodeError =>
  new Secs2DecodeError(kind, offset, detail)

const tooDeep = (offset: number): Secs2DecodeError =>
  fault('too_deep', offset, `lists nested deeper than ${MAX_DEPTH}`)
