import fc from 'fast-check'
import { CHUNK } from '../../src/secs2/in-parts.js'
import { type Item, L } from '../../src/secs2/item.js'
import { numberItem } from '../../src/secs2/number.js'
import { anyItem } from './any-item.js'

/** The item with many times its values, so that it is written in several chunks, and `shift` more: no pattern fits them. */
function lengthened(item: Item, shift: number): Item {
  if (item.format === 'L') return L(...item.items.map((inner) => lengthened(inner, shift)))
  const { format, value } = item
  if (typeof value === 'string') {
    const times = value.length === 0 ? 0 : Math.ceil((2 * CHUNK) / value.length) + 1
    return { format, value: `${'x'.repeat(shift)}${value.repeat(times)}` } as Item
  }
  if (typeof value !== 'object' || value.length === 0) return item
  const values = Array.from(value as ArrayLike<number | bigint>)
  const many = Array.from({ length: 2 * CHUNK + shift }, (_, at) => values[at % values.length] ?? 0)
  if (format === 'B' || format === 'BOOLEAN') return { format, value: Uint8Array.from(many, Number) }
  return numberItem(format as 'U4', many)
}

/** Any item, of thousands of values. */
export const longItem: fc.Arbitrary<Item> = fc
  .tuple(anyItem, fc.nat(4))
  .map(([item, shift]) => lengthened(item, shift))
