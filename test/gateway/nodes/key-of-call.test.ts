import { expect, test } from 'vitest'
import type { AnyEndpoint } from '../../../src/contract/endpoint.js'
import { endpoints } from '../../../src/contract/endpoints.js'
import { parseSelector } from '../../../src/contract/selector.js'
import type { Caller } from '../../../src/gateway/accounts/caller.js'
import { isOfSite, keyOfCall } from '../../../src/gateway/nodes/key-of-call.js'
import { SITE_KEY } from '../../../src/store/ownership.js'

const LABELS: Readonly<Record<string, object>> = { eq_in: { area: 'etch' }, eq_out: {} }
const gateway = { equipment: { labels: { of: (id: string) => LABELS[id] } } } as never
const ETCH = { selector: parseSelector('area=etch') } as Caller
const ALL = { selector: null } as Caller
const { getEquipment, sendMessage, listSinks, login, listAlarms } = endpoints

test.each<[row: AnyEndpoint, id: string, caller: Caller | null, key: string | undefined]>([
  [sendMessage, 'eq_in', ALL, 'eq_in'],
  [sendMessage, 'eq_in', null, 'eq_in'],
  [sendMessage, 'eq_in', ETCH, 'eq_in'],
  [sendMessage, 'eq_out', ETCH, undefined],
  [sendMessage, 'eq_out', ALL, 'eq_out'],
  [sendMessage, 'eq_none', ALL, undefined],
  [getEquipment, 'eq_in', ALL, undefined],
  [listAlarms, '', ALL, undefined],
  [listSinks, '', ALL, SITE_KEY],
  [login, '', null, SITE_KEY],
])('row %#: the owner of the key that is expected carries out the call', (row, id, caller, key) => {
  expect(keyOfCall(row, { id }, caller, gateway)).toBe(key)
})

test('the key of the site is no equipment', () => {
  expect([isOfSite(SITE_KEY), isOfSite('eq_in')]).toEqual([true, false])
})
