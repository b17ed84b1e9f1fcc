import fc from 'fast-check'
import { expect, test } from 'vitest'
import { STANDARD_CATALOGUE as catalogue } from '../../../src/catalogue/standard-catalogue.js'
import type { View } from '../../../src/catalogue/view.js'
import { jsonParts } from '../../../src/kit/text/json-parts.js'
import { atOnce } from '../../../src/kit/turns.js'
import { decodeBody } from '../../../src/secs2/decode.js'
import { A, type Item, itemsIn, L, U4 } from '../../../src/secs2/item.js'
import { anyItem } from '../../secs2/any-item.js'
import { hexBytes, vectors } from '../../support/vectors.js'

const VIEW = { sender: 'equipment' } as const

function expectSame(stream: number, fn: number, item: Item | undefined, view: View = VIEW): void {
  const inParts = atOnce(catalogue.readAnyInParts(stream, fn, item, view))
  const parts = [...jsonParts(inParts, Number.POSITIVE_INFINITY)]
  expect(JSON.parse(parts.join(''))).toEqual(
    JSON.parse(JSON.stringify(catalogue.readAny(stream, fn, item, view))),
  )
}

interface MessageVector {
  readonly message: string
  readonly sender: View['sender']
  readonly hex: string
  readonly formats?: Readonly<Record<string, string>>
}

test.each(vectors<MessageVector>('messages.json'))('$message: $why', ({ message, sender, hex, formats }) => {
  const [stream = 0, fn = 0] = (message.match(/\d+/g) ?? []).map(Number)
  expectSame(stream, fn, decodeBody(hexBytes(hex)), { sender, ...(formats && { formats }) })
})

/** What S6F11 may be, and nearly is. */
const anyReport = fc
  .tuple(anyItem, anyItem, fc.array(fc.tuple(anyItem, fc.array(anyItem))))
  .map(([id, event, reports]) =>
    L(id, event, L(...reports.map(([report, values]) => L(report, L(...values))))),
  )

test('named data in parts are the same as at once', () => {
  fc.assert(
    fc.property(fc.constantFrom(...catalogue.messages), fc.oneof(anyItem, anyReport), (row, item) =>
      expectSame(row.stream, row.function, item),
    ),
    { numRuns: 300 },
  )
  fc.assert(fc.property(anyReport, (item) => expectSame(6, 11, item)))
})

const many = (count: number, item: Item): Item => ({
  format: 'L',
  items: Array.from({ length: count }, () => item),
})

test.each<[what: string, stream: number, fn: number, item: Item]>([
  ['values', 1, 4, many(100_000, U4(7))],
  ['values of one report', 6, 11, L(U4(1), U4(2), L(L(U4(3), many(100_000, A('x')))))],
  ['reports', 6, 11, L(U4(1), U4(2), many(20_000, L(U4(3), many(5, U4(7)))))],
  ['values in a value', 6, 11, L(U4(1), U4(2), L(L(U4(3), L(many(100_000, U4(7))))))],
  [
    'a value that does not fit at the end',
    1,
    12,
    L(...itemsIn(many(30_000, L(U4(1), A('N'), A('U')))), U4(1)),
  ],
])('of many %s no part is long, and there are many steps', (_, stream, fn, item) => {
  expectSame(stream, fn, item)
  let steps = 0
  const reading = catalogue.readAnyInParts(stream, fn, item, VIEW)
  let step = reading.next()
  for (; !step.done; step = reading.next()) steps++
  const parts = [...jsonParts(step.value, Number.POSITIVE_INFINITY)]
  expect(steps + parts.length).toBeGreaterThan(20)
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(16 * 1024)
})
