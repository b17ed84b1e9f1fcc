import { bySeverity } from '../../contract/alarm-severity.js'
import type { WorstAlarm } from '../../contract/topics/alarms.js'
import type { Live } from '../gateway/live.js'
import { namesOf } from '../parts/names-of.js'

/** Room that the name of an equipment needs beside the text and the duration of its alarm, in rem. */
const ROOM = 34

interface NamedAlarm extends WorstAlarm {
  /** Of the equipment. */
  readonly name: string
}

export interface KioskAlarms {
  /** Of each equipment the most urgent one, the most urgent of all first. */
  readonly named: readonly NamedAlarm[]
  /** Further active alarms. */
  readonly more: number
  /** The names of equipment of which the gateway does not know all active alarms. */
  readonly incomplete: string
}

/**
 * What the line of alarms says that is `width` rem wide; undefined where there is nothing to say, and while nobody knows
 * what holds now.
 */
export function kioskAlarms(live: Pick<Live, 'site' | 'isStale'>, width: number): KioskAlarms | undefined {
  const { site, isStale } = live
  site.version.value
  const incomplete = site.incomplete.value
  if (isStale.value) return undefined
  let active = 0
  const worst: NamedAlarm[] = []
  for (const { id, record } of site.tools.value) {
    const of = site.records.counts.of(id)
    active += of.active
    if (of.worst) worst.push({ ...of.worst, name: record.name })
  }
  if (active === 0 && incomplete.length === 0) return undefined
  const named = worst.sort(bySeverity).slice(0, Math.max(1, Math.floor(width / ROOM)))
  return { named, more: active - named.length, incomplete: namesOf(incomplete, live) }
}
