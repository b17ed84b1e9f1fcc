import { type Item, type ListItem, lengthOf, type TextItem } from './item.js'
import { codecOfWord, ENCODING_WORD_LENGTH, encodingWord, jis8, LATIN1, type TextCodec } from './text.js'

/** Values, or bytes of text, that are written at once: well under a millisecond of work. */
export const CHUNK = 4096

/** Values or items that are read or made in one step: of code that has not run yet, 4096 take more than 10 ms. */
export const STEP = 1024

/** Bytes that are copied in one step: a whole number of values of any format. */
export const COPY_BYTES = 1024 * 1024

export type Leaf = Exclude<Item, ListItem>

/** Whether a leaf is written at once. */
export const isShort = (leaf: Leaf): boolean => lengthOf(leaf) <= CHUNK

/** Cuts `length` values into chunks. */
export function* chunks(length: number, chunk = CHUNK): Generator<readonly [from: number, to: number]> {
  for (let from = 0; from < length; from += chunk) yield [from, Math.min(length, from + chunk)]
}

/** The values of a number or byte item, a chunk at a time. */
export function* valueChunks({ value }: Exclude<Leaf, TextItem>): Generator<Iterable<number | bigint>> {
  if (typeof value !== 'object') return yield [value]
  for (const [from, to] of chunks(value.length)) yield value.subarray(from, to)
}

/** What `codec.decode` gives, in pieces that tear no pair of surrogates. */
export function* decodedPieces(wire: string, codec: TextCodec, chunk = CHUNK): Generator<string> {
  const decoder = codec.decoder()
  let held = ''
  for (const [from, to] of chunks(wire.length, chunk)) {
    const text = held + decoder.write(wire.slice(from, to))
    const whole = /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length
    held = text.slice(whole)
    yield text.slice(0, whole)
  }
  yield held + decoder.end()
}

/** What `decodeText` gives, in pieces that tear no pair of surrogates. */
export function textPieces({ format, value }: TextItem, text: TextCodec = LATIN1): Iterable<string> {
  if (format === 'A') return decodedPieces(value, text)
  if (format === 'J') return decodedPieces(value, jis8())
  const word = encodingWord(value)
  if (word === undefined) return [value]
  return decodedPieces(value.slice(ENCODING_WORD_LENGTH), codecOfWord(word) ?? LATIN1)
}

/** Whether the text that `wire` is decoded to gives the same bytes again, in steps. */
export function* isReversible(wire: string, codec: TextCodec): Generator<void, boolean> {
  const encoder = codec.encoder()
  let at = 0
  for (const piece of decodedPieces(wire, codec)) {
    const encoded = encoder.write(piece)
    if (!wire.startsWith(encoded, at)) return false
    at += encoded.length
    yield
  }
  return wire.slice(at) === encoder.end()
}

/** How a tree of items is written as text. `depth` is how many lists are around the item. */
export interface TreeText {
  open(list: ListItem, depth: number): string
  /** Text between two items of a list. */
  readonly separator: string
  close(list: ListItem, depth: number): string
  leaf(leaf: Leaf, depth: number): string
  /** A leaf that is not short, in parts. */
  leafParts(leaf: Leaf, depth: number): Iterable<string>
}

/**
 * A tree of items as text, in parts of some kilobytes; an empty part marks a step of work without output. Without
 * recursion: a tree may have a million items, lists in lists.
 */
export function* treeParts(root: Item, way: TreeText): Generator<string> {
  const lists: { readonly list: ListItem; next: number }[] = []
  let part = ''
  let item = root
  for (;;) {
    const depth = lists.length
    if (item.format === 'L') {
      part += way.open(item, depth)
      lists.push({ list: item, next: 0 })
    } else if (isShort(item)) part += way.leaf(item, depth)
    else {
      yield part
      part = ''
      yield* way.leafParts(item, depth)
    }
    for (;;) {
      const inner = lists.at(-1)
      if (!inner) return yield part
      const next = inner.list.items[inner.next++]
      if (next) {
        if (inner.next > 1) part += way.separator
        item = next
        break
      }
      lists.pop()
      part += way.close(inner.list, lists.length)
    }
    if (part.length < CHUNK) continue
    yield part
    part = ''
  }
}

/** All parts as one text. */
export function joined(parts: Iterable<string>): string {
  let text = ''
  for (const part of parts) text += part
  return text
}
