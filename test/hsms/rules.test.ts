import { expect, test } from 'vitest'
import { RULES } from './rules/rules.js'

test.each(RULES)('rule $rule ($source): $says', ({ check }) => check())

test('every rule that is the machine’s, and every timer, has a row', () => {
  const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 17, 19]
  const timers = ['T3', 'T5', 'T6', 'T7', 'T8', 'linktest']
  expect(new Set(RULES.map(({ rule }) => rule))).toEqual(new Set([...numbers, ...timers]))
})

test('no two rows say the same', () => {
  const said = RULES.map(({ rule, says }) => `${rule}: ${says}`)
  expect(said.filter((row, at) => said.indexOf(row) !== at)).toEqual([])
})
