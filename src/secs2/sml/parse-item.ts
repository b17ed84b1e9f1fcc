import { TextEncodeError } from '../errors.js'
import {
  FORMATS,
  type Format,
  isFormat,
  isNumberFormat,
  NUMBER_WIDTHS,
  type NumberFormat,
  type TextFormat,
} from '../format.js'
import { type Item, lengthOf, type TextItem } from '../item.js'
import { MAX_DEPTH, MAX_ITEMS, MAX_LENGTH } from '../limits.js'
import { INTEGER_RANGES, readNumber } from '../number.js'
import { codecOfWord, encodingWord, jis8, LATIN1, type TextCodec, UTF8_WORD } from '../text.js'
import { Values } from '../values.js'
import { type Count, takeCount } from './count.js'
import type { SmlOptions } from './message.js'
import type { Tokens } from './tokens.js'
import { WireText } from './wire-text.js'

/** Other names for formats that are in use. */
const ALIASES: Readonly<Record<string, Format>> = {
  LIST: 'L',
  BIN: 'B',
  BINARY: 'B',
  BOOL: 'BOOLEAN',
  ASCII: 'A',
  JIS8: 'J',
  W: 'C',
}

/** A format name for a C item whose encoding need not be written: UTF-8 unless a decimal number is first. */
const LOCALIZED = 'W'

/** Bytes of the shortest head: a body is not estimated longer than it is. */
const HEAD_BYTES = 2

/** The body that is being read. */
interface Body {
  readonly text: TextCodec
  /** Bytes that it may have. */
  readonly maxBytes: number
  /** How many items it has so far, and bytes in the items that have ended. */
  items: number
  bytes: number
}

/** Items that are collected in one array: V8 copies an array that grows, and a list may have a million. */
const BLOCK = 16 * 1024

/** A list whose end has not been read. */
interface OpenList {
  items: Item[]
  /** Those before `items`, in whole blocks. */
  readonly blocks: Item[][]
  readonly count: Count | undefined
}

/** Takes one item, from its `<` to its `>`, in steps. */
export function* itemSteps(tokens: Tokens, options: SmlOptions): Generator<void, Item> {
  const { text = LATIN1, maxBytes = Number.POSITIVE_INFINITY } = options
  const body: Body = { text, maxBytes, items: 0, bytes: 0 }
  const lists: OpenList[] = []
  for (;;) {
    if (tokens.due) yield
    const list = lists.at(-1)
    let item: Item
    if (list && tokens.peek().kind !== 'open') {
      item = { format: 'L', items: yield* allItems(list) }
      endItem(tokens, item, list.count, 0)
      lists.pop()
    } else {
      const open = tokens.expect('open', 'an item, which begins with <')
      if (++body.items > MAX_ITEMS) tokens.fail(`no more than ${MAX_ITEMS} items`, open)
      const { format, named } = takeFormat(tokens)
      const count = takeCount(tokens)
      if (format === 'L') {
        if (lists.length >= MAX_DEPTH) tokens.fail(`lists nested no deeper than ${MAX_DEPTH}`, open)
        holdTo(tokens, body, 0)
        body.bytes += HEAD_BYTES
        lists.push({ items: [], blocks: [], count })
        continue
      }
      const before = tokens.passed
      const isEmpty = count?.allows(0) && tokens.peek().kind === 'close'
      item = yield* named === LOCALIZED && !isEmpty
        ? takeLocalized(tokens, body)
        : takeValues(tokens, format, body)
      endItem(tokens, item, count, tokens.passed - before)
      body.bytes += HEAD_BYTES + bytesIn(item)
    }
    const above = lists.at(-1)
    if (!above) return item
    if (above.items.push(item) < BLOCK) continue
    above.blocks.push(above.items)
    above.items = []
  }
}

function* allItems({ blocks, items }: OpenList): Generator<void, Item[]> {
  if (blocks.length === 0) return items
  const all: Item[] = new Array(blocks.length * BLOCK + items.length)
  let at = 0
  for (const block of [...blocks, items]) {
    yield
    for (const item of block) all[at++] = item
  }
  return all
}

/** `written`: how many tokens its values were. */
function endItem(tokens: Tokens, item: Item, count: Count | undefined, written: number): void {
  tokens.expect('close', item.format === 'L' ? 'an item or >' : `a value of ${item.format} or >`)
  if (count && !lengthsOf(item, count.exact ? written : undefined).some(count.allows)) {
    tokens.fail(count.says, count.token, String(lengthOf(item)))
  }
  takeName(tokens, item)
}

/** Fails where an item of `bytes` bytes is too long, or one too many for the body. */
function holdTo(tokens: Tokens, body: Body, bytes: number): void {
  if (body.bytes + HEAD_BYTES + bytes > body.maxBytes) tokens.fail(`a body of at most ${body.maxBytes} bytes`)
  if (bytes > MAX_LENGTH) tokens.fail(`an item of at most ${MAX_LENGTH} bytes`)
}

/** Takes the name that PEER Group's message files give an item. One without a value leaves it to a program. */
function takeName(tokens: Tokens, item: Item): void {
  const { kind } = tokens.peek()
  if (kind !== 'equals') return
  if (item.format !== 'L' && lengthOf(item) === 0) tokens.fail('a value in the item that is named')
  tokens.take()
  tokens.expect('word', 'a name')
}

/** What a count may count: items of a list; values, bytes, or pieces as written (`<A [1] "x y">`) of others. */
const lengthsOf = (item: Item, written: number | undefined): readonly number[] =>
  item.format === 'L'
    ? [item.items.length]
    : [lengthOf(item), bytesIn(item), ...(written === undefined ? [] : [written])]

