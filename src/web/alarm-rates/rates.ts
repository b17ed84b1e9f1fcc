import type { Occurrence } from '../alarms/alarms-since.js'

export const HOUR_MS = 3_600_000
/** Shades of cells with alarms. */
export const SHADES = 5

/** The alarms of one equipment by hour. */
export interface RateRow {
  readonly id: string
  readonly name: string
  readonly total: number
  /** One count for each hour, the oldest first. */
  readonly counts: readonly number[]
}

/** The beginnings of the last so many hours until `now`, in milliseconds; the present hour is the last. */
export function hoursUntil(now: number, count: number): readonly number[] {
  const last = new Date(now)
  last.setMinutes(0, 0, 0)
  return Array.from({ length: count }, (_, at) => last.getTime() - (count - 1 - at) * HOUR_MS)
}

/** Counts by equipment and hour, those with most alarms first. Equipment without an alarm has no row. */
export function ratesOf(
  alarms: Iterable<Occurrence>,
  hours: readonly number[],
  isShown: (equipmentId: string) => boolean,
): readonly RateRow[] {
  const [first = 0] = hours
  const rows = new Map<string, { name: string; total: number; counts: number[] }>()
  for (const { equipment_id, equipment_name, set_at } of alarms) {
    const at = Math.floor((Date.parse(set_at) - first) / HOUR_MS)
    if (at < 0 || at >= hours.length || !isShown(equipment_id)) continue
    let row = rows.get(equipment_id)
    if (!row) {
      row = { name: equipment_name ?? equipment_id, total: 0, counts: hours.map(() => 0) }
      rows.set(equipment_id, row)
    }
    row.total++
    row.counts[at] = (row.counts[at] ?? 0) + 1
  }
  return [...rows]
    .map(([id, row]) => ({ id, ...row }))
    .sort((one, other) => other.total - one.total || one.name.localeCompare(other.name))
}

/** The sum of all rows for each hour. */
export const sumOf = (rows: readonly RateRow[], hours: readonly number[]): readonly number[] =>
  hours.map((_, at) => rows.reduce((sum, { counts }) => sum + (counts[at] ?? 0), 0))

/** The shade of a count, 1 to `SHADES`: by the logarithm, since one equipment in a storm has a hundred times more. */
export const shadeOf = (count: number, most: number): number =>
  most <= 1 ? 1 : 1 + Math.round(((SHADES - 1) * Math.log(count)) / Math.log(most))
