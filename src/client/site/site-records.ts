import type { Equipment } from '../../contract/equipment.js'
import type { Alarm, AlarmSummary } from '../../contract/topics/alarms.js'
import type { Event } from '../../contract/topics/events.js'
import { AlarmCounts } from './alarm-counts.js'
import { OpenAlarms } from './open-alarms.js'

/** The records of all equipment of a site, how many alarms are open, and a list of them where one is wanted: as they were read and as events have changed them since. */
export class SiteRecords {
  readonly equipment = new Map<string, Equipment>()
  readonly counts = new AlarmCounts()
  readonly alarms = new OpenAlarms()

  /** `changed` is called with the id of equipment whose record or alarms have changed, or which is gone. */
  constructor(readonly changed: (equipmentId: string) => void) {}

  /** Takes all equipment as it was read; equipment that is not in the list is gone. */
  set(records: readonly Equipment[]): void {
    const ids = new Set(records.map(({ id }) => id))
    for (const id of this.equipment.keys()) if (!ids.has(id)) this.remove(id)
    for (const record of records) this.put(record)
  }

  /** Takes one equipment as it was read. */
  put(record: Equipment): void {
    this.equipment.set(record.id, record)
    this.changed(record.id)
  }

  remove(id: string): void {
    if (this.equipment.delete(id)) this.changed(id)
  }

  /** Takes a summary of all equipment, or of these. */
  setCounts(summary: AlarmSummary, ids?: readonly string[]): void {
    this.counts.take(summary, ids)
    for (const id of ids ?? this.equipment.keys()) this.changed(id)
  }

  setAlarms(alarms: readonly Alarm[]): void {
    this.alarms.set(alarms)
    for (const id of this.equipment.keys()) this.changed(id)
  }

  putAlarm(alarm: Alarm): void {
    this.alarms.put(alarm)
    this.changed(alarm.equipment_id)
  }

  apply(event: Event): void {
    const { type, name, equipment_id } = event
    if (type === 'alarm') {
      this.counts.apply(event)
      this.alarms.apply(event)
      this.changed(equipment_id)
      return
    }
    const record = this.equipment.get(equipment_id)
    const { to } = event.data as { readonly to?: string }
    const member = type === 'connection' ? 'connection_state' : name
    if (record && to !== undefined && member in record) this.put({ ...record, [member]: to })
  }
}
