import { test } from 'vitest'
import { CONNECTION_RULES } from './rules/connection.js'
import { CONTROL_RULES } from './rules/control.js'
import { SELECT_RULES } from './rules/select.js'
import { TRANSACTION_RULES } from './rules/transactions.js'

/** What the gateway and GEM answer for (rules 14, 16 and 18, and stream 9's side of 13 and 15) is tested there. */
const RULES = [...SELECT_RULES, ...CONTROL_RULES, ...CONNECTION_RULES, ...TRANSACTION_RULES]

test.each(RULES)('rule $rule ($source): $says', ({ check }) => check())
