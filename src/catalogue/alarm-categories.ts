/** The categories of alarms that SEMI E5 names, by their number (ALCD, bits 1 to 7). */
export const ALARM_CATEGORIES = [
  'not used',
  'personal safety',
  'equipment safety',
  'parameter control warning',
  'parameter control error',
  'irrecoverable error',
  'equipment status warning',
  'attention flags',
  'data integrity',
] as const
