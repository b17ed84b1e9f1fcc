import { expect, test } from 'vitest'
import { AwakeClock } from '../../src/kit/awake-clock.js'
import { ManualClock } from '../support/manual-clock.js'

function scene() {
  const clock = new ManualClock()
  const awake = new AwakeClock(clock)
  const ran: number[] = []
  const at = (ms: number) => awake.at(ms, () => void ran.push(awake.now()))
  return { clock, awake, ran, at }
}

test('what is scheduled runs at its time, also where a later one was scheduled before it', () => {
  const { clock, ran, at } = scene()
  at(3000)
  at(1200)
  at(100)
  clock.advance(99)
  expect(ran).toEqual([])
  clock.advance(5000)
  expect(ran).toEqual([100, 1200, 3000])
  expect(clock.scheduled).toBe(0)
})

test('a stand-still does not count, and after it there is time to read what has come', () => {
  const { clock, awake, ran, at } = scene()
  at(1000)
  clock.advance(990)
  clock.standStill(60_000)
  clock.advance(0)
  expect(awake.now()).toBe(1000)
  clock.advance(499)
  expect(ran).toEqual([])
  clock.advance(1)
  expect(ran).toEqual([1500])
})

test('what is scheduled or cancelled before the look that tells a stand-still loses nothing of it', () => {
  const { clock, awake, ran, at } = scene()
  const cancel = at(9000)
  clock.standStill(60_000)
  at(700)
  cancel()
  clock.advance(0)
  expect(awake.now()).toBe(500)
  clock.advance(499)
  expect(ran).toEqual([])
  clock.advance(1)
  expect(ran).toEqual([1000])
})

test('one that is cancelled does not run, and nothing is looked at where nothing is scheduled', () => {
  const { clock, awake, ran, at } = scene()
  const cancels = [at(100), at(200)]
  clock.standStill(60_000)
  for (const cancel of cancels) cancel()
  expect([awake.now(), clock.scheduled]).toEqual([100, 0])
  clock.advance(60_000)
  expect([awake.now(), ran]).toEqual([60_100, []])
})

test('what runs may schedule the next one', () => {
  const { clock, awake } = scene()
  let runs = 0
  const again = (): void =>
    void awake.at(awake.now() + 600, () => {
      runs += 1
      if (runs < 3) again()
    })
  again()
  clock.advance(10_000)
  expect([runs, clock.scheduled]).toEqual([3, 0])
})

test('what is scheduled for a time that has passed runs soon, and takes no time back', () => {
  const { clock, awake, ran, at } = scene()
  clock.advance(10_000)
  at(1000)
  expect(awake.now()).toBe(10_000)
  clock.advance(1)
  expect(ran).toHaveLength(1)
})

test('what schedules something overdue again and again has one turn in each look', () => {
  let time = 10_000
  const looks: (() => void)[] = []
  const at = (_: number, run: () => void) => {
    looks.push(run)
    return () => void looks.splice(looks.indexOf(run), 1)
  }
  const awake = new AwakeClock({ now: () => time, date: () => new Date(time), at })
  let runs = 0
  const again = (): void => {
    runs += 1
    if (runs < 1000) awake.at(awake.now() - 400, again)
  }
  awake.at(10_100, again)
  time = 10_100
  for (const wanted of [1, 2, 3]) {
    for (const look of looks.splice(0)) look()
    expect(runs).toBe(wanted)
  }
})
