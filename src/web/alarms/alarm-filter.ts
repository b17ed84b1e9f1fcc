import type { Selector } from '../../contract/selector.js'
import { matchesSelector } from '../../contract/selector.js'
import type { Alarm } from '../../contract/topics/alarms.js'
import type { Site } from '../gateway/site.js'

export const SHOWN_ALARMS = ['open', 'unacknowledged', 'active'] as const
export type ShownAlarms = (typeof SHOWN_ALARMS)[number]

/** The open alarms that a search and the filters of the page leave: those that are active first, then the newest. */
export function filteredAlarms(
  alarms: readonly Alarm[],
  show: ShownAlarms,
  search: string,
  selector: Selector | undefined,
  site: Pick<Site, 'get'>,
): readonly Alarm[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = alarms.filter((alarm) => {
    if (show === 'unacknowledged' && alarm.acknowledged) return false
    if (show === 'active' && !alarm.active) return false
    const tool = site.get(alarm.equipment_id)
    if (selector && !(tool && matchesSelector(selector, tool.record.labels))) return false
    if (words.length === 0) return true
    const { equipment_name, text, alid, category_text } = alarm
    const all = [equipment_name, text, alid, category_text].join('\n').toLowerCase()
    return words.every((word) => all.includes(word))
  })
  return [...found.filter(({ active }) => active), ...found.filter(({ active }) => !active)]
}
