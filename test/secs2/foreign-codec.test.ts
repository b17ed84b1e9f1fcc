import fc from 'fast-check'
import { A, type AbstractSecs2Item, B, BOOLEAN, F4, F8, I1, I2, I4, I8, L, U1, U2, U4, U8 } from 'secs4js'
import { expect, test } from 'vitest'
import { encodeItem } from '../../src/secs2/encode.js'
import { bytesOf, type Item } from '../../src/secs2/item.js'
import { numbersOf } from '../../src/secs2/number.js'
import { decodeText } from '../../src/secs2/text-item.js'
import { hexOf } from '../support/vectors.js'
import { anyItem } from './any-item.js'

const NUMBERS = { F4, F8, I1, I2, I4, U1, U2, U4 }
const LONG_NUMBERS = { I8, U8 }

/** The same item as secs4js has it; undefined for what it does not know (J, C) or keeps otherwise. */
function translated(item: Item): AbstractSecs2Item | undefined {
  switch (item.format) {
    case 'L': {
      const items = item.items.map(translated)
      return items.includes(undefined) ? undefined : L(...items.filter((inner) => inner !== undefined))
    }
    case 'A':
      return /^[\0-\x7f]*$/.test(item.value) ? A(decodeText(item)) : undefined
    case 'B':
      return B(Buffer.from(bytesOf(item)))
    case 'BOOLEAN':
      // It writes true as 0xff; any byte but 0 is true (SEMI E5).
      return bytesOf(item).every((byte) => byte === 0 || byte === 0xff)
        ? BOOLEAN(...Array.from(bytesOf(item), Boolean))
        : undefined
    case 'J':
    case 'C':
      return undefined
    case 'I8':
    case 'U8':
      return LONG_NUMBERS[item.format](...Array.from(numbersOf(item), BigInt))
    default:
      return NUMBERS[item.format](...Array.from(numbersOf(item), Number))
  }
}

test('a foreign codec encodes the same item to the same bytes', () => {
  let compared = 0
  fc.assert(
    fc.property(anyItem, (item) => {
      const other = translated(item)
      if (other === undefined) return
      compared++
      expect(hexOf(encodeItem(item))).toBe(other.toBuffer().toString('hex'))
    }),
    { numRuns: 500 },
  )
  expect(compared).toBeGreaterThan(100)
})
