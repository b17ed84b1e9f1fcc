import { createRequire } from 'node:module'
import { TextEncodeError } from './errors.js'

/** Text between its bytes on the wire and a string. */
export interface TextCodec {
  readonly encoding: string
  /** Bytes that the encoding does not know become U+FFFD. */
  decode(bytes: Uint8Array): string
  /** TextEncodeError for a character that cannot be written: nothing is replaced in silence. */
  encode(text: string): Uint8Array
}

/** Every byte is a character and every character up to U+00FF a byte. What SECS-II text is unless agreed. */
export const LATIN1: TextCodec = singleByte('latin1', 0xff)

const ASCII: TextCodec = singleByte('ascii', 0x7f)

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

/** The encoding word that a C item's bytes begin with; undefined when they are too few. */
export function encodingWord(bytes: Uint8Array): number | undefined {
  const [high, low] = bytes
  return high === undefined || low === undefined ? undefined : high * 256 + low
}

function singleByte(encoding: string, last: number): TextCodec {
  return {
    encoding,
    decode(bytes) {
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
      return last === 0xff ? text : text.replace(/[\x80-\xff]/g, '\ufffd')
    },
    encode(text) {
      const bytes = new Uint8Array(text.length)
      for (let at = 0; at < text.length; at++) {
        const code = text.charCodeAt(at)
        if (code > last)
          throw new TextEncodeError(String.fromCodePoint(text.codePointAt(at) ?? code), encoding)
        bytes[at] = code
      }
      return bytes
    },
  }
}

type Iconv = typeof import('iconv-lite')

/** Loaded by the first that needs it: its tables are large, and most equipment speaks Latin-1. */
const loadIconv = (): Iconv => createRequire(import.meta.url)('iconv-lite') as Iconv

function multiByte(name: string, asGiven: string): TextCodec {
  const iconv = loadIconv()
  if (NO_ENCODINGS.has(name) || !iconv.encodingExists(name)) {
    throw new RangeError(`${asGiven} is no text encoding known here: try latin1, utf-8, shift_jis or gb18030`)
  }
  const decode = (bytes: Uint8Array): string =>
    iconv.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), name, { stripBOM: false })
  const write = (text: string): Uint8Array => new Uint8Array(iconv.encode(text, name, { addBOM: false }))
  return {
    encoding: name,
    decode,
    encode(text) {
      const bytes = write(text)
      // iconv-lite writes a question mark for what it cannot write.
      if (decode(bytes) === text) return bytes
      const lost = [...text].find((character) => decode(write(character)) !== character)
      throw new TextEncodeError(lost ?? text.charAt(0), name)
    },
  }
}
