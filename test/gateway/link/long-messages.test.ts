import { expect, test } from 'vitest'
import { LongMessages } from '../../../src/gateway/link/long-messages.js'
import { ManualClock } from '../../support/manual-clock.js'

const MIB = 1024 * 1024
const TURN_MS = 5_000

/** Shares of a memory of 100 MiB; `held` has those that are not read, `calls` how often each was told. */
function scene(...names: readonly string[]) {
  const clock = new ManualClock()
  const memory = new LongMessages(clock, 100 * MIB)
  const held = new Set<string>()
  const calls: string[] = []
  const shares = names.map((name) =>
    memory.share((isHeldBack) => {
      calls.push(name)
      if (isHeldBack) held.add(name)
      else held.delete(name)
    }),
  )
  const arriving = (at: number, mib: number): void => shares[at]?.arriving(mib * MIB)
  const whole = (at: number, mib: number): void => shares[at]?.whole(mib * MIB)
  return { clock, memory, arriving, whole, calls, held: () => [...held].toSorted().join('') }
}

test('below the limit all are read', () => {
  const { arriving, whole, held, memory, calls } = scene('a', 'b')
  arriving(0, 50)
  whole(1, 49.9)
  expect(memory.bytes).toBe(99.9 * MIB)
  arriving(0, 0)
  whole(1, -49.9)
  expect([held(), memory.bytes, calls]).toEqual(['', 0, []])
})

test('at the limit only that is read whose message began first, until it is whole', () => {
  const { arriving, whole, held, clock } = scene('a', 'b', 'c')
  arriving(1, 10)
  arriving(0, 50)
  expect(held()).toBe('')
  arriving(2, 40)
  expect([held(), clock.scheduled]).toEqual(['ac', 1])
  arriving(1, 30)
  expect(held()).toBe('ac')
  // While one is whole, none is read: it gives its memory back by itself.
  arriving(1, 0)
  whole(1, 30)
  expect([held(), clock.scheduled]).toEqual(['abc', 0])
  whole(1, -30)
  expect(held()).toBe('')
})

test('a further message waits behind those that began before it', () => {
  const { arriving, held } = scene('a', 'b')
  arriving(0, 10)
  arriving(1, 60)
  arriving(0, 0)
  arriving(0, 40)
  expect(held()).toBe('a')
})

test('a further message of equipment with a whole one waits behind those that began before it', () => {
  const { arriving, whole, held } = scene('a', 'b')
  whole(0, 10)
  arriving(1, 50)
  arriving(0, 50)
  whole(0, -10)
  expect(held()).toBe('a')
})

test('equipment with a whole message has not begun a further one', () => {
  const { arriving, whole, held } = scene('a', 'b', 'c')
  whole(0, 10)
  arriving(1, 50)
  arriving(2, 50)
  expect(held()).toBe('abc')
  whole(0, -10)
  expect(held()).toBe('c')
})

test('one that is told once to wait is told no more than once', () => {
  const { arriving, calls } = scene('a', 'b')
  arriving(0, 60)
  arriving(1, 40)
  arriving(0, 61)
  arriving(1, 41)
  expect(calls).toEqual(['b'])
})

test.each([
  ['sends less than 1 MiB in 5 s', 60.99, 'a'],
  ['sends 1 MiB in 5 s', 61, 'b'],
])('the turn of one that %s', (_, mib, waiting) => {
  const { arriving, held, clock } = scene('a', 'b')
  arriving(0, 60)
  arriving(1, 40)
  clock.advance(TURN_MS - 1)
  arriving(0, mib)
  expect(held()).toBe('b')
  clock.advance(1)
  expect([held(), clock.scheduled]).toEqual([waiting, 1])
})

test('turns come round', () => {
  const { arriving, held, clock } = scene('a', 'b', 'c')
  for (const at of [0, 1, 2]) arriving(at, 34)
  const waiting = [0, 1, 2, 3].map(() => {
    const now = held()
    clock.advance(TURN_MS)
    return now
  })
  expect(waiting).toEqual(['bc', 'ac', 'ab', 'bc'])
})

test.each([
  [15.9, 'a'],
  [16, 'b'],
])('a slow turn passes on up to 16 MiB above the limit: at %d MiB %s waits', (above, waiting) => {
  const { arriving, held, clock } = scene('a', 'b')
  arriving(0, 60)
  arriving(1, 40 + above)
  clock.advance(TURN_MS)
  expect(held()).toBe(waiting)
})

test('a turn ends with its equipment, and without one there is none', () => {
  const { arriving, held, clock } = scene('a', 'b')
  arriving(0, 60)
  arriving(1, 40)
  arriving(0, 0)
  expect([held(), clock.scheduled]).toEqual(['', 0])
  arriving(1, 100)
  expect([held(), clock.scheduled]).toEqual(['', 1])
  arriving(1, 0)
  expect(clock.scheduled).toBe(0)
})
