import { expect, test } from 'vitest'
import { untilChanged } from '../../../src/gateway/equipment/until-changed.js'
import { Signal } from '../../../src/kit/signal.js'
import { settle } from '../../support/gem-pair.js'
import { ManualClock } from '../../support/manual-clock.js'

function scene(ms: number, isOverAtOnce = false) {
  const clock = new ManualClock()
  const changed = new Signal<void>()
  const found = { isOver: isOverAtOnce, ended: false }
  void untilChanged(clock, changed, ms, () => found.isOver).then(() => {
    found.ended = true
  })
  return { clock, changed, found }
}

test('it waits until a change makes it true, or the time is over', async () => {
  const { clock, changed, found } = scene(1000)
  changed.emit()
  clock.advance(999)
  await settle()
  expect(found.ended).toBe(false)
  found.isOver = true
  await settle()
  expect(found.ended).toBe(false)
  changed.emit()
  await settle()
  expect([found.ended, clock.scheduled]).toEqual([true, 0])
  const late = scene(1000)
  late.clock.advance(1000)
  await settle()
  expect(late.found.ended).toBe(true)
})

test.each([
  [0, false],
  [1000, true],
])('it does not wait %i ms where there is no time or it is true already', async (ms, isOver) => {
  const { clock, found } = scene(ms, isOver)
  await settle()
  expect([found.ended, clock.scheduled]).toEqual([true, 0])
})
