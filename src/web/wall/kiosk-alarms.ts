import type { Alarm } from '../../contract/topics/alarms.js'
import type { Live } from '../gateway/live.js'
import { namesOf } from '../parts/names-of.js'

/** Active alarms that are named at the bottom of a wall screen. */
export const NAMED_ALARMS = 4

export interface KioskAlarms {
  /** The newest active alarms. */
  readonly named: readonly Alarm[]
  /** Further active alarms. */
  readonly more: number
  /** Alarms that the page does not keep, none of them active. */
  readonly leftOut: number
  /** The names of equipment of which the gateway does not know all active alarms. */
  readonly incomplete: string
}

/** What the line of alarms says; undefined where there is nothing to say, and while nobody knows what holds now. */
export function kioskAlarms(live: Pick<Live, 'site' | 'isStale'>): KioskAlarms | undefined {
  if (live.isStale.value) return undefined
  const { list, leftOut, incomplete } = live.site.alarms.value
  const active = list.filter((alarm) => alarm.active)
  if (active.length === 0 && leftOut === 0 && incomplete.length === 0) return undefined
  const named = active.slice(0, NAMED_ALARMS)
  return {
    named,
    more: active.length - named.length,
    leftOut,
    incomplete: namesOf(incomplete, live),
  }
}
