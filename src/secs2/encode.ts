import { putFloat32, putFloat64, putInteger, putInteger64, turnRound } from './byte-order.js'
import { Secs2EncodeError } from './errors.js'
import { FORMAT_CODES, type Format, widthOf } from './format.js'
import { COPY_BYTES, chunks } from './in-parts.js'
import type { Item, ListItem, ValueArray } from './item.js'
import { MAX_DEPTH, MAX_ITEMS, MAX_LENGTH } from './limits.js'
import { beyondLatin1 } from './text.js'

/**
 * An item's bytes, with as few length bytes as can be; they may be part of a larger buffer. Secs2EncodeError
 * when it is too long, too deep, has too many items, or text that is no bytes.
 */
export function encodeItem(item: Item): Uint8Array {
  // Every byte of it is written.
  const out = Buffer.allocUnsafe(new Measure().sizeOf(item, 0))
  write(item, out, 0)
  return out
}

/** A message's body: nothing at all when it is header-only. */
export const encodeBody = (item: Item | undefined): Uint8Array =>
  item ? encodeItem(item) : new Uint8Array(0)

/** Items that are measured or written in one step. */
const ITEMS_A_STEP = 16 * 1024

/** As `encodeBody`, in steps: a body may have a million items, and one of them 16 million values. */
export function* encodeBodySteps(root: Item | undefined): Generator<void, Uint8Array> {
  if (!root) return new Uint8Array(0)
  const measure = new Measure()
  let size = 0
  const measuring = new Walk(root)
  for (let item = measuring.next(); item; item = measuring.next()) {
    size += item.format === 'L' ? measure.head(item, measuring.above) : measure.leaf(item)
    if (measuring.passed % ITEMS_A_STEP === 0) yield
  }
  const out = Buffer.allocUnsafe(size)
  let at = 0
  const writing = new Walk(root)
  for (let item = writing.next(); item; item = writing.next()) {
    if (item.format === 'L') at = writeHead('L', item.items.length, out, at)
    else if (bytesIn(item) > COPY_BYTES) at = yield* writeLongLeaf(item, out, at)
    else at = writeLeaf(item, out, at)
    if (writing.passed % ITEMS_A_STEP === 0) yield
  }
  return out
}

/** Gives the items of a tree one by one, each list before what is in it. */
class Walk {
  /** How many lists the latest item stands in. */
  above = 0
  passed = 0
  readonly #lists: { readonly items: readonly Item[]; at: number }[]

  constructor(root: Item) {
    this.#lists = [{ items: [root], at: 0 }]
  }

  next(): Item | undefined {
    for (let list = this.#lists.at(-1); list; list = this.#lists.at(-1)) {
      const item = list.items[list.at++]
      if (!item) {
        this.#lists.pop()
        continue
      }
      this.above = this.#lists.length - 1
      this.passed++
      if (item.format === 'L') this.#lists.push({ items: item.items, at: 0 })
      return item
    }
    return undefined
  }
}

type Leaf = Exclude<Item, ListItem>

/** What a leaf's length bytes say. */
function bytesIn({ format, value }: Leaf): number {
  if (typeof value === 'string') return value.length
  if (typeof value === 'object') return value.byteLength
  return widthOf(format)
}

/** A switch, as `widthOf` is: what messages have most of comes first. */
function codeOf(format: Format): number {
  switch (format) {
    case 'A':
      return FORMAT_CODES.A
    case 'U4':
      return FORMAT_CODES.U4
    case 'F4':
      return FORMAT_CODES.F4
    case 'L':
      return FORMAT_CODES.L
    case 'U1':
      return FORMAT_CODES.U1
    case 'U2':
      return FORMAT_CODES.U2
    case 'B':
      return FORMAT_CODES.B
    case 'BOOLEAN':
      return FORMAT_CODES.BOOLEAN
    case 'I4':
      return FORMAT_CODES.I4
    case 'F8':
      return FORMAT_CODES.F8
    case 'I2':
      return FORMAT_CODES.I2
    case 'U8':
      return FORMAT_CODES.U8
    case 'I1':
      return FORMAT_CODES.I1
    case 'I8':
      return FORMAT_CODES.I8
    case 'J':
      return FORMAT_CODES.J
    case 'C':
      return FORMAT_CODES.C
  }
}

