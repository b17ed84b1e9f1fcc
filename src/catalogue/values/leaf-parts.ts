import { type InParts, JSON_PARTS } from '../../kit/text/json-parts.js'
import { bytePortions, isShort, numberPortions, PORTION, stepsOf, textPieces } from '../../secs2/in-parts.js'
import { bytesOf, type Item } from '../../secs2/item.js'
import { arrayParts, jsonString } from '../../secs2/json-parts.js'
import { numberText } from '../../secs2/number.js'
import type { Look } from '../view.js'
import { hexText, readLeaf, truthText } from './leaf.js'

/** As `readLeaf`, for bodies that are long: what has many values is written as JSON in parts. */
export const leafInParts = (item: Item, view: Look): unknown =>
  isShort(item) ? readLeaf(item, view) : ({ [JSON_PARTS]: () => leafParts(item, view) } satisfies InParts)

function* leafParts(root: Item, view: Look): Generator<string> {
  let part = ''
  for (const { item, first } of stepsOf(root)) {
    if (!item) part += ']'
    else {
      if (!first) part += ','
      if (item.format === 'L') part += '['
      else if (isShort(item)) part += JSON.stringify(readLeaf(item, view))
      else {
        yield part
        part = ''
        yield* valueParts(item, view)
      }
    }
    if (part.length < PORTION) continue
    yield part
    part = ''
  }
  yield part
}

/** The values of a leaf that has many. */
function* valueParts(item: Exclude<Item, { format: 'L' }>, view: Look): Generator<string> {
  switch (item.format) {
    case 'A':
    case 'J':
    case 'C':
      yield* jsonString(textPieces(item, view.text))
      break
    case 'B':
      yield* hexParts(bytesOf(item))
      break
    case 'BOOLEAN':
      yield* arrayParts(strings(bytePortions(bytesOf(item)), truthText))
      break
    default: {
      const { format } = item
      yield* arrayParts(strings(numberPortions(item), (value) => numberText(format, value)))
    }
  }
}

function* hexParts(bytes: Uint8Array): Generator<string> {
  yield '"0x'
  for (const portion of bytePortions(bytes)) yield hexText(portion).slice(2)
  yield '"'
}

function* strings<T>(portions: Iterable<Iterable<T>>, textOf: (value: T) => string): Generator<string> {
  for (const values of portions) yield JSON.stringify(Array.from(values, textOf)).slice(1, -1)
}
