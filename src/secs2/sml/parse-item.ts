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
import { bytesItem, type Item, lengthOf } from '../item.js'
import { MAX_DEPTH, MAX_ITEMS } from '../limits.js'
import { INTEGER_RANGES, numberItem, readNumber } from '../number.js'
import { codecOfWord, encodingWord, jis8, LATIN1, type TextCodec, UTF8_WORD } from '../text.js'
import { takeCount } from './count.js'
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

/** The body that is being read. */
interface Body {
  readonly text: TextCodec
  /** How many items it has so far. */
  items: number
}

/** Takes one item, from its `<` to its `>`. */
export const parseItemTokens = (tokens: Tokens, options: SmlOptions): Item =>
  parseItemAt(tokens, { text: options.text ?? LATIN1, items: 0 }, 0)

function parseItemAt(tokens: Tokens, body: Body, above: number): Item {
  const open = tokens.expect('open', 'an item, which begins with <')
  if (++body.items > MAX_ITEMS) tokens.fail(`no more than ${MAX_ITEMS} items`, open)
  const { format, named } = takeFormat(tokens)
  const count = takeCount(tokens)
  if (format === 'L' && above >= MAX_DEPTH) tokens.fail(`lists nested no deeper than ${MAX_DEPTH}`, open)
  const before = tokens.passed
  const isEmpty = count?.allows(0) && tokens.peek().kind === 'close'
  const item =
    named === LOCALIZED && !isEmpty ? takeLocalized(tokens) : takeValues(tokens, format, body, above)
  const written = tokens.passed - before
  tokens.expect('close', format === 'L' ? 'an item or >' : `a value of ${format} or >`)
  if (count && !lengthsOf(item, count.exact ? written : undefined).some(count.allows)) {
    tokens.fail(count.says, count.token, String(lengthOf(item)))
  }
  takeName(tokens, item)
  return item
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

function takeValues(tokens: Tokens, format: Format, body: Body, above: number): Item {
  switch (format) {
    case 'L': {
      const items: Item[] = []
      while (tokens.peek().kind === 'open') items.push(parseItemAt(tokens, body, above + 1))
      return { format, items }
    }
    case 'B':
      return bytesItem(format, takeBytes(tokens))
    case 'BOOLEAN':
      return bytesItem(format, takeTruths(tokens))
    case 'A':
      return takeText(tokens, format, body.text)
    case 'J':
      return takeText(tokens, format, jis8())
    case 'C':
      return takeText(tokens, format, undefined)
    default:
      return numberItem(format, takeNumbers(tokens, format))
  }
}

function takeNumbers(tokens: Tokens, format: NumberFormat): (number | bigint)[] {
  const numbers: (number | bigint)[] = []
  while (tokens.peek().kind === 'number') numbers.push(fitting(tokens, format))
  return numbers
}

/** Binary and octal, which `readNumber` does not know. */
const OTHER_BASE = /^([+-]?)(0[bo].+)$/i

/** Takes one number that fits `format`. */
function fitting(tokens: Tokens, format: NumberFormat, expected = nameOfValue(format)): number | bigint {
  const { text } = tokens.peek()
  const [, sign, digits] = OTHER_BASE.exec(text) ?? []
  try {
    if (digits === undefined) return readNumber(format, text)
    return readNumber(format, sign === '-' ? -BigInt(digits) : BigInt(digits))
  } catch (error) {
    if (error instanceof RangeError) return tokens.fail(expected)
    throw error
  } finally {
    tokens.take()
  }
}

function nameOfValue(format: NumberFormat): string {
  if (format === 'F4' || format === 'F8') return `a value of ${format}`
  const { min, max } = INTEGER_RANGES[format]
  return `a value of ${format} (${min} to ${max})`
}

const takeByte = (tokens: Tokens): number => Number(fitting(tokens, 'U1', 'a byte (0 to 255)'))

function takeBytes(tokens: Tokens): number[] {
  const bytes: number[] = []
  while (tokens.peek().kind === 'number') bytes.push(takeByte(tokens))
  return bytes
}

function takeTruths(tokens: Tokens): number[] {
  const truths: number[] = []
  for (;;) {
    const { kind, text } = tokens.peek()
    if (kind === 'number') {
      truths.push(takeByte(tokens))
      continue
    }
    if (kind !== 'word') return truths
    if (!/^(t|true|f|false)$/i.test(text)) tokens.fail('T, F, TRUE, FALSE or a byte')
    tokens.take()
    truths.push(Number(/^t/i.test(text)))
  }
}

/**
 * Takes strings, and bytes between them, behind the bytes there are. Without a codec the first two bytes name
 * the encoding (a C item).
 */
function takeText(tokens: Tokens, format: TextFormat, codec: TextCodec | undefined, start = ''): Item {
  const wire = new WireText(start)
  let writing = codec
  for (;;) {
    const { kind } = tokens.peek()
    if (kind === 'number') {
      wire.add(String.fromCharCode(takeByte(tokens)))
    } else if (kind === 'string') {
      writing ??=
        namedCodec(wire.all()) ??
        tokens.fail('the two bytes of a known encoding before text, such as 0x00 0x02')
      wire.add(encoded(tokens, writing))
    } else {
      return { format, value: wire.all() }
    }
  }
}

/** Takes the values of a `W` item behind the encoding word that they need not say. */
function takeLocalized(tokens: Tokens): Item {
  const { kind, text } = tokens.peek()
  const isWord = kind === 'number' && /^\d+$/.test(text)
  const word = isWord ? Number(fitting(tokens, 'U2', 'an encoding word (0 to 65535)')) : UTF8_WORD
  return takeText(tokens, 'C', undefined, String.fromCharCode(word >> 8, word & 0xff))
}

/** The codec that the bytes before the first string name. */
function namedCodec(before: string): TextCodec | undefined {
  const word = encodingWord(before)
  return word === undefined ? undefined : codecOfWord(word)
}

/** Takes one string, as the codec writes it. */
function encoded(tokens: Tokens, codec: TextCodec): string {
  try {
    return codec.encode(tokens.peek().text)
  } catch (error) {
    if (error instanceof TextEncodeError) return tokens.fail(`text that ${codec.encoding} can write`)
    throw error
  } finally {
    tokens.take()
  }
}
