import { loadIconv } from '../kit/text/iconv.js'
import { atOnce } from '../kit/turns.js'
import { TextEncodeError } from './errors.js'

/** Text between what is on the wire, a character (U+0000 to U+00FF) for each byte, and what it means. */
export interface TextCodec {
  readonly encoding: string
  /** Bytes that the encoding does not know become U+FFFD. */
  decode(wire: string): string
  /** TextEncodeError for a character that cannot be written: nothing is replaced without an error. */
  encode(text: string): string
  /** The same in steps: text may have 16 million characters. */
  encodeSteps(text: string): Generator<void, string>
  /** Decodes wire that comes in pieces: together they give what all of it would. */
  decoder(): PieceCodec
  /** Encodes text that comes in pieces, no pair of surrogates torn. What cannot be written becomes something else. */
  encoder(): PieceCodec
}

/** Encodes or decodes one text that comes in pieces. */
export interface PieceCodec {
  write(piece: string): string
  /** The rest that waited for more input. */
  end(): string
}

const atOneStep = (encode: (text: string) => string) =>
  // biome-ignore lint/correctness/useYield: it is one step
  function* (text: string): Generator<void, string> {
    return encode(text)
  }
const oneByOne = (write: (piece: string) => string) => (): PieceCodec => ({ write, end: () => '' })
const asItIs = oneByOne((piece) => piece)

/** Every byte is a character and every character up to U+00FF a byte. What SECS-II text is unless agreed. */
export const LATIN1: TextCodec = {
  encoding: 'latin1',
  decode: (wire) => wire,
  encode: (text) => written(text, beyondLatin1(text), 'latin1'),
  encodeSteps: atOneStep((text) => LATIN1.encode(text)),
  decoder: asItIs,
  encoder: asItIs,
}

/** For checks where the equipment's encoding is not known: an item has its text in place of the bytes. */
export const UNKNOWN_ENCODING: TextCodec = {
  ...LATIN1,
  encoding: 'unknown',
  encode: (text) => text,
  encodeSteps: atOneStep((text) => text),
}

const ASCII: TextCodec = {
  encoding: 'ascii',
  decode: (wire) => wire.replace(/[\x80-\xff]/g, '\ufffd'),
  encode: (text) => written(text, firstOf(text, /[\x80-\uffff]/), 'ascii'),
  encodeSteps: atOneStep((text) => ASCII.encode(text)),
  decoder: oneByOne((wire) => ASCII.decode(wire)),
  encoder: asItIs,
}

function written(text: string, wrong: string | undefined, encoding: string): string {
  if (wrong !== undefined) throw new TextEncodeError(wrong, encoding)
  return text
}

const LATIN1_NAMES = new Set(['latin1', 'iso88591', 'l1'])

/** Names that iconv-lite knows and that are not encodings of text. */
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

/** The bytes of text whose characters are up to U+00FF. */
export const bytesOfWire = (wire: string): Buffer => Buffer.from(wire, 'latin1')

/** Longer texts are searched by a regular expression; for these its call costs more than the text. */
const SHORT_TEXT = 32

/** The first character that is not in Latin-1; undefined when all are. */
export function beyondLatin1(text: string): string | undefined {
  let at = 0
  if (text.length <= SHORT_TEXT) while (at < text.length && text.charCodeAt(at) <= 0xff) at++
  return at === text.length ? undefined : firstOf(text, /[\u0100-\uffff]/)
}

function firstOf(text: string, wanted: RegExp): string | undefined {
  const at = text.search(wanted)
  return at < 0 ? undefined : String.fromCodePoint(text.codePointAt(at) ?? 0)
}

function multiByte(name: string, asGiven: string): TextCodec {
  const iconv = loadIconv()
  if (NO_ENCODINGS.has(name) || !iconv.encodingExists(name)) {
    throw new RangeError(`${asGiven} is no text encoding known here: try latin1, utf-8, shift_jis or gb18030`)
  }
  const asIs = { stripBOM: false, addBOM: false }
  const codec: TextCodec = {
    encoding: name,
    decode: (wire) => iconv.decode(bytesOfWire(wire), name, asIs),
    encode: (text) => atOnce(codec.encodeSteps(text)),
    *encodeSteps(text) {
      const encoder = codec.encoder()
      const decoder = codec.decoder()
      let wire = ''
      let same = 0
      for (const piece of [...wholePieces(text), undefined]) {
        const written = piece === undefined ? encoder.end() : encoder.write(piece)
        const back = decoder.write(written) + (piece === undefined ? decoder.end() : '')
        // iconv-lite writes a question mark for what it cannot write.
        if (!text.startsWith(back, same)) throw new TextEncodeError(lostAt(text, same, back), name)
        wire += written
        same += back.length
        if (text.length > PIECE) yield
      }
      if (same < text.length) throw new TextEncodeError(lostAt(text, same, ''), name)
      return wire
    },
    decoder() {
      const stream: Decoder & UnfinishedCharacter = iconv.getDecoder(name, asIs)
      return {
        write(wire) {
          // iconv-lite makes room for as many characters as the piece has bytes. Where the piece before ended within a
          // character that turns out to be invalid, there are more, and it drops the last ones: they go together.
          const before = stream.prevBytes ?? []
          if (before.length > 0) Object.assign(stream, { prevBytes: [], nodeIdx: 0 })
          return stream.write(Buffer.concat([Buffer.from(before), bytesOfWire(wire)]))
        },
        end: () => stream.end() ?? '',
      }
    },
    encoder() {
      const stream = iconv.getEncoder(name, asIs)
      return {
        write: (text) => stream.write(text).toString('latin1'),
        end: () => stream.end()?.toString('latin1') ?? '',
      }
    },
  }
  return codec
}

type Decoder = ReturnType<ReturnType<typeof loadIconv>['getDecoder']>

/** What the decoder of a multi-byte encoding in iconv-lite keeps of a piece that ends within a character. */
interface UnfinishedCharacter {
  prevBytes?: number[]
  nodeIdx?: number
}

/** Characters that are encoded in one step. */
const PIECE = 16 * 1024

/** `text` in pieces that tear no pair of surrogates. */
function* wholePieces(text: string): Generator<string> {
  for (let from = 0, to = 0; from < text.length; from = to) {
    to = Math.min(text.length, from + PIECE)
    if (/[\ud800-\udbff]/.test(text.charAt(to - 1)) && to < text.length) to++
    yield text.slice(from, to)
  }
}

/** The character of `text` at which `back`, which ought to begin at `from` in it, is another. */
function lostAt(text: string, from: number, back: string): string {
  let at = 0
  while (at < back.length && back.charCodeAt(at) === text.charCodeAt(from + at)) at++
  return String.fromCodePoint(text.codePointAt(from + at) ?? 0xfffd)
}
