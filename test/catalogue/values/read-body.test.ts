import fc from 'fast-check'
import { expect, test } from 'vitest'
import { STANDARD_CATALOGUE as catalogue } from '../../../src/catalogue/standard-catalogue.js'
import { read } from '../../../src/catalogue/values/read.js'
import { readBodySteps } from '../../../src/catalogue/values/read-body.js'
import { atOnce } from '../../../src/kit/turns.js'
import { decodeItem, passBody } from '../../../src/secs2/decode.js'
import { encodeItem } from '../../../src/secs2/encode.js'
import { A, B, type Item, L, U4 } from '../../../src/secs2/item.js'
import { anyItem } from '../../secs2/any-item.js'

const VIEW = { sender: 'equipment' } as const

/** What is read of the bytes, and of the items that they are, by every structure of the message. */
function bothOf(stream: number, fn: number, item: Item, maxKept?: number) {
  const row = catalogue.find(stream, fn, 'equipment')
  if (!row) throw new Error(`no S${stream}F${fn}`)
  const known = (name: string) => catalogue.item(name) as NonNullable<ReturnType<typeof catalogue.item>>
  const body = encodeItem(item)
  const whole = decodeItem(body)
  const { reader } = atOnce(passBody(body))
  return catalogue
    .structures(row)
    .map((structure) => [
      atOnce(readBodySteps(structure, reader, VIEW, known, maxKept)),
      read(structure, whole, VIEW, known),
    ])
}

const anyRow = fc.constantFrom(...catalogue.messages)
/** What S6F11 may be, and nearly is. */
const anyReport = fc
  .tuple(anyItem, anyItem, fc.array(fc.tuple(anyItem, fc.array(anyItem))))
  .map(([id, event, reports]) =>
    L(id, event, L(...reports.map(([report, values]) => L(report, L(...values))))),
  )

test('a body is read without its items as it is with them', () => {
  fc.assert(
    fc.property(anyRow, fc.oneof(anyItem, anyReport), ({ stream, function: fn }, item) => {
      for (const [inSteps, whole] of bothOf(stream, fn, item)) expect(inSteps).toEqual(whole)
    }),
    { numRuns: 300 },
  )
})

test('reports are read without their items as they are with them', () => {
  fc.assert(
    fc.property(anyReport, (item) => {
      for (const [inSteps, whole] of bothOf(6, 11, item)) expect(inSteps).toEqual(whole)
    }),
  )
})

test.each([
  [1, 13, L(A('M'), A('1'))],
  [5, 1, L(B(0x85), U4(7), A('hot'))],
  [6, 1, L(U4(1), U4(2), A('12'), L(U4(1), L(A('x'), L())))],
  [6, 13, L(U4(1), U4(2), L(L(U4(3), L(L(U4(4), L(U4(5), U4(6)))))))],
  [16, 7, L(A('1'), A('2'), L(A('3')), L(B(1), L()))],
])('S%iF%i', (stream, fn, item) => {
  for (const [inSteps, whole] of bothOf(stream, fn, item)) expect(inSteps).toEqual(whole)
})

test('of lists with more values than are kept none is, and the others are', () => {
  const report = (values: number) =>
    L(U4(3), { format: 'L', items: Array.from({ length: values }, () => U4(7)) } as Item)
  const [[inSteps] = []] = bothOf(6, 11, L(U4(1), U4(2), L(report(2), report(99))), 50)
  expect(inSteps).toMatchObject({ CEID: '2', REPORTS: [] })
  const [[wrong] = []] = bothOf(6, 11, L(U4(1), U4(2), L(report(99), U4(3))), 50)
  expect(wrong).toBeNull()
})

test('texts are right where the reader has gone back over more of them than it keeps as text', () => {
  const far = L(A('first'), L(A('inner'), A('x'.repeat(600)), A('last')), A('y'.repeat(600)), A('end'))
  for (const [inSteps, whole] of bothOf(1, 6, L(far, far))) expect(inSteps).toEqual(whole)
})
