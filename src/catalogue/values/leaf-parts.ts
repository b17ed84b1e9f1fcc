import type { InParts } from '../../kit/text/json-parts.js'
import { chunks, isShort, type Leaf, textPieces, treeParts, valueChunks } from '../../secs2/in-parts.js'
import { bytesOf, type Item } from '../../secs2/item.js'
import { arrayParts, jsonString, valuesText } from '../../secs2/json-parts.js'
import { numberText } from '../../secs2/number.js'
import type { ItemView } from '../view.js'
import { hexText, readLeaf, truthText } from './leaf.js'

/** As `readLeaf`, for long bodies: an item that has many values is written as JSON in parts. */
export const leafInParts = (item: Item, view: ItemView): unknown =>
  item.format !== 'L' && isShort(item)
    ? readLeaf(item, view)
    : ({ jsonParts: () => itemParts(item, view) } satisfies InParts)

const itemParts = (root: Item, view: ItemView): Generator<string> =>
  treeParts(root, {
    open: () => '[',
    separator: ',',
    close: () => ']',
    leaf: (leaf) => JSON.stringify(readLeaf(leaf, view)),
    leafParts: (leaf) => leafParts(leaf, view),
  })

function* leafParts(leaf: Leaf, view: ItemView): Generator<string> {
  switch (leaf.format) {
    case 'A':
    case 'J':
    case 'C':
      return yield* jsonString(textPieces(leaf, view.text))
    case 'B': {
      const bytes = bytesOf(leaf)
      yield '"0x'
      for (const [from, to] of chunks(bytes.length)) yield hexText(bytes.subarray(from, to)).slice(2)
      return yield '"'
    }
    case 'BOOLEAN':
      return yield* arrayParts(
        valueChunks(leaf),
        valuesText((byte) => truthText(Number(byte))),
      )
    default:
      yield* arrayParts(
        valueChunks(leaf),
        valuesText((value) => numberText(leaf.format, value)),
      )
  }
}
