import fc from 'fast-check'
import type { IntegerFormat } from '../../src/secs2/format.js'
import { bytesItem, type Item } from '../../src/secs2/item.js'
import { INTEGER_RANGES, numberItem } from '../../src/secs2/number.js'

const integers = (format: IntegerFormat): fc.Arbitrary<Item> =>
  fc.array(fc.bigInt(INTEGER_RANGES[format]), { maxLength: 6 }).map((values) => numberItem(format, values))

const bytes = fc.uint8Array({ maxLength: 12 })

/** Text as it is on the wire. */
const wire = bytes.map((value) => String.fromCharCode(...value))

const leaves: readonly fc.Arbitrary<Item>[] = [
  bytes.map((value) => bytesItem('B', value)),
  bytes.map((value) => bytesItem('BOOLEAN', value)),
  wire.map((value): Item => ({ format: 'A', value })),
  wire.map((value): Item => ({ format: 'J', value })),
  wire.map((value): Item => ({ format: 'C', value })),
  fc
    .constantFrom(1, 2, 3, 4, 8, 9)
    .chain((word) =>
      wire.map((value): Item => ({ format: 'C', value: `\0${String.fromCharCode(word)}${value}` })),
    ),
  ...(['I1', 'I2', 'I4', 'I8', 'U1', 'U2', 'U4', 'U8'] as const).map(integers),
  fc.array(fc.double(), { maxLength: 4 }).map((values): Item => numberItem('F8', values)),
  fc.array(fc.float(), { maxLength: 4 }).map((values): Item => numberItem('F4', values)),
]

/** Any item, of any format, lists in lists. */
export const anyItem: fc.Arbitrary<Item> = fc.letrec<{ item: Item }>((tie) => ({
  item: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    ...leaves,
    fc.array(tie('item'), { maxLength: 5 }).map((items): Item => ({ format: 'L', items })),
  ),
})).item
