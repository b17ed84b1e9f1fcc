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
  if (item.format === 'A') return quoteWire(item.value, text ?? LATIN1, text !== undefined, take)
  if (item.format === 'J') return quoteWire(item.value, jis8(), true, take)
  const word = encodingWord(item.value)
  const codec = word === undefined ? undefined : codecOfWord(word)
  if (codec === undefined) return hexWire(item.value, take)
  hexWire(item.value.slice(0, ENCODING_WORD_LENGTH), take)
  quoteWire(item.value.slice(ENCODING_WORD_LENGTH), codec, true, take)
}

/** An A item's text in quotes, when it is readable ASCII to the last byte and Latin-1; undefined otherwise. */
export const quoteAscii = (wire: string, text: TextCodec = LATIN1): string | undefined =>
  text === LATIN1 && READABLE_ASCII.test(wire) ? quoted(wire) : undefined

const READABLE_ASCII = /^[ -~]*$/

/** Text as it stands between double quotes. */
export const escaped = (text: string): string => text.replace(/["\\]/g, '\\$&')

const quoted = (text: string): string => `"${escaped(text)}"`

const HEX = Array.from({ length: 256 }, (_, byte) => `0x${byte.toString(16).toUpperCase().padStart(2, '0')}`)

/** A byte as `0x0A`. */
export const hexByte = (byte: number): string => HEX[byte] ?? ''

function hexWire(wire: string, take: TakeWord): void {
  for (let at = 0; at < wire.length; at++) take(hexByte(wire.charCodeAt(at)))
}

function quoteWire(wire: string, codec: TextCodec, beyondAscii: boolean, take: TakeWord): void {
  if (wire === '') return take('""')
  // Bytes that the encoding does not know, and encodings that shift state, need the plainer ways.
  for (const way of beyondAscii ? [readable(wire, codec), plain(wire, codec)] : [plain(wire, codec)]) {
    if (readsBack(wire, way)) return quoteRuns(way, take)
  }
  hexWire(wire, take)
}

/** A way to write what is on the wire: what can be seen of `text` in quotes, the rest in hex. */
interface Way {
  readonly text: string
  isVisible(codePoint: number): boolean
  /** What a run is read as. */
  encode(run: string, visible: boolean): string
}

export const isAscii = (codePoint: number): boolean => codePoint >= 0x20 && codePoint < 0x7f

/** No control, format character, lone surrogate, line separator or unassigned character. */
const VISIBLE = /[^\p{C}\p{Zl}\p{Zp}]/u

/** Of each code point below U+10000, once it was asked for: 1 when it is visible, 2 when not. */
const seen = new Uint8Array(0x1_00_00)

/** Whether a character can be read, of any script. */
export function isReadable(codePoint: number): boolean {
  if (isAscii(codePoint)) return true
  if (codePoint < 0xa0) return false
  const known = seen[codePoint]
  if (known) return known === 1
  const visible = VISIBLE.test(String.fromCodePoint(codePoint))
  if (codePoint < seen.length) seen[codePoint] = visible ? 1 : 2
  return visible
}

const readable = (wire: string, codec: TextCodec): Way => ({
  text: codec.decode(wire),
  isVisible: isReadable,
  encode: (run) => codec.encode(run),
})

const plain = (wire: string, codec: TextCodec): Way => ({
  text: wire,
  isVisible: isAscii,
  encode: (run, visible) => (visible ? codec.encode(run) : run),
})

function readsBack(wire: string, way: Way): boolean {
  let at = 0
  try {
    for (const [run, visible] of runs(way)) {
      const encoded = way.encode(run, visible)
      if (!wire.startsWith(encoded, at)) return false
      at += encoded.length
    }
  } catch (error) {
    if (error instanceof TextEncodeError) return false
    throw error
  }
  return at === wire.length
}

function quoteRuns(way: Way, take: TakeWord): void {
  for (const [run, visible] of runs(way)) {
    if (visible) take(quoted(run))
    else hexWire(way.encode(run, visible), take)
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