const bytesIn = (item: Exclude<Item, { format: 'L' }>): number =>
  isNumberFormat(item.format) ? lengthOf(item) * NUMBER_WIDTHS[item.format] : lengthOf(item)

function takeFormat(tokens: Tokens): { readonly format: Format; readonly named: string } {
  const token = tokens.peek()
  const named = token.text.toUpperCase()
  const format = ALIASES[named] ?? named
  if (token.kind !== 'word' || !isFormat(format)) return tokens.fail(`a format: one of ${FORMATS.join(', ')}`)
  tokens.take()
  return { format, named }
}

function takeValues(
  tokens: Tokens,
  format: Exclude<Format, 'L'>,
  body: Body,
): Generator<void, Exclude<Item, { format: 'L' }>> {
  switch (format) {
    case 'B':
      return takeEach(tokens, format, body, takeByte)
    case 'BOOLEAN':
      return takeEach(tokens, format, body, takeTruth)
    case 'A':
      return takeText(tokens, format, body, body.text)
    case 'J':
      return takeText(tokens, format, body, jis8())
    case 'C':
      return takeText(tokens, format, body, undefined)
    default:
      return takeEach(tokens, format, body, takeNumber)
  }
}

/** Takes values as long as there are some. `take` gives undefined for what is none. */
function* takeEach<F extends Values['format']>(
  tokens: Tokens,
  format: F,
  body: Body,
  take: (tokens: Tokens, format: F) => number | bigint | undefined,
): Generator<void, ReturnType<Values['item']>> {
  const values = new Values(format)
  for (;;) {
    const value = take(tokens, format)
    if (value === undefined) break
    values.add(value)
    if (!tokens.due) continue
    holdTo(tokens, body, values.bytes)
    yield
  }
  holdTo(tokens, body, values.bytes)
  return values.item()
}

const takeNumber = (tokens: Tokens, format: NumberFormat): number | bigint | undefined =>
  tokens.peek().kind === 'number' ? fitting(tokens, format) : undefined

/** Binary and octal, which `readNumber` does not know. */
const OTHER_BASE = /^([+-]?)(0[bo].+)$/i

/** Takes one number that fits `format`. */
function fitting(tokens: Tokens, format: NumberFormat, expected?: string): number | bigint {
  const { text, value } = tokens.peek()
  try {
    const number = value ?? otherBase(text) ?? text
    const fit = readNumber(format, number)
    tokens.take()
    return fit
  } catch (error) {
    if (error instanceof RangeError) return tokens.fail(expected ?? nameOfValue(format))
    throw error
  }
}

function otherBase(text: string): bigint | undefined {
  const [, sign, digits] = OTHER_BASE.exec(text) ?? []
  if (digits === undefined) return undefined
  return sign === '-' ? -BigInt(digits) : BigInt(digits)
}

function nameOfValue(format: NumberFormat): string {
  if (format === 'F4' || format === 'F8') return `a value of ${format}`
  const { min, max } = INTEGER_RANGES[format]
  return `a value of ${format} (${min} to ${max})`
}

const takeByteValue = (tokens: Tokens): number => Number(fitting(tokens, 'U1', 'a byte (0 to 255)'))

const takeByte = (tokens: Tokens): number | undefined =>
  tokens.peek().kind === 'number' ? takeByteValue(tokens) : undefined

function takeTruth(tokens: Tokens): number | undefined {
  const { kind, text } = tokens.peek()
  if (kind === 'number') return takeByteValue(tokens)
  if (kind !== 'word') return undefined
  if (!/^(t|true|f|false)$/i.test(text)) tokens.fail('T, F, TRUE, FALSE or a byte')
  tokens.take()
  return Number(/^t/i.test(text))
}

/**
 * Takes strings, and bytes between them, and adds them to `start`. Without a codec the first two bytes name
 * the encoding (a C item).
 */
function* takeText(
  tokens: Tokens,
  format: TextFormat,
  body: Body,
  codec: TextCodec | undefined,
  start = '',
): Generator<void, TextItem> {
  const wire = new WireText(start)
  let writing = codec
  for (;;) {
    const { kind } = tokens.peek()
    if (kind === 'number') {
      wire.add(String.fromCharCode(takeByteValue(tokens)))
    } else if (kind === 'string') {
      writing ??=
        namedCodec(yield* wire.all()) ??
        tokens.fail('the two bytes of a known encoding before text, such as 0x00 0x02')
      wire.add(yield* encoded(tokens, writing))
    } else {
      holdTo(tokens, body, wire.length)
      return { format, value: yield* wire.all() }
    }
    if (!tokens.due) continue
    holdTo(tokens, body, wire.length)
    yield
  }
}

/** Takes the values of a `W` item; the encoding word before them is optional. */
function takeLocalized(tokens: Tokens, body: Body): Generator<void, TextItem> {
  const { kind, text } = tokens.peek()
  const isWord = kind === 'number' && /^\d+$/.test(text)
  const word = isWord ? Number(fitting(tokens, 'U2', 'an encoding word (0 to 65535)')) : UTF8_WORD
  return takeText(tokens, 'C', body, undefined, String.fromCharCode(word >> 8, word & 0xff))
}

/** The codec that the bytes before the first string name. */
function namedCodec(before: string): TextCodec | undefined {
  const word = encodingWord(before)
  return word === undefined ? undefined : codecOfWord(word)
}

/** Takes one string, as the codec writes it. */
function* encoded(tokens: Tokens, codec: TextCodec): Generator<void, string> {
  const token = tokens.peek()
  const text = yield* tokens.takeString()
  try {
    return yield* codec.encodeSteps(text)
  } catch (error) {
    if (error instanceof TextEncodeError) return tokens.fail(`text that ${codec.encoding} can write`, token)
    throw error
  }
}
