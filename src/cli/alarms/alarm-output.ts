import { SEVERITIES, severityOf, severityWord } from '../../contract/alarm-severity.js'
import type { AlarmShelf, ShelvedAlarm } from '../../contract/topics/alarm-shelving.js'
import type { Alarm } from '../../contract/topics/alarms.js'
import { shownName } from '../equipment/shown-name.js'
import type { FormatTime } from '../output/local-time.js'
import type { Column } from '../output/output.js'

const shelfText = ({ until, by, reason }: AlarmShelf, formatTime: FormatTime): string =>
  `until ${formatTime(until)} by ${by}: ${reason}`

export const shelvedColumns = (
  nameOf: (id: string) => string,
  formatTime: FormatTime,
): readonly Column<ShelvedAlarm>[] => [
  { title: 'EQUIPMENT', text: (row) => shownName(nameOf, row) },
  { title: 'ALID', text: ({ alid }) => alid },
  { title: 'SEVERITY', text: ({ severity }) => (severity ? severityWord(severity) : '') },
  { title: 'TEXT', text: ({ text }) => text ?? '', wraps: true },
  { title: 'UNTIL', text: ({ until }) => formatTime(until), key: ({ until }) => until },
  { title: 'BY', text: ({ by }) => by },
  { title: 'REASON', text: ({ reason }) => reason, wraps: true },
  { title: 'SINCE', text: ({ since }) => formatTime(since), key: ({ since }) => since, spare: true },
]

export const alarmColumns = (
  nameOf: (id: string) => string,
  formatTime: FormatTime,
): readonly Column<Alarm>[] => [
  { title: 'ID', text: ({ id }) => id },
  { title: 'EQUIPMENT', text: (row) => shownName(nameOf, row) },
  { title: 'ALID', text: ({ alid }) => alid },
  {
    title: 'SEVERITY',
    text: ({ category }) => severityWord(severityOf(category)),
    key: ({ category }) => String(SEVERITIES.indexOf(severityOf(category))),
    spare: 'narrow',
  },
  { title: 'TEXT', text: ({ text }) => text },
  { title: 'CATEGORY', text: ({ category_text }) => category_text, spare: true },
  { title: 'STATE', text: ({ active }) => (active ? 'active' : 'cleared') },
  { title: 'SET', text: ({ set_at }) => formatTime(set_at), key: ({ set_at }) => set_at, spare: 'narrow' },
  { title: 'COUNT', text: ({ count }) => String(count), spare: true },
  { title: 'ACKNOWLEDGED', text: ({ acknowledged_by }) => acknowledged_by ?? '', spare: 'narrow' },
  {
    title: 'SHELVED',
    // An earlier gateway does not say it.
    text: ({ shelved }: Partial<Alarm>) => (shelved ? shelfText(shelved, formatTime) : ''),
    spare: 'narrow',
  },
]
