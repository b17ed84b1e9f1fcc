import { expect, test } from 'vitest'
import { AlarmOccurrences } from '../../../src/gateway/alarms/alarm-occurrences.js'
import type { JsonObject } from '../../../src/kit/text/json.js'
import type { Entry } from '../../../src/store/entry.js'

let first = 1
const at = '2026-01-01T00:00:00.000Z'

function entry(seq: number, name: string, id: number | null, data: JsonObject = {}): Entry {
  const alarm_id = id === null ? null : String(id)
  return { seq, key: 'eq_1', type: 'alarm', name, at, data: { alarm_id, alid: `a${id}`, ...data } }
}

test('retention has to spare ten thousand active occurrences of an equipment, and of more the oldest go', () => {
  first = 1
  const occurrences = new AlarmOccurrences(() => first)
  let seq = 0
  for (; seq < 10_000; seq++) occurrences.apply(entry(seq + 1, 'alarm_set', seq + 1))
  occurrences.apply(entry(20_000, 'alarm_cleared', 7))
  expect(new Set(occurrences.pinned())).toContain(7)
  for (const id of [20_001, 20_002]) occurrences.apply(entry(id, 'alarm_set', id))
  const pinned = new Set(occurrences.pinned())
  expect([1, 2, 7, 20_000, 20_001].map((id) => pinned.has(id))).toEqual([false, true, true, true, true])
  expect([...occurrences.inOrder(true, undefined)]).toHaveLength(10_002)
  first = 30_000
  const ids = [...occurrences.inOrder(true, undefined)].map(({ id }) => id)
  expect([ids.length, ids.includes(1), ids.includes(7)]).toEqual([10_001, false, true])
  expect(occurrences.active()).toHaveLength(10_000)
  const again = new AlarmOccurrences(() => first)
  for (const line of occurrences.lines()) again.load(JSON.parse(JSON.stringify(line)))
  expect([...again.inOrder(false, undefined)]).toEqual([...occurrences.inOrder(false, undefined)])
  expect(new Set(again.pinned())).toEqual(pinned)
  expect([...again.overflowed]).toEqual(['eq_1'])
  // Clears of alarms that were never set say nothing about those that are left out.
  for (const alid of ['b1', 'b2', 'b3']) again.apply(entry(++seq + 40_000, 'alarm_cleared', null, { alid }))
  expect([...again.overflowed]).toEqual(['eq_1'])
  // One that is set again is known again, in the place of the next oldest.
  again.apply(entry(60_001, 'alarm_set', null, { alid: 'a1' }))
  expect([...again.overflowed]).toEqual(['eq_1'])
  again.apply(entry(60_002, 'alarm_cleared', null, { alid: 'a2' }))
  expect([...again.overflowed]).toEqual([])
})

test('of more alarms that were left out than are remembered, it stays said that some are', () => {
  first = 1
  const occurrences = new AlarmOccurrences(() => first)
  for (let seq = 1; seq <= 20_001; seq++) occurrences.apply(entry(seq, 'alarm_set', seq))
  const again = new AlarmOccurrences(() => first)
  for (const line of occurrences.lines()) again.load(JSON.parse(JSON.stringify(line)))
  for (let id = 1; id <= 20_001; id++)
    again.apply(entry(30_000 + id, 'alarm_cleared', null, { alid: `a${id}` }))
  expect([...again.overflowed]).toEqual(['eq_1'])
  // A snapshot of an earlier version knows only how many.
  const older = new AlarmOccurrences(() => first)
  older.load({ alarms: [], left_out: [['eq_2', 3]] })
  expect([...older.overflowed]).toEqual(['eq_2'])
  older.apply({ ...entry(9, 'alarm_cleared', 5, { cause: 'equipment_deleted' }), key: 'eq_2' })
  expect([...older.overflowed]).toEqual([])
})

test('one whose first entry was lost continues under its id', () => {
  first = 1
  const occurrences = new AlarmOccurrences(() => first)
  occurrences.apply(entry(9, 'alarm_set', 5, { count: 3 }))
  expect(occurrences.get(5)).toMatchObject({ id: 5, textEntry: 9 })
  occurrences.apply(entry(10, 'alarm_cleared', 5))
  expect(occurrences.active()).toEqual([])
  occurrences.apply(entry(11, 'alarm_acknowledged', 5))
  expect([...occurrences.pinned()]).toEqual([])
})

test('a long ALID takes no more memory than a short one', () => {
  const occurrences = new AlarmOccurrences(() => 1)
  for (const [seq, end] of ['x', 'y'].entries()) {
    occurrences.apply(entry(seq + 1, 'alarm_set', seq + 1, { alid: 'long'.repeat(1000) + end }))
  }
  const [one, other] = occurrences.active()
  expect([one?.alid?.length, one?.alid === other?.alid]).toEqual([43, false])
})

test('of a hundred thousand occurrences and more the oldest that are over are let go', () => {
  const occurrences = new AlarmOccurrences(() => 1)
  const alarms = Array.from({ length: 100_998 }, (_, at) => {
    const id = at + 2
    return [id, 'eq_1', null, id, 4, 0, 0, 1, id, 200_000, 200_001, false] as const
  })
  occurrences.load({ alarms })
  occurrences.apply(entry(1, 'alarm_set', 1))
  expect(occurrences.get(2)?.id).toBe(2)
  occurrences.apply(entry(300_000, 'alarm_set', 300_000))
  expect([...occurrences.inOrder(true, undefined)]).toHaveLength(100_001)
  expect([1, 1000, 1001, 300_000].map((id) => occurrences.get(id)?.id)).toEqual([1, undefined, 1001, 300_000])
})

test('alarms that are set, and those that nobody has acknowledged, are counted by equipment', () => {
  first = 1
  const occurrences = new AlarmOccurrences(() => first)
  expect(occurrences.counts()).toEqual(new Map())
  for (const id of [1, 2, 3]) occurrences.apply(entry(id, 'alarm_set', id, { category: id === 1 ? 2 : 4 }))
  occurrences.apply(entry(4, 'alarm_acknowledged', 1))
  occurrences.apply(entry(5, 'alarm_cleared', 2))
  expect(occurrences.counts().get('eq_1')).toMatchObject({ active: 2, unacknowledged: 2, worst: { id: 1 } })
  occurrences.apply(entry(6, 'alarm_cleared', 1))
  expect(occurrences.counts().get('eq_1')).toMatchObject({ active: 1, unacknowledged: 2, worst: { id: 3 } })
})
