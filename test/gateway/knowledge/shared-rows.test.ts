import { expect, test } from 'vitest'
import type { KnownEvent, KnownVariable } from '../../../src/gateway/knowledge/equipment-knowledge.js'
import { KnownEquipment } from '../../../src/gateway/knowledge/known-equipment.js'
import { type Row, SharedRows } from '../../../src/gateway/knowledge/shared-rows.js'
import type { JsonObject } from '../../../src/kit/text/json.js'

const MODEL = { mdln: 'ETCH', softrev: '1.0' }
const rows = (unit: string, count = 3): Row<KnownVariable>[] =>
  Array.from({ length: count }, (_, at) => [String(at), { name: `Name${at}`, unit, kind: 'status' }])

function equipment(shared: SharedRows, model = MODEL): KnownEquipment {
  const known = new KnownEquipment(shared)
  known.meet(model, 1)
  return known
}

test('equipment of one model has equal names in memory once, and keeps its own where they differ', () => {
  const shared = new SharedRows()
  const [one, other, third] = [equipment(shared), equipment(shared), equipment(shared)]
  one.learnVariables('status', rows('K'), true)
  const own = rows('K').with(1, ['1', { name: 'Name1', unit: 'mTorr', kind: 'status' }])
  other.learnVariables('status', own, true)
  third.learnVariables('status', rows('K'), true)
  expect([...other.variables]).toEqual(own)
  expect([...third.variables]).toEqual(rows('K'))
  expect(other.variables.get('0')).toBe(one.variables.get('0'))
  expect(third.variables.get('2')).toBe(one.variables.get('2'))
  const events = (...variables: string[]): Row<KnownEvent>[] => [['7', { name: 'Done', variables }]]
  one.learnEvents(events('1', '2'), true)
  other.learnEvents(events('1', '3'), true)
  third.learnEvents(events('1', '3'), true)
  expect([one, other, third].map((known) => known.events.get('7')?.variables.join())).toEqual([
    '1,2',
    '1,3',
    '1,3',
  ])
  expect(third.events.get('7')).toBe(other.events.get('7'))
})

test('names that were loaded are shared, too', () => {
  const first = equipment(new SharedRows())
  first.learnVariables('status', rows('K', 1200), true)
  const lines = JSON.stringify(first.lines())
  const shared = new SharedRows()
  const [one, other] = [new KnownEquipment(shared), new KnownEquipment(shared)]
  for (const known of [one, other]) for (const line of JSON.parse(lines) as JsonObject[]) known.load(line)
  expect([...other.variables]).toEqual([...first.variables])
  for (const id of ['0', '700', '1199']) expect(other.variables.get(id)).toBe(one.variables.get(id))
})

test('a model that changes with each connection does not make them grow without end', () => {
  const shared = new SharedRows()
  const kept = new WeakSet<object>()
  for (let revision = 0; revision < 4; revision++) {
    const share = shared.sharing('S1F11', { mdln: 'ETCH', softrev: String(revision) })
    for (const row of rows('K', 25_000)) kept.add(share(row)[1])
  }
  const again = (revision: number): number => {
    const share = shared.sharing('S1F11', { mdln: 'ETCH', softrev: String(revision) })
    return rows('K', 25_000).filter((row) => kept.has(share(row)[1])).length
  }
  // Of the last two lists 20,000 rows each are there, and of the one before them none.
  expect([again(3), again(2), again(1)]).toEqual([20_000, 20_000, 0])
})