const headSize = (length: number): number => (length <= 0xff ? 2 : length <= 0xff_ff ? 3 : 4)

/** Measures one body, and refuses what must not be written. */
class Measure {
  #items = 0

  /** Bytes of an item that stands in `above` lists. */
  sizeOf(item: Item, above: number): number {
    if (item.format !== 'L') return this.leaf(item)
    let size = this.head(item, above)
    for (const inner of item.items)
      size += inner.format === 'L' ? this.sizeOf(inner, above + 1) : this.leaf(inner)
    return size
  }

  leaf(item: Leaf): number {
    this.#count()
    const length = bytesIn(item)
    if (length > MAX_LENGTH) throw tooLong(item, `${length} bytes`)
    return headSize(length) + length
  }

  /** Of a list, without the items in it. */
  head(list: ListItem, above: number): number {
    this.#count()
    if (above >= MAX_DEPTH) throw new Secs2EncodeError(`lists nested deeper than ${MAX_DEPTH}`)
    const { length } = list.items
    if (length > MAX_LENGTH) throw tooLong(list, `${length} items`)
    return headSize(length)
  }

  #count(): void {
    if (++this.#items > MAX_ITEMS) throw new Secs2EncodeError(`more than ${MAX_ITEMS} items`)
  }
}

const tooLong = ({ format }: Item, length: string): Secs2EncodeError =>
  new Secs2EncodeError(`${format} of ${length}: an item holds at most ${MAX_LENGTH}`)

/** Writes at `at`, and answers where the next item goes. */
function write(item: Item, out: Buffer, at: number): number {
  if (item.format !== 'L') return writeLeaf(item, out, at)
  let next = writeHead('L', item.items.length, out, at)
  for (const inner of item.items)
    next = inner.format === 'L' ? write(inner, out, next) : writeLeaf(inner, out, next)
  return next
}

function writeLeaf(item: Leaf, out: Buffer, at: number): number {
  const { format, value } = item
  const length = bytesIn(item)
  const body = writeHead(format, length, out, at)
  if (typeof value === 'string') writeText(value, out, body)
  else if (typeof value === 'object') writeArray(value, out, body)
  else if (typeof value === 'bigint') putInteger64(out, body, value)
  else if (format === 'F4') putFloat32(out, body, value)
  else if (format === 'F8') putFloat64(out, body, value)
  else putInteger(out, body, length, value)
  return body + length
}

function* writeLongLeaf(item: Leaf, out: Buffer, at: number): Generator<void, number> {
  const { format, value } = item
  const length = bytesIn(item)
  const width = widthOf(format)
  const body = writeHead(format, length, out, at)
  for (const [from, to] of chunks(length, COPY_BYTES)) {
    yield
    if (typeof value === 'string') writeText(value.slice(from, to), out, body + from)
    else if (typeof value === 'object') writeArray(value.subarray(from / width, to / width), out, body + from)
  }
  return body + length
}

/** Writes the format byte and the length bytes, and answers where the values go. */
function writeHead(format: Format, length: number, out: Buffer, at: number): number {
  const size = headSize(length)
  out[at] = (codeOf(format) << 2) | (size - 1)
  if (size === 2) {
    out[at + 1] = length
    return at + 2
  }
  putInteger(out, at + 1, size - 1, length)
  return at + size
}

/** Longer texts are written in one call of the runtime; for these the call costs more than the text. */
const SHORT_TEXT = 32

function writeText(text: string, out: Buffer, at: number): void {
  if (text.length > SHORT_TEXT) {
    refuseBeyondLatin1(text)
    out.write(text, at, 'latin1')
    return
  }
  for (let place = 0; place < text.length; place++) {
    const code = text.charCodeAt(place)
    if (code > 0xff) refuseBeyondLatin1(text)
    out[at + place] = code
  }
}

function refuseBeyondLatin1(text: string): void {
  const wrong = beyondLatin1(text)
  if (wrong !== undefined) throw new Secs2EncodeError(`the character ${wrong} is no byte`)
}

function writeArray(values: ValueArray, out: Buffer, at: number): void {
  if (values instanceof Uint8Array) return out.set(values, at)
  out.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), at)
  turnRound(out, at, values.byteLength, values.BYTES_PER_ELEMENT)
}
