import { expect, test } from 'vitest'
import type { AnyEndpoint, Call } from '../../../src/contract/endpoint.js'
import { endpoints } from '../../../src/contract/endpoints.js'
import { parseSelector } from '../../../src/contract/selector.js'
import type { Caller } from '../../../src/gateway/accounts/caller.js'
import {
  isRestricted,
  type RestrictedCaller,
  reachesEquipment,
  refusedToRestricted,
  requireWithin,
  restrictedCall,
  restrictedParts,
} from '../../../src/gateway/accounts/restriction.js'

const callerOf = (label_selector: string | null) =>
  ({
    email: 'ada@x',
    selector: label_selector === null ? null : parseSelector(label_selector),
    label_selector,
  }) as Caller
const [EVERYWHERE, ETCH] = [callerOf(null), callerOf('area=etch') as RestrictedCaller]

const LABELS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  eq_in: { area: 'etch', bay: '3' },
  eq_out: { area: 'litho' },
}
/** Messages and alarms `1` and `2` are of the equipment inside and outside; `3` is of none. */
const ENTRIES: Readonly<Record<string, string>> = { 1: 'eq_in', 2: 'eq_out', 4: 'eq_gone' }
const gateway = {
  equipment: { labels: { of: (id: string) => LABELS[id] } },
  audit: { equipmentOf: async ([id = '']: readonly string[]) => ENTRIES[id] ?? null },
}

test.each([
  [null, false],
  [EVERYWHERE, false],
  [ETCH, true],
])('%o is restricted: %s', (caller, is) => {
  expect(isRestricted(caller)).toBe(is)
})

test('only a call about more than some equipment is refused, and only to who is restricted', () => {
  const { createUser, listEquipment } = endpoints
  expect(refusedToRestricted(ETCH, createUser)).toMatchObject({ code: 'forbidden' })
  expect(refusedToRestricted(ETCH, listEquipment)).toBeUndefined()
  expect(refusedToRestricted(EVERYWHERE, createUser)).toBeUndefined()
})

test.each([
  ['eq_in', true],
  ['eq_out', false],
  ['eq_none', false],
])('%s is reached: %s; without a restriction it is', (id, is) => {
  expect(reachesEquipment(ETCH, id, gateway.equipment)).toBe(is)
  expect(reachesEquipment(EVERYWHERE, id, gateway.equipment)).toBe(true)
})

test('equipment stays within the reach of its caller', () => {
  expect(() => requireWithin(ETCH, { area: 'etch' })).not.toThrow()
  expect(() => requireWithin(ETCH, { bay: '3' })).toThrow(expect.objectContaining({ code: 'forbidden' }))
  expect(() => requireWithin(EVERYWHERE, {})).not.toThrow()
})

const { getEquipment, updateEquipment, sendMessage, createEquipment } = endpoints
const { getMessage, acknowledgeAlarm, listAlarms, login } = endpoints

/** `code`: of what is thrown; the call is as it was without one. */
test.each<[row: AnyEndpoint, given: object, code?: string]>([
  [getEquipment, { params: { id: 'eq_in' } }],
  [getEquipment, { params: { id: 'eq_out' } }, 'equipment_not_found'],
  [getEquipment, { params: { id: 'eq_none' } }, 'equipment_not_found'],
  [updateEquipment, { params: { id: 'eq_in' }, body: { labels: { bay: null } } }],
  [updateEquipment, { params: { id: 'eq_in' }, body: { name: 'x' } }],
  [updateEquipment, { params: { id: 'eq_in' }, body: { labels: { area: null } } }, 'forbidden'],
  [updateEquipment, { params: { id: 'eq_in' }, body: { labels: { area: 'litho' } } }, 'forbidden'],
  [sendMessage, { params: { id: 'eq_in' }, body: { labels: { area: 'litho' } } }],
  [createEquipment, { body: { labels: { area: 'etch' } } }],
  [createEquipment, { body: { labels: { area: 'litho' } } }, 'forbidden'],
  [createEquipment, { body: {} }, 'forbidden'],
  [createEquipment, { body: undefined }, 'forbidden'],
  [getMessage, { params: { id: '1' } }],
  [getMessage, { params: { id: '2' } }, 'message_not_found'],
  [getMessage, { params: { id: '3' } }, 'message_not_found'],
  [getMessage, { params: { id: '4' } }, 'message_not_found'],
  [acknowledgeAlarm, { params: { id: '1' } }],
  [acknowledgeAlarm, { params: { id: '2' } }, 'alarm_not_found'],
  [login, { body: { labels: {} } }],
])('%o with %j: %s', async (row, given, code) => {
  const call = { params: {}, query: {}, body: {}, ...given } as Call<AnyEndpoint>
  const narrowed = restrictedCall(row, call, ETCH, gateway)
  if (code === undefined) expect(await narrowed).toBe(call)
  else await expect(narrowed).rejects.toMatchObject({ code })
})

test.each([
  [undefined, 'area=etch'],
  ['bay=3', 'bay=3,area=etch'],
])('a list of %s is one of %s', async (label_selector, both) => {
  const query = { limit: 5, ...(label_selector && { label_selector }) }
  const call = { params: {}, query, body: {} } as unknown as Call<AnyEndpoint>
  const narrowed = await restrictedCall(listAlarms, call, ETCH, gateway)
  expect(narrowed).toEqual({ ...call, query: { limit: 5, label_selector: both } })
})

test('a selector that is none by itself is refused', async () => {
  const call = {
    params: {},
    query: { label_selector: 'bay in (3' },
    body: {},
  } as unknown as Call<AnyEndpoint>
  await expect(restrictedCall(listAlarms, call, ETCH, gateway)).rejects.toMatchObject({
    code: 'invalid_request',
  })
})

test.each<[row: AnyEndpoint, id: string, expected: number[]]>([
  [sendMessage, 'eq_in', [1, 2]],
  [sendMessage, 'eq_out', []],
  [listAlarms, 'eq_out', [1, 2]],
])('the parts of a stream end with the reach of its caller: %#', async (row, id, expected) => {
  async function* parts() {
    yield* [1, 2]
  }
  const call = { params: { id }, query: {}, body: {} } as Call<AnyEndpoint>
  const seen: number[] = []
  for await (const part of restrictedParts(parts(), row, call, ETCH, gateway)) seen.push(part)
  expect(seen).toEqual(expected)
})
