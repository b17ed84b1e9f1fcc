import type { StateTable } from '../../../kit/state-table.js'

/** Where a variable's value is to one of its limits (SEMI E30). The diagram in ARCHITECTURE.md is printed from this table. */
export type LimitZone =
  | 'NO_ZONE' // within the dead band since the limit was defined
  | 'BELOW_LIMIT'
  | 'ABOVE_LIMIT'

export type LimitTrigger =
  | 'reached_upper' // the value is UPPERDB or more
  | 'reached_lower' // the value is LOWERDB or less

export const LIMIT_ZONES: StateTable<LimitZone, LimitTrigger> = {
  NO_ZONE: { reached_upper: 'ABOVE_LIMIT', reached_lower: 'BELOW_LIMIT' },
  BELOW_LIMIT: { reached_upper: 'ABOVE_LIMIT' },
  ABOVE_LIMIT: { reached_lower: 'BELOW_LIMIT' },
}
