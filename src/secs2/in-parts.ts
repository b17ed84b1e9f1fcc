import { type Item, lengthOf, type TextItem } from './item.js'
import type { NumberItem } from './number-item.js'
import { codecOfWord, ENCODING_WORD_LENGTH, encodingWord, jis8, LATIN1, type TextCodec } from './text.js'

/** Values, or bytes of text, that are written at once: well under a millisecond of work. */
export const PORTION = 4096

/** Whether an item is written at once. A list never is: its items are. */
export const isShort = (item: Item): boolean => item.format !== 'L' && lengthOf(item) <= PORTION

/** Cuts `length` values into portions. */
export function* portions(length: number): Generator<readonly [from: number, to: number]> {
  for (let from = 0; from < length; from += PORTION) yield [from, Math.min(length, from + PORTION)]
}

export function* bytePortions(bytes: Uint8Array): Generator<Uint8Array> {
  for (const [from, to] of portions(bytes.length)) yield bytes.subarray(from, to)
}

/** The values of an item that has many, a portion at a time. */
export function* numberPortions({ value }: NumberItem): Generator<Iterable<number | bigint>> {
  if (typeof value !== 'object') return yield [value]
  for (const [from, to] of portions(value.length)) yield value.subarray(from, to)
}

/** What `codec.decode` gives, in pieces that tear no pair of surrogates. */
export function* decodedPieces(wire: string, codec: TextCodec): Generator<string> {
  const decoder = codec.decoder()
  let held = ''
  for (const [from, to] of portions(wire.length)) {
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

/** An item of a tree in the order in which they are written, or undefined at the end of a list. */
export interface Step {
  readonly item: Item | undefined
  /** Lists round the item, or round the list that ends. */
  readonly depth: number
  /** The first of its list; at the end of a list, that it is empty. */
  readonly first: boolean
}

/** Goes through a tree of items without recursion: one may have a million of them, lists in lists. */
export function* stepsOf(root: Item): Generator<Step> {
  const lists: { readonly items: readonly Item[]; next: number }[] = []
  let item: Item | undefined = root
  let first = true
  for (;;) {
    yield { item, depth: lists.length, first }
    if (item?.format === 'L') lists.push({ items: item.items, next: 0 })
    const list = lists.at(-1)
    if (!list) return
    first = list.next === 0
    item = list.items[list.next++]
    if (!item) lists.pop()
  }
}
