import { decodedPieces, PORTION, portions } from '../in-parts.js'
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
import { escaped, hexByte, isAscii, isReadable } from './quote.js'

/** What `quoteText` hands out, in parts, a space before each word. For text that is not empty. */
export function* quotedParts(item: TextItem, text: TextCodec | undefined): Generator<string> {
  const { format, value } = item
  if (format === 'A') return yield* wireParts(value, text ?? LATIN1, text !== undefined)
  if (format === 'J') return yield* wireParts(value, jis8(), true)
  const word = encodingWord(value)
  const codec = word === undefined ? undefined : codecOfWord(word)
  if (codec === undefined) return yield* hexParts(value)
  yield* hexParts(value.slice(0, ENCODING_WORD_LENGTH))
  yield* wireParts(value.slice(ENCODING_WORD_LENGTH), codec, true)
}

function* hexParts(wire: string): Generator<string> {
  for (const [from, to] of portions(wire.length)) yield hexWords(wire.slice(from, to))
}

/** A way to write what is on the wire: what can be seen of the text in quotes, the rest in hex. */
interface Way {
  pieces(): Iterable<string>
  isVisible(codePoint: number): boolean
  /** Of a run: what it is read as. */
  encoder(visible: boolean): PieceCodec
}

function* wireParts(wire: string, codec: TextCodec, beyondAscii: boolean): Generator<string> {
  for (const way of beyondAscii ? [readable(wire, codec), plain(wire, codec)] : [plain(wire, codec)]) {
    if (yield* readsBack(wire, way)) return yield* runParts(way)
  }
  yield* hexParts(wire)
}

const readable = (wire: string, codec: TextCodec): Way => ({
  pieces: () => decodedPieces(wire, codec),
  isVisible: isReadable,
  encoder: () => codec.encoder(),
})

const plain = (wire: string, codec: TextCodec): Way => ({
  pieces: () => decodedPieces(wire, LATIN1),
  isVisible: isAscii,
  encoder: (visible) => (visible ? codec : LATIN1).encoder(),
})

/** A piece of a run; `begins` where it is the first. */
interface Stretch {
  readonly text: string
  readonly visible: boolean
  readonly begins: boolean
}

function* stretches({ pieces, isVisible }: Way): Generator<Stretch> {
  let visible: boolean | undefined
  for (const piece of pieces()) {
    let from = 0
    let begins = false
    for (let at = 0; at < piece.length; ) {
      const codePoint = piece.codePointAt(at) ?? 0
      const seen = isVisible(codePoint)
      if (seen !== visible) {
        if (visible !== undefined && at > from) yield { text: piece.slice(from, at), visible, begins }
        from = at
        begins = true
        visible = seen
      }
      at += codePoint > 0xffff ? 2 : 1
    }
    if (visible !== undefined && from < piece.length) yield { text: piece.slice(from), visible, begins }
  }
}

/** Gives way now and then: an empty part. */
function* readsBack(wire: string, way: Way): Generator<string, boolean> {
  let at = 0
  let encoder: PieceCodec | undefined
  let pieces = 0
  const goesOn = (encoded: string): boolean => {
    const same = wire.startsWith(encoded, at)
    at += encoded.length
    return same
  }
  for (const { text, visible, begins } of stretches(way)) {
    if (begins) {
      if (encoder && !goesOn(encoder.end())) return false
      encoder = way.encoder(visible)
    }
    if (!encoder || !goesOn(encoder.write(text))) return false
    if (text.length >= PORTION / 4 || ++pieces % 256 === 0) yield ''
  }
  return encoder !== undefined && goesOn(encoder.end()) && at === wire.length
}

function* runParts(way: Way): Generator<string> {
  let part = ''
  let run: PieceCodec | undefined
  for (const { text, visible, begins } of stretches(way)) {
    if (begins) {
      part += run?.end() ?? ''
      if (visible) part += ' "'
      run = visible ? QUOTED : inHex(way.encoder(false))
    }
    part += run?.write(text) ?? ''
    if (part.length < PORTION) continue
    yield part
    part = ''
  }
  yield part + (run?.end() ?? '')
}

const QUOTED: PieceCodec = { write: escaped, end: () => '"' }

const inHex = (encoder: PieceCodec): PieceCodec => ({
  write: (piece) => hexWords(encoder.write(piece)),
  end: () => hexWords(encoder.end()),
})

function hexWords(wire: string): string {
  let words = ''
  for (let at = 0; at < wire.length; at++) words += ` ${hexByte(wire.charCodeAt(at))}`
  return words
}
