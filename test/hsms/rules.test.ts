import { expect, test } from 'vitest'
import { CONNECTION_RULES } from './rules/connection.js'
import { CONTROL_RULES } from './rules/control.js'
import { REJECT_RULES } from './rules/reject.js'
import { SELECT_RULES } from './rules/select.js'
import { TIMER_RULES } from './rules/timers.js'
import { TRANSACTION_RULES } from './rules/transactions.js'

/** Rules 14, 16 and 18, and stream 9's side of 13 and 15, are GEM's and the gateway's: test/gateway/wire-rules.test.ts. */
const RULES = [
  ...SELECT_RULES,
  ...CONTROL_RULES,
  ...REJECT_RULES,
  ...CONNECTION_RULES,
  ...TRANSACTION_RULES,
  ...TIMER_RULES,
]

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
