import { createRequire } from 'node:module'
import { TextEncodeError } from './errors.js'

/** Text between what is on the wire, a character (U+0000 to U+00FF) for each byte, and what it means. */
export interface TextCodec {
  readonly encoding: string
  /** Bytes that the encoding does not know become U+FFFD. */
  decode(wire: string): string
  /** TextEncodeError for a character that cannot be written: nothing is replaced in silence. */
  encode(text: string): string
  /** Decodes wire that comes in pieces: together they give what all of it would. */
  decoder(): PieceCodec
  /** Encodes text that comes in pieces, no pair of surrogates torn. What cannot be written becomes something else. */
  encoder(): PieceCodec
}

/** One text that comes in pieces. */
export interface PieceCodec {
  write(piece: string): string
  /** What was waiting for more. */
  end(): string
}

const oneByOne = (write: (piece: string) => string) => (): PieceCodec => ({ write, end: () => '' })
const asItIs = oneByOne((piece) => piece)

/** Every byte is a character and every character up to U+00FF a byte. What SECS-II text is unless agreed. */
export const LATIN1: TextCodec = {
  encoding: 'latin1',
  decode: (wire) => wire,
  encode: (text) => written(text, beyondLatin1(text), 'latin1'),
  decoder: asItIs,
  encoder: asItIs,
}

const ASCII: TextCodec = {
  encoding: 'ascii',
  decode: (wire) => wire.replace(/[\x80-\xff]/g, '\ufffd'),
  encode: (text) => written(text, firstOf(text, /[\x80-\uffff]/), 'ascii'),
  decoder: oneByOne((wire) => ASCII.decode(wire)),
  encoder: asItIs,
}

function written(text: string, wrong: string | undefined, encoding: string): string {
  if (wrong !== undefined) throw new TextEncodeError(wrong, encoding)
  return text
}

const LATIN1_NAMES = new Set(['latin1', 'iso88591', 'l1'])

/** What iconv-lite offers beside encodings of text. */
const NO_ENCODINGS = new Set(['base64', 'hex', 'binary'])

const made = new Map<string, TextCodec>()

/**
 * The codec of an encoding by its name, such as `gb18030`, `shift_jis` or `utf-8`; case, hyphens and
 * underscores make no difference. Throws a RangeError for one that is unknown.
 */
export function textCodec(encoding: string): TextCodec {
  const name = encoding.toLowerCase().replace(/[^0-9a-z]/g, '')
  if (LATIN1_NAMES.has(name)) return LATIN1
  const codec = made.get(name) ?? multiByte(name, encoding)
  made.set(name, codec)
  return codec
}

/** J is JIS-8: one byte a character, as Shift_JIS has it. */
export const jis8 = (): TextCodec => textCodec('shift_jis')

/** How many bytes of a C item name its encoding. */
export const ENCODING_WORD_LENGTH = 2

/** The encoding word of UTF-8: what we write a C item in. */
export const UTF8_WORD = 2

/** Encodings of C items by their word (SEMI E5). */
const ENCODINGS: ReadonlyMap<number, string> = new Map([
  [1, 'utf-16be'],
  [UTF8_WORD, 'utf-8'],
  [3, 'ascii'],
  [4, 'latin1'],
  [8, 'shift_jis'],
  [9, 'euc-jp'],
])

/** The codec that a C item's first two bytes name; undefined for a word that we do not know. */
export function codecOfWord(word: number): TextCodec | undefined {
  const encoding = ENCODINGS.get(word)
  if (encoding === undefined) return undefined
  return encoding === 'ascii' ? ASCII : textCodec(encoding)
}

/** The encoding word that a C item begins with; undefined when it is too short for one. */
export const encodingWord = (wire: string): number | undefined =>
  wire.length < ENCODING_WORD_LENGTH ? undefined : wire.charCodeAt(0) * 256 + wire.charCodeAt(1)

/** The bytes that characters up to U+00FF stand for. */
export const bytesOfWire = (wire: string): Buffer => Buffer.from(wire, 'latin1')

/** The first character that is not in Latin-1; undefined when all are. */
export const beyondLatin1 = (text: string): string | undefined => firstOf(text, /[\u0100-\uffff]/)

function firstOf(text: string, wanted: RegExp): string | undefined {
  const at = text.search(wanted)
  return at < 0 ? undefined : String.fromCodePoint(text.codePointAt(at) ?? 0)
}

type Iconv = typeof import('iconv-lite')

/** Loaded by the first that needs it: its tables are large, and most equipment speaks Latin-1. */
const loadIconv = (): Iconv => createRequire(import.meta.url)('iconv-lite') as Iconv

function multiByte(name: string, asGiven: string): TextCodec {
  const iconv = loadIconv()
  if (NO_ENCODINGS.has(name) || !iconv.encodingExists(name)) {
    throw new RangeError(`${asGiven} is no text encoding known here: try latin1, utf-8, shift_jis or gb18030`)
  }
  const asIs = { stripBOM: false, addBOM: false }
  const decode = (wire: string): string => iconv.decode(bytesOfWire(wire), name, asIs)
  const write = (text: string): string => iconv.encode(text, name, asIs).toString('latin1')
  return {
    encoding: name,
    decode,
    encode(text) {
      const wire = write(text)
      // iconv-lite writes a question mark for what it cannot write.
      if (decode(wire) === text) return wire
      const lost = [...text].find((character) => decode(write(character)) !== character)
      throw new TextEncodeError(lost ?? text.charAt(0), name)
    },
    decoder() {
      const stream = iconv.getDecoder(name, asIs)
      return { write: (wire) => stream.write(bytesOfWire(wire)), end: () => stream.end() ?? '' }
    },
    encoder() {
      const stream = iconv.getEncoder(name, asIs)
      return {
        write: (text) => stream.write(text).toString('latin1'),
        end: () => stream.end()?.toString('latin1') ?? '',
      }
    },
  }
}
