import { severityOf } from '../../contract/alarm-severity.js'
import type { AlarmShelf } from '../../contract/topics/alarm-shelving.js'
import type { Alarm } from '../../contract/topics/alarms.js'
import type { Entry } from '../../store/entry.js'
import { isActive, type Occurrence } from './alarm-occurrences.js'

/** The data of a journal entry for an alarm that was set or cleared. */
export interface AlarmData {
  readonly alid: string
  readonly text: string
  readonly category: number
  readonly category_text: string
}

/** An alarm as the API shows it: the entry that set it, with the times of its clear and acknowledgement. */
export function viewAlarm(
  occurrence: Occurrence,
  equipmentName: string | null,
  set: Entry,
  acknowledgement: Entry | undefined,
  shelved: AlarmShelf | undefined,
): Alarm {
  const { alid, text, category, category_text } = set.data as unknown as AlarmData
  const { id, equipmentId, setAt, clearedAt, count, acknowledged } = occurrence
  const said = acknowledgement?.data
  return {
    id: String(id),
    equipment_id: equipmentId,
    equipment_name: equipmentName,
    alid,
    text,
    category,
    category_text,
    severity: severityOf(category),
    active: isActive(occurrence),
    set_at: new Date(setAt).toISOString(),
    cleared_at: clearedAt === null ? null : new Date(clearedAt).toISOString(),
    count,
    acknowledged: acknowledged !== 0,
    acknowledged_by: said ? String(said['acknowledged_by']) : null,
    acknowledged_at: acknowledgement?.at ?? null,
    comment: typeof said?.['comment'] === 'string' ? said['comment'] : null,
    shelved: shelved ?? null,
  }
}
