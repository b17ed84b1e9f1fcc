import type { Alarm } from '../../contract/topics/alarms.js'
import type { CsvColumn } from '../parts/csv.js'

/** An alarm as a row of a file. */
export const ALARM_CSV: readonly CsvColumn<Alarm>[] = [
  ['id', ({ id }) => id],
  ['equipment', ({ equipment_name, equipment_id }) => equipment_name ?? equipment_id],
  ['alid', ({ alid }) => alid],
  ['text', ({ text }) => text],
  ['severity', ({ severity }) => severity],
  ['category', ({ category_text }) => category_text],
  ['active', ({ active }) => active],
  ['set_at', ({ set_at }) => set_at],
  ['cleared_at', ({ cleared_at }) => cleared_at],
  ['count', ({ count }) => count],
  ['acknowledged_by', ({ acknowledged_by }) => acknowledged_by],
  ['comment', ({ comment }) => comment],
  ['shelved_until', ({ shelved }) => shelved?.until],
  ['shelved_by', ({ shelved }) => shelved?.by],
  ['shelved_reason', ({ shelved }) => shelved?.reason],
]
