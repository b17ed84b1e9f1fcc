import { type Alarm, type AlarmAcknowledged, MAX_ACKNOWLEDGED } from '../../contract/topics/alarms.js'
import { namesOf } from '../equipment/unreached.js'

/** The alarms of each equipment, in groups as one call takes them: each entry in the audit then names one equipment. */
export function callsFor(alarms: readonly Alarm[]): readonly (readonly Alarm[])[] {
  const groups = new Map<string, Alarm[][]>()
  for (const alarm of alarms) {
    const ofOne = groups.get(alarm.equipment_id)
    const last = ofOne?.at(-1)
    if (!ofOne) groups.set(alarm.equipment_id, [[alarm]])
    else if (last && last.length < MAX_ACKNOWLEDGED) last.push(alarm)
    else ofOne.push([alarm])
  }
  return [...groups.values()].flat()
}

/** Such as `500 alarms of 2 equipment (etch-1, etch-2)`. */
export function alarmsText(alarms: readonly Alarm[]): string {
  const names = new Map(
    alarms.map(({ equipment_id, equipment_name }) => [equipment_id, equipment_name ?? equipment_id]),
  )
  const equipment = namesOf([...names.values()].sort().map((name) => ({ name })))
  return `${alarms.length} ${alarms.length === 1 ? 'alarm' : 'alarms'} of ${names.size} equipment (${equipment})`
}

/** Such as `498 acknowledged, 2 of them cleared meanwhile, 1 already acknowledged`. */
export function summaryOf(alarms: readonly Alarm[], results: readonly AlarmAcknowledged[]): string {
  const active = new Set(alarms.filter((alarm) => alarm.active).map(({ id }) => id))
  const own = results.filter(({ result }) => result === 'acknowledged')
  const cleared = own.filter(({ id, alarm }) => alarm?.active === false && active.has(id))
  const count = (wanted: string): number => results.filter(({ result }) => result === wanted).length
  const parts: readonly (readonly [number, string])[] = [
    [cleared.length, 'of them cleared meanwhile'],
    [count('already_acknowledged'), 'already acknowledged meanwhile'],
    [count('not_found'), 'not found any more'],
    [alarms.length - results.length, 'not acknowledged'],
  ]
  const others = parts.filter(([number]) => number > 0).map(([number, text]) => `${number} ${text}`)
  return [`${own.length} acknowledged`, ...others].join(', ')
}
