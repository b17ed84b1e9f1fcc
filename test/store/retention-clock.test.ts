import { beforeEach, describe, expect, it } from 'vitest'
import { believedNow, RetentionClock, toleranceOf } from '../../src/store/retention-clock.js'
import { ManualClock } from '../support/manual-clock.js'

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

/** A clock whose wall time is set by hand, beside the time that passes. */
class SetClock extends ManualClock {
  ahead = 0

  override date(): Date {
    return new Date(super.date().getTime() + this.ahead)
  }
}

let clock: SetClock
let time: RetentionClock
const wall = (): number => clock.date().getTime()
beforeEach(() => {
  clock = new SetClock()
  time = new RetentionClock(clock, wall())
})

describe('The time by which history gets old', () => {
  it('is the wall clock’s, while that goes as time passes', () => {
    for (let hour = 0; hour < 100; hour++) {
      clock.advance(HOUR)
      clock.ahead += 50_000 // it is put right a little, time and again
      expect(time.now()).toBe(wall())
    }
  })

  it('does not follow a clock that jumps ahead, until it has shown that for a day', () => {
    clock.advance(HOUR)
    const before = time.now()
    clock.ahead = 40 * 365 * DAY
    expect(time.now()).toBe(before)
    clock.advance(23 * HOUR)
    expect(time.now()).toBe(before + 23 * HOUR)
    clock.advance(HOUR)
    expect(time.now()).toBe(wall())
  })

  it('continues as if nothing had been once the clock is put right', () => {
    clock.ahead = 400 * DAY
    time.now()
    clock.advance(20 * HOUR)
    clock.ahead = 0
    expect(time.now()).toBe(wall())
    clock.ahead = 400 * DAY
    clock.advance(20 * HOUR)
    expect(time.now()).toBe(wall() - 400 * DAY)
  })

  it('follows a clock that is set back at once', () => {
    clock.ahead = -400 * DAY
    expect(time.now()).toBe(wall())
  })

  it('begins with the wall clock where nothing else is known', () => {
    const anew = new RetentionClock(clock, undefined)
    clock.ahead = 40 * DAY
    expect(anew.now()).toBe(wall() - 40 * DAY)
  })

  it('takes a clock that is ahead of the newest entry for one that has jumped', () => {
    const later = new RetentionClock(clock, wall() - 10 * DAY)
    expect(later.now()).toBe(wall() - 10 * DAY)
    clock.advance(DAY)
    expect(later.now()).toBe(wall())
  })
})

describe('What a clock may be ahead by', () => {
  it('is believed up to the tolerance, and not a millisecond more', () => {
    clock.ahead = HOUR
    expect(time.now()).toBe(wall())
    clock.ahead += HOUR + 1
    expect(time.now()).toBe(wall() - HOUR - 1)
  })

  it('is a thirtieth of the age that is kept, and an hour at most', () => {
    expect([HOUR, 30 * HOUR, 31 * HOUR].map((maxAge) => toleranceOf({ maxAge }))).toEqual([
      HOUR / 30,
      HOUR,
      HOUR,
    ])
  })

  it.each([
    ['no time', 0, 0],
    ['less than no time', -1, 0],
    ['the tolerance', 50, 50],
    ['more', 51, 0],
  ])('adds %s that passed between two processes', (_, passed, added) => {
    expect(believedNow({ believed: 1000, wall: 7000 }, 7000 + passed, 50)).toBe(1000 + added)
  })
})
