import { bytePortions, isShort, numberPortions, PORTION, stepsOf } from '../in-parts.js'
import { bytesOf, type Item } from '../item.js'
import { numberText } from '../number.js'
import type { SmlMessage, SmlOptions } from './message.js'
import { byteWord, printItem } from './print.js'
import { quotedParts } from './quote-parts.js'

const INDENT = '  '

/** What `printSml` prints, in parts of some kilobytes, some of them empty where there is only work to do. */
export function* smlParts(message: SmlMessage, options: SmlOptions = {}): Generator<string> {
  const { stream, function: fn, wait, item } = message
  yield `S${stream}F${fn}${wait ? ' W' : ''}`
  if (item) yield* itemParts(item, options)
  yield '.'
}

function* itemParts(root: Item, options: SmlOptions): Generator<string> {
  let part = ''
  for (const { item, depth, first } of stepsOf(root)) {
    const line = `\n${INDENT.repeat(depth)}`
    // An empty list ends on the line that it begins on.
    if (!item) part += first ? '>' : `${line}>`
    else if (item.format === 'L') part += `${line}<L [${item.items.length}]`
    else if (isShort(item)) part += line + printItem(item, options)
    else {
      yield `${part}${line}<${item.format}`
      yield* wordParts(item, options)
      part = '>'
    }
    if (part.length < PORTION) continue
    yield part
    part = ''
  }
  yield part
}

/** The words of a leaf, a space before each. */
function* wordParts(item: Exclude<Item, { format: 'L' }>, { text }: SmlOptions): Generator<string> {
  switch (item.format) {
    case 'A':
    case 'J':
    case 'C':
      yield* quotedParts(item, text)
      break
    case 'B':
    case 'BOOLEAN': {
      const { format } = item
      for (const bytes of bytePortions(bytesOf(item))) {
        yield ` ${Array.from(bytes, (byte) => byteWord(format, byte)).join(' ')}`
      }
      break
    }
    default: {
      const { format } = item
      for (const values of numberPortions(item)) {
        yield ` ${Array.from(values, (value) => numberText(format, value)).join(' ')}`
      }
    }
  }
}
