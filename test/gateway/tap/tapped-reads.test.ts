import { expect, test } from 'vitest'
import { STANDARD_ROWS } from '../../../src/catalogue/rows/standard-rows.js'
import { Problem } from '../../../src/contract/errors.js'
import { refuseUnlessPermitted } from '../../../src/gateway/tap/tapped-reads.js'

/** Primaries of a host that change equipment, have it act, or need messages of its own afterwards. By stream. */
const ACTING: Readonly<Record<number, readonly number[]>> = {
  1: [13, 15, 17],
  2: [1, 3, 7, 15, 19, 21, 23, 27, 31, 33, 35, 37, 39, 41, 43, 45, 49],
  3: [13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35],
  4: [1, 3, 5, 7, 17, 19, 21, 25, 27, 29, 31, 33, 35, 37, 39, 41],
  5: [3, 13, 17],
  6: [23, 25],
  7: [1, 3, 11, 13, 15, 17, 23, 31, 37, 39, 41, 43],
  10: [3, 5, 9],
  12: [19],
  13: [1, 3, 5, 7, 9, 11, 13, 15],
  14: [3, 9, 11, 13, 15, 17, 19, 21, 23],
  15: [1, 3, 5, 13, 15, 19, 21, 25, 27, 29, 33, 35, 37, 39, 41, 45, 47, 49, 51],
  16: [1, 3, 5, 11, 13, 15, 17, 23, 25, 27, 29],
  17: [1, 3, 5, 7, 9, 11, 13],
  18: [3, 5, 7, 9, 11, 13, 15],
  19: [3, 9, 11, 13, 15, 17, 19],
  20: [1, 9, 13, 15, 25, 27],
  21: [1, 3, 11, 13, 15, 17],
}

const isActing = (stream: number, fn: number): boolean => ACTING[stream]?.includes(fn) ?? false

function isRead(stream: number, fn: number, reads: 'short' | 'all' = 'all'): boolean {
  try {
    refuseUnlessPermitted({ stream, function: fn, item: undefined }, { reads, writes: false }, 'etcher')
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(Problem)
    return false
  }
}

const primaries = STANDARD_ROWS.filter((row) => row.function % 2 === 1 && row.direction !== 'equipment')
const named = (rows: typeof primaries): readonly string[] =>
  rows.map((row) => `S${row.stream}F${row.function} ${row.name}`)

test('of every primary of a host in the catalogue it is decided whether it only reads', () => {
  const undecided = primaries.filter(
    (row) => isRead(row.stream, row.function) === isActing(row.stream, row.function),
  )
  expect(named(undecided)).toEqual([])
})

test('what only reads has a reply that the catalogue knows', () => {
  const silent = primaries.filter(
    ({ stream, function: fn }) =>
      isRead(stream, fn) && !STANDARD_ROWS.some((row) => row.stream === stream && row.function === fn + 1),
  )
  expect(named(silent)).toEqual([])
})

test('what the list of acting messages names is in the catalogue', () => {
  const known = new Set(primaries.map((row) => `S${row.stream}F${row.function}`))
  const listed = Object.entries(ACTING).flatMap(([stream, fns]) => fns.map((fn) => `S${stream}F${fn}`))
  expect(listed.filter((one) => !known.has(one))).toEqual([])
})

test('a message that the catalogue does not have may change equipment', () => {
  expect(isRead(99, 1)).toBe(false)
  expect(isRead(1, 11, 'short')).toBe(false)
})
