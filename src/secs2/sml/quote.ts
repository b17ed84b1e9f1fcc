import { CHUNK, chunks, decodedPieces } from '../in-parts.js'
import type { TextItem } from '../item.js'
import {
  codecOfWord,
  ENCODING_WORD_LENGTH,
  encodingWord,
  jis8,
  LATIN1,
  type PieceCodec,
  type TextCodec,
} from '../text.js'
import type { LeafLine } from './leaf-line.js'

/**
 * Writes a text item to `line`, in steps: strings in double quotes where the bytes are readable, `0x0A` between
 * them where they are not. Parsed with the same codec they give the same bytes, always.
 */
export function* quoteText(
  { format, value }: TextItem,
  text: TextCodec | undefined,
  line: LeafLine,
): Generator<void> {
  if (format === 'A') return yield* quoteWire(value, text ?? LATIN1, text !== undefined, line)
  if (format === 'J') return yield* quoteWire(value, jis8(), true, line)
  const word = encodingWord(value)
  const codec = word === undefined ? undefined : codecOfWord(word)
  if (codec === undefined) return yield* hexWire(value, line)
  addHex(value.slice(0, ENCODING_WORD_LENGTH), line)
  yield* quoteWire(value.slice(ENCODING_WORD_LENGTH), codec, true, line)
}

/** An A item's text in quotes, after a space, when it is plain ASCII and Latin-1; undefined otherwise. */
export const quoteAscii = (wire: string, text: TextCodec = LATIN1): string | undefined =>
  text === LATIN1 && READABLE_ASCII.test(wire) ? ` "${escaped(wire)}"` : undefined

const READABLE_ASCII = /^[ -~]*$/

/** Text as it stands between double quotes. */
const escaped = (text: string): string => text.replace(/["\\]/g, '\\$&')

const HEX = Array.from({ length: 256 }, (_, byte) => `0x${byte.toString(16).toUpperCase().padStart(2, '0')}`)

/** A byte as `0x0A`. */
export const hexByte = (byte: number): string => HEX[byte] ?? ''

function addHex(wire: string, line: LeafLine): void {
  for (let at = 0; at < wire.length; at++) line.add(hexByte(wire.charCodeAt(at)))
}

function* hexWire(wire: string, line: LeafLine): Generator<void> {
  for (const [from, to] of chunks(wire.length)) {
    addHex(wire.slice(from, to), line)
    yield
  }
}

function* quoteWire(wire: string, codec: TextCodec, beyondAscii: boolean, line: LeafLine): Generator<void> {
  if (wire === '') return line.add('""')
  // Where lines are folded, a word has to be known in full.
  const chunk = line.width === Number.POSITIVE_INFINITY ? CHUNK : wire.length
  // Bytes that the encoding does not know, and encodings that shift state, need the plainer ways.
  const ways = beyondAscii
    ? [readable(wire, codec, chunk), plain(wire, codec, chunk)]
    : [plain(wire, codec, chunk)]
  for (const way of ways) {
    if (yield* readsBack(wire, way)) return yield* quoteRuns(way, line)
  }
  yield* hexWire(wire, line)
}

/** A way to write the bytes of a text: what is visible in quotes, the rest in hex. */
interface Way {
  pieces(): Iterable<string>
  isVisible(codePoint: number): boolean
  /** Encodes one run, visible or not, as the parser will. */
  encoder(visible: boolean): PieceCodec
}

const isAscii = (codePoint: number): boolean => codePoint >= 0x20 && codePoint < 0x7f

/** No control, format character, lone surrogate, line separator or unassigned character. */
const VISIBLE = /[^\p{C}\p{Zl}\p{Zp}]/u

/** Of each code point below U+10000 that was asked for: 1 when it is visible, 2 when not. */
const seen = new Uint8Array(0x1_00_00)

/** Whether a character can be read, of any script. */
function isReadable(codePoint: number): boolean {
  if (isAscii(codePoint)) return true
  if (codePoint < 0xa0) return false
  const known = seen[codePoint]
  if (known) return known === 1
  const visible = VISIBLE.test(String.fromCodePoint(codePoint))
  if (codePoint < seen.length) seen[codePoint] = visible ? 1 : 2
  return visible
}

const readable = (wire: string, codec: TextCodec, chunk: number): Way => ({
  pieces: () => decodedPieces(wire, codec, chunk),
  isVisible: isReadable,
  encoder: () => codec.encoder(),
})

const plain = (wire: string, codec: TextCodec, chunk: number): Way => ({
  pieces: () => decodedPieces(wire, LATIN1, chunk),
  isVisible: isAscii,
  encoder: (visible) => (visible ? codec : LATIN1).encoder(),
})

/** A piece of a run of characters that are all visible, or all not. */
interface Stretch {
  readonly text: string
  readonly visible: boolean
  /** It is the first of its run. */
  readonly begins: boolean
}

function* stretches({ pieces, isVisible }: Way): Generator<Stretch> {
  let visible: boolean | undefined
  for (const piece of pieces()) {
    let from = 0
    let begins = false
    for (let at = 0; at < piece.length; ) {
      const codePoint = piece.codePointAt(at) ?? 0
      const now = isVisible(codePoint)
      if (now !== visible) {
        if (visible !== undefined && at > from) yield { text: piece.slice(from, at), visible, begins }
        from = at
        begins = true
        visible = now
      }
      at += codePoint > 0xffff ? 2 : 1
    }
    if (visible !== undefined && from < piece.length) yield { text: piece.slice(from), visible, begins }
  }
}

/** Whether the parser will make the same bytes of it. */
function* readsBack(wire: string, way: Way): Generator<void, boolean> {
  let at = 0
  let encoder: PieceCodec | undefined
  let pieces = 0
  const matches = (encoded: string): boolean => {
    const same = wire.startsWith(encoded, at)
    at += encoded.length
    return same
  }
  for (const { text, visible, begins } of stretches(way)) {
    if (begins) {
      if (encoder && !matches(encoder.end())) return false
      encoder = way.encoder(visible)
    }
    if (!encoder || !matches(encoder.write(text))) return false
    if (text.length >= CHUNK / 4 || ++pieces % 256 === 0) yield
  }
  return encoder !== undefined && matches(encoder.end()) && at === wire.length
}

function* quoteRuns(way: Way, line: LeafLine): Generator<void> {
  /** Of a run that is not visible. */
  let encoder: PieceCodec | undefined
  let inQuotes = false
  let pieces = 0
  const endRun = (): void => {
    if (inQuotes) line.append('"')
    else addHex(encoder?.end() ?? '', line)
  }
  for (const { text, visible, begins } of stretches(way)) {
    if (begins) {
      endRun()
      inQuotes = visible
      encoder = visible ? undefined : way.encoder(false)
    }
    if (encoder) addHex(encoder.write(text), line)
    else if (begins) line.add(`"${escaped(text)}`, 1)
    else line.append(escaped(text))
    if (text.length >= CHUNK / 4 || ++pieces % 256 === 0) yield
  }
  endRun()
}
