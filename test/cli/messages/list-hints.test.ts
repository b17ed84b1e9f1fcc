import { expect, test } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import { emptyValues, listAfter } from '../../../src/cli/messages/list-hints.js'
import { messageGiven } from '../../../src/cli/messages/message-argument.js'
import { constantRows } from '../../../src/gateway/services/constant-rows.js'

test.each([
  ['EAC', 1, 'secsctl constants list etcher'],
  ['EAC', 3, 'secsctl constants list etcher'],
  ['EAC', 2, undefined],
  ['ACKC7', 4, 'secsctl recipes list etcher'],
  ['NONE', 1, undefined],
])('after %s %i: %s', (item, code, command) => {
  expect(listAfter(item, code, 'etcher')).toBe(command)
})

const list = (...members: object[]) => ({ L: members })
const sent = (fn: number, ids: number[], values: object[]) =>
  ({
    message: { body: list(...ids.map((id) => ({ U4: [id] }))) },
    reply: { stream: fn === 14 ? 2 : 1, function: fn, body: list(...values) },
  }) as never

test.each([
  ['an unknown variable', sent(4, [7, 8], [list(), { U4: [1] }]), ': 7', 'secsctl variables list etcher'],
  ['unknown constants', sent(14, [7, 8], [list(), list()]), ': 7, 8', 'secsctl constants list etcher'],
])('an empty list in the place of %s is explained', (_, given, ids, command) => {
  const [text = '', next] = emptyValues(given, 'etcher') ?? []
  expect([text.endsWith(ids), next]).toEqual([true, command])
})

test.each([
  ['values', sent(4, [7], [{ U4: [1] }])],
  ['all variables', sent(4, [], [list()])],
  ['names', sent(12, [7], [list()])],
  ['no reply', { message: { body: null }, reply: null } as never],
])('a reply of %s needs no explanation', (_, given) => {
  expect(emptyValues(given, 'etcher')).toBeUndefined()
})

test.each([
  ['S1F3', 'SVID=1,2'],
  ['S2F41', 'RCMD=1'],
  ['S1F1', 'LOTID=L1'],
])('%s with a word that is no item names %s', (name, example) => {
  expect(() => messageGiven(name, ['1001'], STANDARD_CATALOGUE, 'etcher')).toThrow(
    expect.objectContaining({ message: expect.stringContaining(`such as ${example}`) }),
  )
})

test('a constant that the equipment does not have leads to the list of constants', () => {
  const now = [{ id: '2099', name: null, unit: null, value: null, text: '' }] as never
  expect(() => constantRows([{ name: '2099', id: '2099', value: '1' }], now, 'etcher')).toThrow(
    expect.objectContaining({
      code: 'name_not_found',
      extra: expect.objectContaining({ next: [{ operation: 'listConstants' }] }),
    }),
  )
})
