import { expect, test } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import { plainReading } from '../../../src/gateway/records/reading.js'
import type { Asking } from '../../../src/gateway/services/asking.js'
import { valuesOf } from '../../../src/gateway/services/replied-values.js'
import { verdict } from '../../../src/gateway/services/verdict.js'
import { A, F4, type Item, L, U1 } from '../../../src/secs2/item.js'

const asking = {
  reading: () => plainReading(STANDARD_CATALOGUE),
  nameOf: () => 'etcher',
} as unknown as Asking

const known = new Map([['1', { name: 'Pressure', unit: 'Pa' }]])
const NAMED = { id: '1', name: 'Pressure', unit: 'Pa' }
const UNKNOWN = { id: '2', name: null, unit: null }

const values = (ids: readonly string[], body: Item | undefined) =>
  valuesOf(asking, 'eq', { message: 'S1F3', ids, known, reply: { body, message_id: '7', reply_id: '8' } })

test.each<[ids: string[], body: Item | undefined, expected: object[]]>([
  [[], L(), []],
  [['1'], L(F4(2.5)), [{ ...NAMED, value: { F4: [2.5] }, text: '2.5' }]],
  [['1'], L(L()), [{ ...NAMED, value: { L: [] }, text: '[]' }]],
  [['2'], L(L()), [{ ...UNKNOWN, value: null, text: '' }]],
  [['2'], L(A('')), [{ ...UNKNOWN, value: { A: '' }, text: '' }]],
  [
    ['2'],
    L(L(U1(1), L(A('x')))),
    [{ ...UNKNOWN, value: { L: [{ U1: [1] }, { L: [{ A: 'x' }] }] }, text: '[1, [x]]' }],
  ],
  [
    ['2', '1'],
    L(U1(3), A('a')),
    [
      { ...UNKNOWN, value: { U1: [3] }, text: '3' },
      { ...NAMED, value: { A: 'a' }, text: 'a' },
    ],
  ],
])('the values of %j in %j', (ids, body, expected) => {
  expect(values(ids, body)).toEqual(expected)
})

test.each<[ids: string[], body: Item | undefined, detail: RegExp]>([
  [['1'], L(), /empty list/],
  [['1'], undefined, /empty list/],
  [['1', '2'], L(U1(1)), /2 ids with 1 values/],
  [[], L(U1(1)), /0 ids with 1 values/],
])('for %j the reply %j is an error of the equipment', (ids, body, detail) => {
  const extra = { message_id: '7', reply_id: '8' }
  expect(() => values(ids, body)).toThrow(
    expect.objectContaining({ code: 'equipment_error', message: expect.stringMatching(detail), extra }),
  )
})

test('an acknowledgement has its code under its own name', () => {
  const acknowledged = {
    accepted: false,
    code: 2,
    text: 'busy',
    item: 'HCACK',
    message_id: '7',
    reply_id: '8',
  }
  expect(verdict('hcack', { ...acknowledged, body: undefined } as never)).toEqual({
    ...{ accepted: false, hcack: 2, hcack_text: 'busy', message_id: '7', reply_id: '8' },
  })
})
