import { expect, test } from 'vitest'
import {
  EquipmentIdentities,
  type Identity,
  identityEntry,
} from '../../../src/gateway/equipment/equipment-identities.js'
import type { Entry } from '../../../src/store/entry.js'

const named = (name: string, labels = {}): Identity => ({ name, labels })
const [A, B, C] = [named('a'), named('b'), named('c', { x: '1', y: '2' })]

const changeOf = (key: string, seq: number, before: Identity, now: Identity | null): Entry =>
  ({ key, seq, data: { before, now } }) as unknown as Entry

function identities(...changes: Parameters<typeof changeOf>[]) {
  const view = new EquipmentIdentities(() => 1)
  for (const change of changes) view.apply(changeOf(...change))
  return view
}

test.each<[before: Identity, now: Identity | null, isChange: boolean]>([
  [A, A, false],
  [A, B, true],
  [A, named('a', { x: '1' }), true],
  [C, named('c', { y: '2', x: '1' }), false],
  [C, named('c', { y: '1', x: '2' }), true],
  [A, null, true],
])('from %j to %j is a change: %s', (before, now, isChange) => {
  expect(identityEntry(before, now)).toEqual(isChange ? { before, now } : undefined)
})

test('labels are recorded in the order of their keys', () => {
  const given = named('c', { y: '2', z: '3', x: '1' })
  expect(JSON.stringify(identityEntry(given, null)?.['before'])).toBe(
    '{"name":"c","labels":{"x":"1","y":"2","z":"3"}}',
  )
})

test.each<[what: string, seq: number, current: Identity | undefined, found: Identity[]]>([
  ['before the first change', 5, C, [A]],
  ['up to the second change', 6, C, [B]],
  ['at the second change', 9, C, [B]],
  ['since', 10, C, [C]],
  ['since, where the record lacks the change', 10, B, [B, C]],
  ['since, where it is deleted without a change', 10, undefined, [C]],
])('equipment is known %s', (_, seq, current, found) => {
  expect(identities(['eq', 5, A, B], ['eq', 9, B, C]).at('eq', seq, current)).toEqual(found)
})

test('equipment that was deleted is what it was, and what was never changed is what it is', () => {
  const known = identities(['eq', 5, A, B], ['eq', 9, B, null])
  expect(known.at('eq', 10, undefined)).toEqual([B])
  // The deletion failed.
  expect(known.at('eq', 10, C)).toEqual([C])
  expect([known.at('other', 1, A), known.at('other', 1, undefined)]).toEqual([[A], []])
})

test('what is written at a checkpoint is known again, and changes after it are added', () => {
  const before = identities(['eq', 5, A, B], ['other', 6, A, null])
  const lines = [...before.lines()]
  before.apply(changeOf('eq', 7, B, C))
  const again = new EquipmentIdentities(() => 1)
  for (const line of structuredClone(lines)) again.load(line)
  expect([...again.all]).toEqual([
    ['eq', [{ seq: 5, before: A, now: B }]],
    ['other', [{ seq: 6, before: A, now: null }]],
  ])
  expect([...again.pinned()]).toEqual([])
})

test('of one equipment the last 100 changes are kept', () => {
  const view = identities()
  for (let seq = 1; seq <= 100; seq++) view.apply(changeOf('eq', seq, A, B))
  expect(view.all.get('eq')).toHaveLength(100)
  view.apply(changeOf('eq', 101, A, B))
  expect(view.all.get('eq')?.map(({ seq }) => seq)).toEqual(Array.from({ length: 100 }, (_, at) => at + 2))
})

/** Changes of all equipment, `each` of 1,000, of which `eq0` has one more. */
function many(first: number, each = 20, last = 20_001) {
  const view = new EquipmentIdentities(() => first)
  const lines = Array.from({ length: 1000 }, (_, id) => ({
    id: `eq${id}`,
    changes: Array.from({ length: each }, (_, at) => ({ seq: id * each + at + 1, before: A, now: B })),
  }))
  for (const line of lines) view.load(line as never)
  view.apply(changeOf('eq0', last, A, B))
  const count = [...view.all.values()].reduce((sum, { length }) => sum + length, 0)
  return { view, count }
}

test('of all equipment 20,000 are kept: the oldest go, of the equipment that has most', () => {
  const { view, count } = many(1)
  expect([count, view.all.get('eq0')?.length, view.all.get('eq0')?.[0]?.seq]).toEqual([20_000, 20, 2])
})

test('where there are too many, those about what is not kept any more go first', () => {
  const { view, count } = many(51)
  expect(count).toBe(20_001 - 50)
  expect([view.all.has('eq1'), view.all.get('eq2')?.length]).toEqual([false, 10])
  // Below the limit nothing is dropped.
  expect(many(51, 19).count).toBe(19_001)
})
