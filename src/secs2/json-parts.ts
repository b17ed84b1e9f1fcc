import {
  bytePortions,
  decodedPieces,
  isShort,
  numberPortions,
  PORTION,
  stepsOf,
  textPieces,
} from './in-parts.js'
import { type BytesItem, bytesOf, type Item, type TextItem } from './item.js'
import { numberJson, toTypedJson } from './json.js'
import type { NumberItem } from './number-item.js'
import { bytesOfWire, jis8, LATIN1, type TextCodec } from './text.js'

/** The text of `toTypedJson` in parts of some kilobytes, some of them empty where there is only work to do. */
export function* typedJsonParts(root: Item, text: TextCodec = LATIN1): Generator<string> {
  let part = ''
  for (const { item, first } of stepsOf(root)) {
    if (!item) part += ']}'
    else {
      if (!first) part += ','
      if (item.format === 'L') part += '{"L":['
      else if (isShort(item)) part += JSON.stringify(toTypedJson(item, text))
      else {
        yield part
        part = ''
        yield* leafParts(item, text)
      }
    }
    if (part.length < PORTION) continue
    yield part
    part = ''
  }
  yield part
}

type Leaf = Exclude<Item, { format: 'L' }>

function* leafParts(item: Leaf, text: TextCodec): Generator<string> {
  yield `{"${item.format}":`
  switch (item.format) {
    case 'A':
      yield* textParts(item, text)
      break
    case 'J':
      yield* textParts(item, jis8())
      break
    case 'C':
      yield* jsonString(textPieces(item))
      break
    default:
      yield* arrayParts(valueTexts(item))
  }
  yield '}'
}

/** The values of a leaf as JSON, with commas between them. */
function* valueTexts(item: NumberItem | BytesItem): Generator<string> {
  switch (item.format) {
    case 'B':
      yield* byteTexts(bytesOf(item))
      break
    case 'BOOLEAN':
      for (const bytes of bytePortions(bytesOf(item))) yield Array.from(bytes, (byte) => byte !== 0).join(',')
      break
    default:
      for (const values of numberPortions(item)) {
        yield JSON.stringify(Array.from(values, numberJson)).slice(1, -1)
      }
  }
}

function* byteTexts(bytes: Uint8Array): Generator<string> {
  for (const portion of bytePortions(bytes)) yield portion.join(',')
}

/** An array of values that come as JSON with commas between them, some at a time. */
export function* arrayParts(texts: Iterable<string>): Generator<string> {
  let before = '['
  for (const text of texts) {
    yield before + text
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

/** Text as a string, or as an array of its bytes where the string would not give them again. */
function* textParts({ format, value }: TextItem, codec: TextCodec): Generator<string> {
  if (format === 'A' && codec === LATIN1) return yield* jsonString(decodedPieces(value, codec))
  if (yield* survives(value, codec)) yield* jsonString(decodedPieces(value, codec))
  else yield* arrayParts(byteTexts(bytesOfWire(value)))
}

function* survives(wire: string, codec: TextCodec): Generator<string, boolean> {
  const encoder = codec.encoder()
  let at = 0
  for (const piece of decodedPieces(wire, codec)) {
    const encoded = encoder.write(piece)
    if (!wire.startsWith(encoded, at)) return false
    at += encoded.length
    yield ''
  }
  return wire.slice(at) === encoder.end()
}

/** One JSON string of pieces that tear no pair of surrogates. */
export function* jsonString(pieces: Iterable<string>): Generator<string> {
  yield '"'
  for (const piece of pieces) yield JSON.stringify(piece).slice(1, -1)
  yield '"'
}
