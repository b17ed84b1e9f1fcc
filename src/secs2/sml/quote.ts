import { TextEncodeError } from '../errors.js'
import type { TextItem } from '../item.js'
import { codecOfWord, ENCODING_WORD_LENGTH, encodingWord, jis8, LATIN1, type TextCodec } from '../text.js'

/** Takes the words of an item as SML writes them, one by one: a text item may have millions. */
export type TakeWord = (word: string) => void

/**
 * Hands out a text item as SML writes it: strings in double quotes where the bytes are readable, `0x0A`
 * between them where they are not. Parsed with the same codec they give the same bytes, always.
 */
export function quoteText(item: TextItem, text: TextCodec | undefined, take: TakeWord): void {
  if (item.format === 'A') return quoteBytes(item.bytes, text ?? LATIN1, text !== undefined, take)
  if (item.format === 'J') return quoteBytes(item.bytes, jis8(), true, take)
  const word = encodingWord(item.bytes)
  const codec = word === undefined ? undefined : codecOfWord(word)
  if (codec === undefined) return hexBytes(item.bytes, take)
  hexBytes(item.bytes.subarray(0, ENCODING_WORD_LENGTH), take)
  quoteBytes(item.bytes.subarray(ENCODING_WORD_LENGTH), codec, true, take)
}

const HEX = Array.from({ length: 256 }, (_, byte) => `0x${byte.toString(16).toUpperCase().padStart(2, '0')}`)

export const hexByte = (byte: number): string => HEX[byte] ?? ''

/** Hands out each byte as `0x0A`. */
export function hexBytes(bytes: Uint8Array, take: TakeWord): void {
  for (const byte of bytes) take(hexByte(byte))
}

function quoteBytes(bytes: Uint8Array, codec: TextCodec, beyondAscii: boolean, take: TakeWord): void {
  if (bytes.length === 0) return take('""')
  // Bytes that the encoding does not know, and encodings that shift state, need the plainer ways.
  for (const way of beyondAscii ? [readable(bytes, codec), plain(bytes, codec)] : [plain(bytes, codec)]) {
    if (readsBack(bytes, way)) return quoteRuns(way, take)
  }
  hexBytes(bytes, take)
}

/** A way to write bytes: what can be seen of `text` in quotes, the rest in hex. */
interface Way {
  readonly text: string
  isVisible(codePoint: number): boolean
  /** The bytes that a run is read as. */
  encode(run: string, visible: boolean): Uint8Array
}

const isAscii = (codePoint: number): boolean => codePoint >= 0x20 && codePoint < 0x7f

/** No control, format character, lone surrogate, line separator or unassigned character. */
const VISIBLE = /[^\p{C}\p{Zl}\p{Zp}]/u

const readable = (bytes: Uint8Array, codec: TextCodec): Way => ({
  text: codec.decode(bytes),
  isVisible: (codePoint) =>
    isAscii(codePoint) || (codePoint >= 0xa0 && VISIBLE.test(String.fromCodePoint(codePoint))),
  encode: (run) => codec.encode(run),
})

const plain = (bytes: Uint8Array, codec: TextCodec): Way => ({
  text: LATIN1.decode(bytes),
  isVisible: isAscii,
  encode: (run, visible) => (visible ? codec : LATIN1).encode(run),
})

function readsBack(bytes: Uint8Array, way: Way): boolean {
  let at = 0
  try {
    for (const [run, visible] of runs(way)) {
      const encoded = way.encode(run, visible)
      if (Buffer.compare(encoded, bytes.subarray(at, at + encoded.length)) !== 0) return false
      at += encoded.length
    }
  } catch (error) {
    if (error instanceof TextEncodeError) return false
    throw error
  }
  return at === bytes.length
}

function quoteRuns(way: Way, take: TakeWord): void {
  for (const [run, visible] of runs(way)) {
    if (visible) take(`"${run.replace(/["\\]/g, '\\$&')}"`)
    else hexBytes(way.encode(run, visible), take)
  }
}

/** The text cut where what can be seen begins and ends. */
function* runs({ text, isVisible }: Way): Generator<[run: string, visible: boolean]> {
  let from = 0
  let visible = isVisible(text.codePointAt(0) ?? 0)
  for (let at = 0; at < text.length; ) {
    const codePoint = text.codePointAt(at) ?? 0
    if (isVisible(codePoint) !== visible) {
      yield [text.slice(from, at), visible]
      from = at
      visible = !visible
    }
    at += codePoint > 0xffff ? 2 : 1
  }
  yield [text.slice(from), visible]
}
