import { expect, test } from 'vitest'
import { decodeItem } from '../../src/secs2/decode.js'
import { encodeItem } from '../../src/secs2/encode.js'
import type { Item } from '../../src/secs2/item.js'
import { fromTypedJson, toTypedJson } from '../../src/secs2/json.js'
import { parseItem } from '../../src/secs2/sml/parse.js'
import { printItem } from '../../src/secs2/sml/print.js'
import { SEED, withSeed } from '../support/random.js'
import { hexOf } from '../support/vectors.js'
import { randomItem } from './random-item.js'

const ITEMS = 20_000

/** Asked of many items: the first look is the cheap one, the second tells what is wrong. */
function expectBytes(item: Item, bytes: Uint8Array): void {
  const found = encodeItem(item)
  if (Buffer.compare(found, bytes) !== 0) expect(hexOf(found), printItem(item)).toBe(hexOf(bytes))
}

function goesThroughBytesAndSml(item: Item): Uint8Array {
  const bytes = encodeItem(item)
  expectBytes(decodeItem(bytes), bytes)
  expectBytes(parseItem(printItem(item)), bytes)
  return bytes
}

test(`${ITEMS} random items come back whole from bytes, SML and typed JSON`, () => {
  withSeed(SEED, (random) => {
    for (let made = 0; made < ITEMS; made++) {
      const item = randomItem(random, false)
      const bytes = goesThroughBytesAndSml(item)
      expectBytes(fromTypedJson(JSON.parse(JSON.stringify(toTypedJson(item)))), bytes)
    }
  })
})

test('random items with bytes that are no text come back whole from bytes and SML', () => {
  withSeed(SEED, (random) => {
    for (let made = 0; made < ITEMS / 5; made++) goesThroughBytesAndSml(randomItem(random, true))
  })
})
