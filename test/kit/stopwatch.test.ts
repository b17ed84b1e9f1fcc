import { expect, test } from 'vitest'
import { Stopwatch } from '../../src/kit/stopwatch.js'
import { ManualClock } from '../support/manual-clock.js'

function scene() {
  const clock = new ManualClock()
  return { clock, stopwatch: new Stopwatch(clock) }
}

test('time that passes is measured, until the first call', () => {
  const { clock, stopwatch } = scene()
  const first = stopwatch.start()
  clock.advance(12.5)
  const second = stopwatch.start()
  clock.advance(40_000)
  expect([first(), second()]).toEqual([40_012.5, 40_000])
  clock.advance(1000)
  expect([first(), second()]).toEqual([40_012.5, 40_000])
})

test.each([
  ['before its look', false],
  ['after its look', true],
])('a stand-still is left out, whether the end comes %s or not', (_, isLooked) => {
  const { clock, stopwatch } = scene()
  const took = stopwatch.start()
  clock.advance(1400)
  clock.standStill(60_000)
  if (isLooked) clock.advance(0)
  // The look at 1500 was due 59.9 s ago.
  expect(took()).toBe(1500)
})

test('each measurement is without the stand-stills within it, and no others', () => {
  const { clock, stopwatch } = scene()
  const before = stopwatch.start()
  clock.standStill(10_000)
  const after = stopwatch.start()
  clock.advance(200)
  expect([before(), after()]).toEqual([700, 200])
})

test('a machine that is busy for a moment did not stand still', () => {
  const { clock, stopwatch } = scene()
  const took = stopwatch.start()
  clock.standStill(700)
  expect(took()).toBe(700)
})

test('the clock is looked at only while something is measured', () => {
  const { clock, stopwatch } = scene()
  const [first, second] = [stopwatch.start(), stopwatch.start()]
  first()
  expect(clock.scheduled).toBe(1)
  second()
  expect(clock.scheduled).toBe(0)
  clock.standStill(60_000)
  const later = stopwatch.start()
  clock.advance(30)
  expect(later()).toBe(30)
})
