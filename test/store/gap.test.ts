import { expect, test } from 'vitest'
import { entriesBetween, knowsLost, leftOut, NUMBERS_LEFT_OUT, nextNumber } from '../../src/store/gap.js'

test('numbers that are left out after a restored backup are not given, and count as no entries', () => {
  const gap = leftOut(7)
  expect(gap).toEqual({ first: 8, last: 7 + NUMBERS_LEFT_OUT, restored: true })
  expect([nextNumber([gap], 7), nextNumber([gap], 6)]).toEqual([8 + NUMBERS_LEFT_OUT, 7])
  const ranges = [
    [5, 7],
    [7, 7],
    [7, 5],
    [7, 9 + NUMBERS_LEFT_OUT],
  ] as const
  expect(ranges.map(([from, to]) => entriesBetween(from, to))).toEqual([2, 0, 0, 2])
})

test('what was made of entries may know of those that were lost since, from the first of them on', () => {
  expect([4, 5, 7, 8].map((seq) => knowsLost([{ first: 5, last: 7 }], seq))).toEqual([
    false,
    true,
    true,
    false,
  ])
  expect([7, 9, 10].map((seq) => knowsLost([{ first: 5, last: 7, until: 9 }], seq))).toEqual([
    true,
    true,
    false,
  ])
})
