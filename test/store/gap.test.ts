import { expect, test } from 'vitest'
import {
  entriesAre,
  entriesBetween,
  knowsLost,
  leftOut,
  NUMBERS_LEFT_OUT,
  nextNumber,
} from '../../src/store/gap.js'

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

test('the number after the last is the one after what was given up there, and no other gap moves it', () => {
  const gaps = [
    { first: 3, last: 4 },
    { first: 8, last: 9 },
  ]
  expect([1, 2, 4, 7, 9].map((last) => nextNumber(gaps, last))).toEqual([2, 5, 5, 10, 10])
  expect(nextNumber([...gaps, leftOut(9)], 7)).toBe(10 + NUMBERS_LEFT_OUT)
})

test('one number that is lost is spoken of as one', () => {
  expect(entriesAre(5, 5)).toBe('entry 5 is')
  expect(entriesAre(5, 7)).toBe('entries 5 to 7 are')
})
