/**
 * How urgent an alarm is, the most urgent first. `other`: its category (ALCD, bits 1 to 7) is none that SEMI E5 defines,
 * and says nothing; so it comes before what is known to be a warning.
 */
export const SEVERITIES = [
  'personal_safety',
  'equipment_safety',
  'error',
  'other',
  'warning',
  'notice',
] as const
export type Severity = (typeof SEVERITIES)[number]

/** By category, from 0 on. */
const OF_CATEGORY: readonly Severity[] = [
  ...(['other', 'personal_safety', 'equipment_safety', 'warning'] as const),
  ...(['error', 'error', 'warning', 'notice', 'error'] as const),
]

export const severityOf = (category: number): Severity => OF_CATEGORY[category] ?? 'other'

interface Ranked {
  readonly id: string | number
  readonly category: number
}

/** Below 0 where `a` is more urgent than `b`; of equally urgent alarms the newer is. */
export const bySeverity = (a: Ranked, b: Ranked): number =>
  SEVERITIES.indexOf(severityOf(a.category)) - SEVERITIES.indexOf(severityOf(b.category)) ||
  Number(b.id) - Number(a.id)

/** The word for a person, such as `personal safety`. */
export const severityWord = (severity: Severity): string => severity.replace('_', ' ')
