import { CONNECTION_RULES } from './connection.js'
import { CONTROL_RULES } from './control.js'
import { REJECT_RULES } from './reject.js'
import type { Rule } from './rule.js'
import { SELECT_RULES } from './select.js'
import { TIMER_RULES } from './timers.js'
import { TRANSACTION_RULES } from './transactions.js'

/** Rules 14, 16 and 18, and stream 9's side of 13 and 15, are GEM's and the gateway's: test/gateway/wire-rules.test.ts. */
export const RULES: readonly Rule[] = [
  ...SELECT_RULES,
  ...CONTROL_RULES,
  ...REJECT_RULES,
  ...CONNECTION_RULES,
  ...TRANSACTION_RULES,
  ...TIMER_RULES,
]
