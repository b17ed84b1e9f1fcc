import { TextEncodeError } from '../errors.js'
import { FORMATS, type Format, isFormat, type NumberFormat, type TextFormat } from '../format.js'
import { type Item, lengthOf } from '../item.js'
import { MAX_DEPTH, MAX_ITEMS } from '../limits.js'
import { INTEGER_RANGES, numberItem, readNumber } from '../number.js'
import { codecOfWord, encodingWord, jis8, LATIN1, type TextCodec } from '../text.js'
import { Bytes } from './bytes.js'
import type { SmlOptions } from './message.js'
import type { Token, Tokens } from './tokens.js'

/** Other names for formats that are in use. */
const ALIASES: Readonly<Record<string, Format>> = {
  LIST: 'L',
  BIN: 'B',
  BINARY: 'B',
  BOOL: 'BOOLEAN',
  ASCII: 'A',
  JIS8: 'J',
}

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
  const format = takeFormat(tokens)
  const count = takeCount(tokens)
  if (format === 'L' && above >= MAX_DEPTH) tokens.fail(`lists nested no deeper than ${MAX_DEPTH}`, open)
  const item = takeValues(tokens, format, body, above)
  tokens.expect('close', format === 'L' ? 'an item or >' : `a value of ${format} or >`)
  if (count && !count.allows(lengthOf(item))) tokens.fail(count.says, count.token, String(lengthOf(item)))
  return item
}

function takeFormat(tokens: Tokens): Format {
  const token = tokens.peek()
  const name = token.text.toUpperCase()
  const format = ALIASES[name] ?? name
  if (token.kind !== 'word' || !isFormat(format)) return tokens.fail(`a format: one of ${FORMATS.join(', ')}`)
  tokens.take()
  return format
}

interface Count {
  readonly token: Token
  readonly says: string
  allows(length: number): boolean
}

/** `[3]`, or a range: `[0..3]`, `[1..]`, `[..3]`. */
function takeCount(tokens: Tokens): Count | undefined {
  if (!tokens.taken('left')) return undefined
  const token = tokens.peek()
  const low = takeCountNumber(tokens)
  const isRange = tokens.taken('range') !== undefined
  const high = isRange ? takeCountNumber(tokens) : low
  if (low === undefined && !isRange) tokens.fail('a count')
  tokens.expect('right', ']')
  const says = isRange ? `${low ?? 0} to ${high ?? 'any number of'} values` : `${low} values`
  return {
    token,
    says: `${says}, as the count says`,
    allows: (length) => length >= (low ?? 0) && length <= (high ?? length),
  }
}

function takeCountNumber(tokens: Tokens): number | undefined {
  const token = tokens.peek()
  if (token.kind !== 'number') return undefined
  if (!/^\d+$/.test(token.text)) tokens.fail('a count')
  tokens.take()
  return Number(token.text)
}

function takeValues(tokens: Tokens, format: Format, body: Body, above: number): Item {
  switch (format) {
    case 'L': {
      const items: Item[] = []
      while (tokens.peek().kind === 'open') items.push(parseItemAt(tokens, body, above + 1))
      return { format, items }
    }
    case 'B':
      return { format, bytes: Uint8Array.from(takeBytes(tokens)) }
    case 'BOOLEAN':
      return { format, bytes: Uint8Array.from(takeTruths(tokens)) }
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

/** Takes one number that fits `format`. */
function fitting(tokens: Tokens, format: NumberFormat, expected = nameOfValue(format)): number | bigint {
  try {
    return readNumber(format, tokens.peek().text)
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

/** Strings, and bytes between them. Without a codec the first two bytes name the encoding (a C item). */
function takeText(tokens: Tokens, format: TextFormat, codec: TextCodec | undefined): Item {
  const bytes = new Bytes()
  let writing = codec
  for (;;) {
    const { kind } = tokens.peek()
    if (kind === 'number') {
      bytes.add(Uint8Array.of(takeByte(tokens)))
    } else if (kind === 'string') {
      writing ??=
        namedCodec(bytes.all()) ??
        tokens.fail('the two bytes of a known encoding before text, such as 0x00 0x02')
      bytes.add(encoded(tokens, writing))
    } else {
      return { format, bytes: bytes.all() }
    }
  }
}

/** The codec that the bytes before the first string name. */
function namedCodec(before: Uint8Array): TextCodec | undefined {
  const word = encodingWord(before)
  return word === undefined ? undefined : codecOfWord(word)
}

/** Takes one string, as the codec writes it. */
function encoded(tokens: Tokens, codec: TextCodec): Uint8Array {
  try {
    return codec.encode(tokens.peek().text)
  } catch (error) {
    if (error instanceof TextEncodeError) return tokens.fail(`text that ${codec.encoding} can write`)
    throw error
  } finally {
    tokens.take()
  }
}
