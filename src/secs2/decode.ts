import { turnRound } from './byte-order.js'
import { type DecodeFault, Secs2DecodeError } from './errors.js'
import {
  FORMAT_CODES,
  FORMATS,
  type Format,
  isNumberFormat,
  NUMBER_WIDTHS,
  type NumberFormat,
} from './format.js'
import type { Item, NumberItem } from './item.js'
import { MAX_DEPTH, MAX_ITEMS } from './limits.js'

/** Formats by code. A format byte has six bits of it, so there are 64 places. */
const FORMAT_OF: readonly (Format | undefined)[] = Array.from({ length: 64 }, (_, code) =>
  FORMATS.find((format) => FORMAT_CODES[format] === code),
)

/** Format byte and one length byte: nothing is shorter, so a list of n items has at least 2n bytes. */
const SHORTEST_ITEM = 2

/**
 * The one item that `bytes` are. Values are copied: the item holds nothing of `bytes`. Throws
 * Secs2DecodeError and nothing else. No length is believed before as many bytes are there.
 */
export function decodeItem(bytes: Uint8Array): Item {
  const reader = new Reader(bytes)
  const item = reader.item(0)
  if (reader.at < bytes.length) {
    const left = bytes.length - reader.at
    throw new Secs2DecodeError('trailing_bytes', reader.at, `${left} bytes after the end of the item`)
  }
  return item
}

/** A message's item, or undefined when it is header-only. Throws as `decodeItem` does. */
export const decodeBody = (bytes: Uint8Array): Item | undefined =>
  bytes.length === 0 ? undefined : decodeItem(bytes)

class Reader {
  at = 0
  #items = 0
  readonly #bytes: Uint8Array
  readonly #view: DataView

  constructor(bytes: Uint8Array) {
    // A Buffer's slice would share its memory.
    this.#bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  item(above: number): Item {
    const start = this.at
    if (++this.#items > MAX_ITEMS) throw fault('too_many_items', start, `more than ${MAX_ITEMS} items`)
    const head = this.#bytes[this.at++]
    if (head === undefined) throw fault('truncated', start, 'an item is missing')
    const format = FORMAT_OF[head >> 2]
    if (format === undefined)
      throw fault('unknown_format', start, `no format has the code ${octal(head >> 2)}`)
    const length = this.#length(start, head & 0b11)
    const left = this.#bytes.length - this.at
    if (format === 'L') return this.#list(start, length, left, above)
    if (length > left) throw fault('truncated', start, `${format} of ${length} bytes, but ${left} are left`)
    const from = this.at
    this.at += length
    if (isNumberFormat(format)) return this.#numbers(format, start, from, length)
    return { format, bytes: copied(this.#bytes, from, length) }
  }

  #length(start: number, size: number): number {
    if (size === 0) throw fault('bad_length', start, 'an item without length bytes')
    let length = 0
    for (let read = 0; read < size; read++) {
      const byte = this.#bytes[this.at++]
      if (byte === undefined) throw fault('truncated', start, 'length bytes are missing')
      length = length * 256 + byte
    }
    return length
  }

  #list(start: number, count: number, left: number, above: number): Item {
    if (above >= MAX_DEPTH) throw fault('too_deep', start, `lists nested deeper than ${MAX_DEPTH}`)
    if (count * SHORTEST_ITEM > left) {
      throw fault('truncated', start, `a list of ${count} items, but ${left} bytes are left`)
    }
    if (count === 0) return EMPTY_LIST
    const items: Item[] = []
    for (let read = 0; read < count; read++) items.push(this.item(above + 1))
    return { format: 'L', items }
  }

  #numbers(format: NumberFormat, start: number, from: number, length: number): NumberItem {
    const width = NUMBER_WIDTHS[format]
    if (length % width !== 0) {
      throw fault('bad_length', start, `${format} of ${length} bytes: no multiple of ${width}`)
    }
    if (length === width) return this.#number(format, from)
    const { buffer } = this.#bytes.slice(from, from + length)
    turnRound(new Uint8Array(buffer), 0, length, width)
    switch (format) {
      case 'I1':
        return { format, value: new Int8Array(buffer) }
      case 'I2':
        return { format, value: new Int16Array(buffer) }
      case 'I4':
        return { format, value: new Int32Array(buffer) }
      case 'I8':
        return { format, value: new BigInt64Array(buffer) }
      case 'U1':
        return { format, value: new Uint8Array(buffer) }
      case 'U2':
        return { format, value: new Uint16Array(buffer) }
      case 'U4':
        return { format, value: new Uint32Array(buffer) }
      case 'U8':
        return { format, value: new BigUint64Array(buffer) }
      case 'F4':
        return { format, value: new Float32Array(buffer) }
      case 'F8':
        return { format, value: new Float64Array(buffer) }
    }
  }

  #number(format: NumberFormat, at: number): NumberItem {
    switch (format) {
      case 'I1':
        return { format, value: this.#view.getInt8(at) }
      case 'I2':
        return { format, value: this.#view.getInt16(at) }
      case 'I4':
        return { format, value: this.#view.getInt32(at) }
      case 'I8':
        return { format, value: this.#view.getBigInt64(at) }
      case 'U1':
        return { format, value: this.#view.getUint8(at) }
      case 'U2':
        return { format, value: this.#view.getUint16(at) }
      case 'U4':
        return { format, value: this.#view.getUint32(at) }
      case 'U8':
        return { format, value: this.#view.getBigUint64(at) }
      case 'F4':
        return { format, value: this.#view.getFloat32(at) }
      case 'F8':
        return { format, value: this.#view.getFloat64(at) }
    }
  }
}

/** A body may hold millions of short texts: `slice` takes four times as long for them as a loop. */
const SHORT = 32

/** Shared: there is nothing in it to change. */
const NO_BYTES = new Uint8Array(0)
const EMPTY_LIST: Item = { format: 'L', items: [] }

function copied(bytes: Uint8Array, from: number, length: number): Uint8Array {
  if (length === 0) return NO_BYTES
  if (length > SHORT) return bytes.slice(from, from + length)
  const copy = new Uint8Array(length)
  for (let at = 0; at < length; at++) copy[at] = bytes[from + at] ?? 0
  return copy
}

const fault = (kind: DecodeFault, offset: number, detail: string): Secs2DecodeError =>
  new Secs2DecodeError(kind, offset, detail)

const octal = (code: number): string => code.toString(8).padStart(2, '0')
