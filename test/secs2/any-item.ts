import fc from 'fast-check'
import type { IntegerFormat } from '../../src/secs2/format.js'
import type { Item } from '../../src/secs2/item.js'
import { INTEGER_RANGES, numberItem } from '../../src/secs2/number.js'

const integers = (format: IntegerFormat): fc.Arbitrary<Item> =>
  fc.array(fc.bigInt(INTEGER_RANGES[format]), { maxLength: 6 }).map((values) => numberItem(format, values))

const bytes = fc.uint8Array({ maxLength: 12 })

const leaves: readonly fc.Arbitrary<Item>[] = [
  bytes.map((value): Item => ({ format: 'B', bytes: value })),
  bytes.map((value): Item => ({ format: 'BOOLEAN', bytes: value })),
  bytes.map((value): Item => ({ format: 'A', bytes: value })),
  bytes.map((value): Item => ({ format: 'J', bytes: value })),
  bytes.map((value): Item => ({ format: 'C', bytes: value })),
  fc
    .constantFrom(1, 2, 3, 4, 8, 9)
    .chain((word) => bytes.map((value): Item => ({ format: 'C', bytes: Uint8Array.of(0, word, ...value) }))),
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
