import fc from 'fast-check'
import { expect, test } from 'vitest'
import { movesOf } from '../../../src/store/postgres/fair-share.js'

const sharers = (...keys: number[]) => keys.map((one) => ({ keys: one, isSettled: true }))

test.each([
  ['alone, it takes all', 300, 0, [], 300],
  ['of three, a third', 300, 0, sharers(100, 100), 100],
  ['with its share, nothing', 300, 100, sharers(100, 100), 0],
  ['above it, it gives a few at once', 300, 300, sharers(0, 0), -4],
  ['and no more than what is above', 300, 103, sharers(100, 97), -3],
  ['nothing while nobody has less', 301, 101, sharers(100, 100), 0],
  ['nothing to one that has just come', 300, 300, [{ keys: 0, isSettled: false }], 0],
])('%s', (_, all, own, others, moves) => {
  expect(movesOf(all, own, others)).toBe(moves)
})

test('any distribution comes to one that is even, and stays there', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(200), { minLength: 1, maxLength: 6 }), (given) => {
      const own = [...given]
      const all = own.reduce((sum, keys) => sum + keys, 0)
      let free = 0
      for (let round = 0; round < 2000; round++) {
        for (const at of own.keys()) {
          const moves = movesOf(all, own[at] ?? 0, sharers(...own.filter((_, other) => other !== at)))
          const taken = Math.min(moves, free)
          own[at] = (own[at] ?? 0) + taken
          free -= taken
        }
      }
      expect(free).toBe(0)
      expect(Math.max(...own)).toBeLessThanOrEqual(Math.ceil(all / own.length))
    }),
  )
})
