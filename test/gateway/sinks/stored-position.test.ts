import { expect, test } from 'vitest'
import type { SinkRecord } from '../../../src/gateway/sinks/sink-record.js'
import { StoredPosition } from '../../../src/gateway/sinks/stored-position.js'
import { settle } from '../../support/gem-pair.js'
import { ManualClock } from '../../support/manual-clock.js'

function scene() {
  const clock = new ManualClock()
  const given = { record: { position: 0 } as SinkRecord, isAway: false }
  const stored: number[] = []
  const store = async (record: SinkRecord) => {
    await settle()
    if (given.isAway) throw new Error('away')
    stored.push(record.position)
  }
  const position = new StoredPosition({ clock, store }, () => given.record)
  const moveTo = (to: number) => {
    given.record = { ...given.record, position: to }
  }
  const pass = async (ms: number) => {
    clock.advance(ms)
    for (let turn = 0; turn < 5; turn++) await settle()
  }
  return { clock, given, stored, position, moveTo, pass }
}

test('it is stored when it was asked for first, once, and not where nothing has changed', async () => {
  const { stored, position, moveTo, pass, clock } = scene()
  moveTo(1)
  position.storeWithin(100)
  position.storeWithin(200)
  position.storeWithin(50)
  position.storeWithin(50)
  expect(clock.scheduled).toBe(1)
  await pass(49)
  expect(stored).toEqual([])
  await pass(1)
  expect(stored).toEqual([1])
  await pass(1000)
  position.storeWithin(10)
  await pass(10)
  expect([stored, clock.scheduled]).toEqual([[1], 0])
})

test('where the store is away it is stored again after 1 s, and not once it is closed', async () => {
  const { given, stored, position, moveTo, pass, clock } = scene()
  given.isAway = true
  moveTo(1)
  position.storeWithin(0)
  await pass(0)
  expect(stored).toEqual([])
  given.isAway = false
  moveTo(2)
  await pass(999)
  expect(stored).toEqual([])
  await pass(1)
  expect(stored).toEqual([2])
  given.isAway = true
  moveTo(3)
  position.storeWithin(500)
  await position.close()
  expect([stored, clock.scheduled]).toEqual([[2], 0])
})

test('changes are stored one after the other, also after one that failed', async () => {
  const { given, stored, position } = scene()
  const change = (to: number) => position.storeChange((record) => ({ ...record, position: to }))
  given.isAway = true
  const failing = change(1)
  await expect(failing).rejects.toThrow('away')
  given.isAway = false
  await Promise.all([change(2), change(3), change(4)])
  expect(stored).toEqual([2, 3, 4])
})
