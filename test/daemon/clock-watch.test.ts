import { expect, test } from 'vitest'
import { watchClock } from '../../src/daemon/clock-watch.js'
import type { Clock } from '../../src/kit/clock.js'
import { ManualClock } from '../support/manual-clock.js'

test('a wall clock that jumps is reported once, by how much, and one that is put right by and by is not', () => {
  const manual = new ManualClock()
  let off = 0
  const clock: Clock = {
    now: () => manual.now(),
    at: (at, run) => manual.at(at, run),
    date: () => new Date(manual.date().getTime() + off),
  }
  const jumps: number[] = []
  const cancel = watchClock(clock, (by) => jumps.push(by))
  manual.advance(600_000)
  off += 1000
  manual.advance(60_000)
  off += 3_600_000
  manual.advance(600_000)
  off -= 7_200_000
  manual.advance(60_000)
  expect(jumps).toEqual([3_600_000, -7_200_000])
  cancel()
  off = 0
  manual.advance(600_000)
  expect(jumps).toHaveLength(2)
})
