import fc from 'fast-check'
import { expect, test } from 'vitest'
import { STANDARD_CATALOGUE as catalogue } from '../../../src/catalogue/standard-catalogue.js'
import { readLeaf } from '../../../src/catalogue/values/leaf.js'
import { type LeafReader, read } from '../../../src/catalogue/values/read.js'
import { readBytes } from '../../../src/catalogue/values/read-bytes.js'
import { decoded } from '../../../src/secs2/decode.js'
import { encodeItem } from '../../../src/secs2/encode.js'
import { A, B, type Item, L, U4 } from '../../../src/secs2/item.js'
import { MAX_DEPTH } from '../../../src/secs2/limits.js'
import { anyItem } from '../../secs2/any-item.js'

const VIEW = { sender: 'equipment' } as const

/** A value in an object, as it is where the bytes are read. */
const text: LeafReader = (item, view) => ({ text: String(readLeaf(item, view)) })

/** The same of what was read of bytes: every value that is no list and no row is asked for its text. */
function texts(values: unknown): unknown {
  if (values === null) return null
  if (Array.isArray(values)) return values.map(texts)
  const isRow = Object.getPrototypeOf(values) === Object.prototype
  if (!isRow) return { text: String(values) }
  return Object.fromEntries(Object.entries(values as object).map(([name, value]) => [name, texts(value)]))
}

/** What is read of the bytes, and of the items that they are, by every structure of the message. */
function bothOf(stream: number, fn: number, body: Uint8Array) {
  const row = catalogue.find(stream, fn, 'equipment')
  if (!row) throw new Error(`no S${stream}F${fn}`)
  const known = (name: string) => catalogue.item(name) as NonNullable<ReturnType<typeof catalogue.item>>
  const { item, fault } = decoded(body)
  return catalogue
    .structures(row)
    .map((structure) => [
      texts(readBytes(structure, body, VIEW, known)),
      fault === undefined ? read(structure, item, VIEW, known, text) : null,
    ])
}

function expectSame(stream: number, fn: number, body: Uint8Array): void {
  for (const [ofBytes, ofItems] of bothOf(stream, fn, body)) expect(ofBytes).toEqual(ofItems)
}

const anyRow = fc.constantFrom(...catalogue.messages)
const anyReport = fc
  .tuple(anyItem, anyItem, fc.array(fc.tuple(anyItem, fc.array(anyItem))))
  .map(([id, event, reports]) =>
    L(id, event, L(...reports.map(([report, values]) => L(report, L(...values))))),
  )

test('a body of any message is read of its bytes as of its items', () => {
  fc.assert(
    fc.property(anyRow, fc.oneof(anyItem, anyReport), ({ stream, function: fn }, item) => {
      expectSame(stream, fn, encodeItem(item))
    }),
    { numRuns: 300 },
  )
})

test('so is a report of which a byte is another one, or which ends before its end or after it', () => {
  const change = fc.oneof(
    fc.tuple(fc.nat(), fc.nat(255)).map(([at, byte]) => (bytes: Uint8Array) => {
      bytes[at % bytes.length] = byte
      return bytes
    }),
    fc.nat().map((end) => (bytes: Uint8Array) => bytes.subarray(0, end % bytes.length)),
    fc.constant((bytes: Uint8Array) => Uint8Array.of(...bytes, 1)),
  )
  fc.assert(
    fc.property(anyReport, change, (report, changed) => {
      expectSame(6, 11, changed(new Uint8Array(encodeItem(report))))
    }),
    { numRuns: 1000 },
  )
})

test.each<[number, number, Item]>([
  [1, 13, L(A('M'), A('1'))],
  [5, 1, L(B(0x85), U4(7), A('hot'))],
  [6, 1, L(U4(1), U4(2), A('12'), L(U4(1), L(A('x'), L())))],
  [6, 11, L(U4(1), U4(4711), L(L(U4(10), L(U4(1, 2), A('LOT'), L(A('x'), L(U4(3)))))))],
  [6, 13, L(U4(1), U4(2), L(L(U4(3), L(L(U4(4), L(U4(5), U4(6)))))))],
])('S%iF%i', (stream, fn, item) => {
  const both = bothOf(stream, fn, encodeItem(item))
  for (const [ofBytes, ofItems] of both) expect(ofBytes).toEqual(ofItems)
  expect(both.some(([ofBytes]) => ofBytes !== null)).toBe(true)
})

test('a body without bytes is read as none', () => {
  expectSame(1, 1, new Uint8Array())
  expectSame(6, 11, new Uint8Array())
})

test('lists are nested as deep as in a body whose items are made', () => {
  const nested = (lists: number): Item => (lists === 0 ? U4(1) : L(nested(lists - 1)))
  // A value of a report stands in four lists.
  const bodyOf = (lists: number) => encodeItem(L(U4(1), U4(2), L(L(U4(3), L(nested(lists - 4))))))
  expect(bothOf(6, 11, bodyOf(MAX_DEPTH))[0]?.[0]).not.toBeNull()
  expectSame(6, 11, bodyOf(MAX_DEPTH))
  const deep = Uint8Array.from(Buffer.from(bodyOf(MAX_DEPTH)))
  // Around the value one list more, which no encoder writes.
  expectSame(6, 11, Uint8Array.of(...deep.subarray(0, -6), 1, 1, ...deep.subarray(-6)))
})
