import { expect, test } from 'vitest'
import { CatalogueError } from '../../../src/catalogue/catalogue.js'
import { STANDARD_CATALOGUE as catalogue } from '../../../src/catalogue/standard-catalogue.js'
import type { View } from '../../../src/catalogue/view.js'
import { A, B, BOOLEAN, F4, type Item, L, U2, U4 } from '../../../src/secs2/item.js'

const host: View = { sender: 'host' }

test.each<[object, Item]>([
  [{ CHUCKID: 'A1', CHUCKTEMP: '21.5' }, L(A('A1'), A('21.5'))],
  [{ ONE: 'x' }, L(A('x'))],
  [{ NUMBER: 5 }, L(A('5'))],
  [{ 'CHUCKID:U4': '7', 'CHUCKTEMP:F4': '21.5', 'ON:BOOLEAN': 'true' }, L(U4(7), F4(21.5), BOOLEAN(true))],
  [{ 'IDS:U2': ['1', '2'], 'BYTES:B': '0x01ff' }, L(U2(1, 2), B(1, 255))],
  [{ SVID: '7', RCMD: 'START' }, L(U4(7), A('START'))],
  [{ SVID: ['7', '8'] }, L(L(U4(7), U4(8)))],
  [{ NAMES: ['a', ['b']] }, L(L(A('a'), L(A('b'))))],
  [{ GROUP: { X: 'a', 'Y:U4': '1' }, Z: { U4: [1, 2] } }, L(L(A('a'), U4(1)), U4(1, 2))],
  [{ X: { L: [{ A: 'deep' }] }, 'A:B:U4': '1', LEFT: null }, L(L(A('deep')), U4(1))],
  [{ 'TIME:12': 'noon', 'LIST:L': 'x' }, L(A('noon'), A('x'))],
])('%j of a message that is not known is sent in order', (data, item) => {
  expect(catalogue.buildGiven(64, 1, data as Record<string, unknown>, host)).toEqual(item)
})

test('the formats of the equipment go before those of the catalogue', () => {
  expect(catalogue.buildGiven(64, 1, { SVID: '7' }, { ...host, formats: { SVID: 'U2' } })).toEqual(L(U2(7)))
})

test('without values it is header-only', () => {
  expect(catalogue.buildGiven(64, 1, {}, host)).toBeUndefined()
})

test('a message that is known is built by its structure, unless each name says its format', () => {
  expect(catalogue.buildGiven(1, 3, { SVID: '7' }, host)).toEqual(L(U4(7)))
  expect(() => catalogue.buildGiven(1, 3, { SVDI: '7' }, host)).toThrow(CatalogueError)
  expect(() => catalogue.buildGiven(1, 3, { 'SVID:U2': '7', OTHER: '1' }, host)).toThrow(CatalogueError)
  expect(catalogue.buildGiven(1, 3, { 'SVID:U2': '7', 'OWN:A': 'x' }, host)).toEqual(L(U2(7), A('x')))
})

test('what does not fit is named', () => {
  const build = () =>
    catalogue.buildGiven(
      64,
      1,
      { 'T:U4': 'warm', GROUP: { 'X:U1': '300' }, TEXT: true, ITEM: { U4: 'x' } },
      host,
    )
  expect(build).toThrow(CatalogueError)
  try {
    build()
  } catch (error) {
    expect((error as CatalogueError).problems.map(({ item }) => item)).toEqual([
      'T:U4',
      'GROUP/X:U1',
      'TEXT',
      'ITEM',
    ])
  }
})

test('lists nest no deeper than a message may have them', () => {
  let deep: unknown = 'x'
  for (let depth = 0; depth < 300; depth++) deep = [deep]
  expect(() => catalogue.buildGiven(64, 1, { deep }, host)).toThrow('nested no deeper')
})
