import { turnRound } from './byte-order.js'
import { Secs2EncodeError } from './errors.js'
import { FORMAT_CODES, NUMBER_WIDTHS, type NumberFormat } from './format.js'
import { type Item, lengthOf, type NumberItem } from './item.js'
import { MAX_DEPTH, MAX_ITEMS, MAX_LENGTH } from './limits.js'

/** An item's bytes, with as few length bytes as can be. Secs2EncodeError when it is too long or too deep. */
export function encodeItem(item: Item): Uint8Array {
  if (itemsOf(item) > MAX_ITEMS) throw new Secs2EncodeError(`more than ${MAX_ITEMS} items`)
  const out = new Uint8Array(sizeOf(item, 0))
  const view = new DataView(out.buffer)
  write(item, out, view, 0)
  return out
}

/** A message's body: nothing at all when it is header-only. */
export const encodeBody = (item: Item | undefined): Uint8Array =>
  item ? encodeItem(item) : new Uint8Array(0)

/** What an item's length bytes say: items of a list, otherwise bytes. */
function announced(item: Item): number {
  const length = lengthOf(item)
  return 'value' in item ? length * NUMBER_WIDTHS[item.format] : length
}

/** How many items it is, itself and all within. */
function itemsOf(item: Item): number {
  if (item.format !== 'L') return 1
  let items = 1
  for (const inner of item.items) items += itemsOf(inner)
  return items
}

const headerSize = (length: number): number => (length <= 0xff ? 2 : length <= 0xff_ff ? 3 : 4)

function sizeOf(item: Item, above: number): number {
  const length = announced(item)
  if (length > MAX_LENGTH) {
    const unit = item.format === 'L' ? 'items' : 'bytes'
    throw new Secs2EncodeError(`${item.format} of ${length} ${unit}: an item holds at most ${MAX_LENGTH}`)
  }
  const header = headerSize(length)
  if (item.format !== 'L') return header + length
  if (above >= MAX_DEPTH) throw new Secs2EncodeError(`lists nested deeper than ${MAX_DEPTH}`)
  let size = header
  for (const inner of item.items) size += sizeOf(inner, above + 1)
  return size
}

/** Writes at `at`, and answers where the next item goes. */
function write(item: Item, out: Uint8Array, view: DataView, at: number): number {
  const length = announced(item)
  const body = at + headerSize(length)
  out[at] = (FORMAT_CODES[item.format] << 2) | (body - at - 1)
  for (let byte = body - 1, rest = length; byte > at; byte--, rest >>>= 8) out[byte] = rest & 0xff
  if (item.format === 'L') {
    let next = body
    for (const inner of item.items) next = write(inner, out, view, next)
    return next
  }
  if ('bytes' in item) out.set(item.bytes, body)
  else writeNumbers(item, out, view, body)
  return body + length
}

function writeNumbers(item: NumberItem, out: Uint8Array, view: DataView, at: number): void {
  const { format, value } = item
  if (typeof value === 'object') {
    out.set(new Uint8Array(value.buffer, value.byteOffset, value.byteLength), at)
    turnRound(out, at, value.byteLength, NUMBER_WIDTHS[format])
  } else if (typeof value === 'bigint') {
    view.setBigUint64(at, value)
  } else {
    writeNumber(format, value, view, at)
  }
}

function writeNumber(format: NumberFormat, value: number, view: DataView, at: number): void {
  if (format === 'F4') view.setFloat32(at, value)
  else if (format === 'F8') view.setFloat64(at, value)
  // A negative number's lower bytes are the same, signed or unsigned.
  else if (NUMBER_WIDTHS[format] === 1) view.setUint8(at, value)
  else if (NUMBER_WIDTHS[format] === 2) view.setUint16(at, value)
  else view.setUint32(at, value)
}
