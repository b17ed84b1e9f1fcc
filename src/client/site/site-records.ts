import type { Equipment } from '../../contract/equipment.js'
import type { Alarm } from '../../contract/topics/alarms.js'
import type { Event } from '../../contract/topics/events.js'
import { OpenAlarms } from './open-alarms.js'

/** The records of all equipment of a site and its open alarms, as they were read and as events have changed them since. */
export class SiteRecords {
  readonly equipment = new Map<string, Equipment>()
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

  setAlarms(alarms: readonly Alarm[], incomplete: readonly string[] = []): void {
    this.alarms.set(alarms, incomplete)
    for (const id of this.equipment.keys()) this.changed(id)
  }

  putAlarm(alarm: Alarm): void {
    this.alarms.put(alarm)
    this.changed(alarm.equipment_id)
  }

  apply(event: Event): void {
    const { type, name, equipment_id } = event
    if (type === 'alarm') {
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
