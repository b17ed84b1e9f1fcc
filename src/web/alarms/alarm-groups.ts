import type { Alarm } from '../../contract/topics/alarms.js'

/** Occurrences of the same alarm of the same equipment: one row of the list. */
export interface AlarmGroup {
  /** The first of them in the list. */
  readonly alarm: Alarm
  readonly all: readonly Alarm[]
  /** How often the equipment reported it. */
  readonly times: number
}

/** The groups in the order of their first alarms. */
export function groupedAlarms(alarms: readonly Alarm[]): readonly AlarmGroup[] {
  const groups = new Map<string, Alarm[]>()
  for (const alarm of alarms) {
    const key = `${alarm.equipment_id}\n${alarm.alid}`
    const group = groups.get(key)
    if (group) group.push(alarm)
    else groups.set(key, [alarm])
  }
  return [...groups.values()].map((all) => ({
    alarm: all[0] as Alarm,
    all,
    times: all.reduce((sum, { count }) => sum + count, 0),
  }))
}
