import { bySeverity, type Severity } from '../../contract/alarm-severity.js'
import type { Selector } from '../../contract/selector.js'
import { matchesSelector } from '../../contract/selector.js'
import type { Alarm } from '../../contract/topics/alarms.js'
import type { Site } from '../gateway/site.js'

export const SHOWN_ALARMS = ['open', 'unacknowledged', 'active', 'shelved'] as const
export type ShownAlarms = (typeof SHOWN_ALARMS)[number]

export const ALARM_SORTS = ['time', 'severity'] as const

export interface AlarmFilter {
  readonly show: ShownAlarms
  readonly search: string
  readonly selector?: Selector | undefined
  readonly severity?: Severity | undefined
  readonly sort?: (typeof ALARM_SORTS)[number]
}

/** The open alarms that a search and the filters of the page leave: those that are active first, then the newest or the most urgent. */
export function filteredAlarms(
  alarms: readonly Alarm[],
  { show, search, selector, severity, sort }: AlarmFilter,
  site: Pick<Site, 'get'>,
): readonly Alarm[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = alarms.filter((alarm) => {
    if ((show === 'shelved') !== (alarm.shelved !== null)) return false
    if (show === 'unacknowledged' && alarm.acknowledged) return false
    if (show === 'active' && !alarm.active) return false
    if (severity !== undefined && alarm.severity !== severity) return false
    const tool = site.get(alarm.equipment_id)
    if (selector && !(tool && matchesSelector(selector, tool.record.labels))) return false
    if (words.length === 0) return true
    const { equipment_name, text, alid, category_text } = alarm
    const all = [equipment_name, text, alid, category_text, alarm.severity].join('\n').toLowerCase()
    return words.every((word) => all.includes(word))
  })
  if (sort === 'severity') found.sort(bySeverity)
  return [...found.filter(({ active }) => active), ...found.filter(({ active }) => !active)]
}
