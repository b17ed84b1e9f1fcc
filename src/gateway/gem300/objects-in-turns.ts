import type { ObjectAttribute } from '../../gem300/carrier-attributes.js'
import { writtenInParts } from '../../kit/text/json-parts.js'
import { inTurns, StepMeter } from '../../kit/turns.js'
import { isTextFormat } from '../../secs2/format.js'
import { type Item, lengthOf } from '../../secs2/item.js'

/** Values that are shown in one turn of the event loop: some milliseconds of work. */
const SHOWN_AT_ONCE = 2000

/**
 * What `shown` makes of each object, some in each turn of the event loop, since equipment may have thousands. Each is
 * written as JSON in a part of its own.
 */
export const shownInTurns = <
  Of extends { readonly attributes: readonly ObjectAttribute[] },
  To extends object,
>(
  objects: readonly Of[],
  shown: (object: Of) => To,
): Promise<To[]> => inTurns(showing(objects, shown))

function* showing<Of extends { readonly attributes: readonly ObjectAttribute[] }, To extends object>(
  objects: readonly Of[],
  shown: (object: Of) => To,
): Generator<void, To[]> {
  const all: To[] = []
  const meter = new StepMeter(SHOWN_AT_ONCE)
  for (const object of objects) {
    const one = shown(object)
    all.push(writtenInParts(one, () => [JSON.stringify(one)]))
    if (meter.due(object.attributes.reduce((sum, { ATTRDATA }) => sum + valueCount(ATTRDATA), 1))) yield
  }
  return all
}

/** The values in an item, of which a text is one; no more are counted than `most` and those of one more item. */
export function valueCount(root: Item | undefined, most = Number.POSITIVE_INFINITY): number {
  let count = 0
  const waiting = root ? [root] : []
  for (let item = waiting.pop(); item && count <= most; item = waiting.pop()) {
    count += item.format === 'L' || isTextFormat(item.format) ? 1 : Math.max(1, lengthOf(item))
    if (item.format === 'L') for (const inner of item.items) waiting.push(inner)
  }
  return count
}
