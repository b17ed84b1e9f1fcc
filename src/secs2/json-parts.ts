import { decodedPieces, isReversible, type Leaf, textPieces, treeParts, valueChunks } from './in-parts.js'
import type { Item } from './item.js'
import { numberJson, toTypedJson } from './json.js'
import { bytesOfWire, jis8, LATIN1, type TextCodec } from './text.js'

/** The text of `toTypedJson` in parts of some kilobytes; an empty part marks a step of work without output. */
export const typedJsonParts = (root: Item, text: TextCodec = LATIN1): Generator<string> =>
  treeParts(root, {
    open: () => '{"L":[',
    separator: ',',
    close: () => ']}',
    leaf: (leaf) => JSON.stringify(toTypedJson(leaf, text)),
    leafParts: (leaf) => leafParts(leaf, text),
  })

function* leafParts(leaf: Leaf, text: TextCodec): Generator<string> {
  yield `{"${leaf.format}":`
  switch (leaf.format) {
    case 'A':
    case 'J':
      yield* textParts(leaf.value, leaf.format === 'A' ? text : jis8())
      break
    case 'C':
      yield* jsonString(textPieces(leaf))
      break
    case 'B':
      yield* arrayParts(valueChunks(leaf), bytesText)
      break
    case 'BOOLEAN':
      yield* arrayParts(
        valueChunks(leaf),
        valuesText((byte) => byte !== 0),
      )
      break
    default:
      yield* arrayParts(valueChunks(leaf), valuesText(numberJson))
  }
  yield '}'
}

/** Text as a string, or as an array of its bytes where the string would not give them again. */
function* textParts(wire: string, codec: TextCodec): Generator<string> {
  if (codec !== LATIN1) {
    const steps = isReversible(wire, codec)
    let step = steps.next()
    for (; !step.done; step = steps.next()) yield ''
    if (!step.value)
      return yield* arrayParts(valueChunks({ format: 'B', value: bytesOfWire(wire) }), bytesText)
  }
  yield* jsonString(decodedPieces(wire, codec))
}

/** A JSON array of values that come some at a time; `text` writes some of them, with commas between them. */
export function* arrayParts<T>(chunks: Iterable<T>, text: (values: T) => string): Generator<string> {
  let before = '['
  for (const values of chunks) {
    yield before + text(values)
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

type Values = Iterable<number | bigint>

/** Writes values for `arrayParts`, each as the JSON of what `json` gives. */
export const valuesText =
  (json: (value: number | bigint) => unknown) =>
  (values: Values): string =>
    JSON.stringify(Array.from(values, json)).slice(1, -1)

/** Bytes are numbers already: twice as fast. */
const bytesText = (bytes: Values): string => Uint8Array.from(bytes as Iterable<number>).join(',')

/** One JSON string of pieces that tear no pair of surrogates. */
export function* jsonString(pieces: Iterable<string>): Generator<string> {
  yield '"'
  for (const piece of pieces) yield JSON.stringify(piece).slice(1, -1)
  yield '"'
}
