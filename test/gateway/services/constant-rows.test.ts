import { expect, test } from 'vitest'
import { constantRows, itemGiven, type WantedConstant } from '../../../src/gateway/services/constant-rows.js'

const UNKNOWN = 'is unknown'

test.each([
  ['5', { U4: [1] }, { U4: [5] }],
  [[1, '2'], { U4: [1] }, { U4: [1, 2] }],
  [[1, 70000], { U2: [1] }, expect.stringContaining('no U2 can hold')],
  [[1, null], { U4: [1] }, expect.stringContaining('takes a string')],
  [null, { U4: [1] }, expect.stringContaining('takes a string')],
  [true, { BOOLEAN: [false] }, { BOOLEAN: [true] }],
  [5, { A: '' }, { A: '5' }],
  [true, { J: '' }, { J: 'true' }],
  [7, { C: '' }, { C: '7' }],
  ['0x0102', { B: [0] }, { B: [1, 2] }],
  ['0x0102', { A: '' }, { A: '0x0102' }],
  ['0x0102', { U4: [0] }, { U4: [258] }],
  ['0x01', { B: [0] }, { B: [1] }],
  [3, { B: [0] }, { B: [3] }],
  [1, { L: [] }, expect.stringContaining('is a list')],
  [1, null, UNKNOWN],
  [{ U1: [1] }, null, { U1: [1] }],
  [{ U1: [300] }, null, expect.stringContaining('no typed item')],
])('%j beside the current value %j is %j', (given, current, made) => {
  expect(itemGiven(given, current as never, UNKNOWN)).toEqual(made)
})

const wanted = (id: string, value: unknown): WantedConstant => ({ name: id, id, value })
const NOW = [{ id: '1', name: null, unit: null, value: { U1: [1] }, text: '1' }]

test.each([
  [[], 'invalid_message', ['/values']],
  [[wanted('9', 1)], 'name_not_found', ['/values/9']],
  [[wanted('9', 1), wanted('1', 'x')], 'invalid_message', ['/values/9', '/values/1']],
])('%j is refused as a whole', (given, code, pointers) => {
  const errors = pointers.map((pointer) => expect.objectContaining({ pointer }))
  expect(() => constantRows(given, NOW, 'etcher')).toThrow(
    expect.objectContaining({ code, extra: expect.objectContaining({ errors }) }),
  )
})

test('an identifier of digits is a number, any other one is text', () => {
  const items = ['12', '1x', 'x1'].map((id) => wanted(id, { U1: [1] }))
  expect(constantRows(items, NOW, 'etcher').map(({ ECID }) => ECID)).toEqual(['12', { A: '1x' }, { A: 'x1' }])
})
