import type { Occurrence } from '../alarms/alarms-since.js'
import type { CsvColumn } from '../parts/csv.js'
import { CsvButton } from '../parts/csv-button.js'
import { EquipmentLink } from '../parts/equipment-link.js'
import { Time } from '../parts/time.js'
import { place, setQuery } from '../shell/router.js'
import { texts } from '../texts.js'
import { HOUR_MS } from './rates.js'

const words = texts.alarmRates
/** Alarms that are listed; there may be thousands in an hour of a storm. */
const SHOWN = 100
const clockTime = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const dayTime = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

const CSV: readonly CsvColumn<Occurrence>[] = [
  ['set_at', ({ set_at }) => set_at],
  ['equipment', ({ equipment_name, equipment_id }) => equipment_name ?? equipment_id],
  ['alid', ({ alid }) => alid],
  ['text', ({ text }) => text],
]

interface Props {
  readonly alarms: Iterable<Occurrence>
  readonly isShown: (equipmentId: string) => boolean
}

/** The alarms of the hour that the address has (`hour`, and `equipment` for one), the newest first. */
export function HourAlarms({ alarms, isShown }: Props) {
  const { query } = place.value
  const hour = query.get('hour') ?? ''
  const from = /^\d{4}-\d\d-\d\dT\d\d$/.test(hour) ? Date.parse(`${hour}:00Z`) : Number.NaN
  const equipment = query.get('equipment') ?? ''
  if (Number.isNaN(from)) return <p class="panel muted heat-hint">{words.noHour}</p>
  const found = [...alarms]
    .filter(
      ({ set_at, equipment_id }) =>
        Date.parse(set_at) >= from &&
        Date.parse(set_at) < from + HOUR_MS &&
        (equipment === '' ? isShown(equipment_id) : equipment_id === equipment),
    )
    .sort((one, other) => (one.set_at < other.set_at ? 1 : -1))
  return (
    <section class="panel heat-alarms" aria-labelledby="hour-heading">
      <div class="panel-head">
        <h2 id="hour-heading">{words.hour(dayTime.format(from), clockTime.format(from + HOUR_MS))}</h2>
        <CsvButton name="alarms-of-hour" rows={found} columns={CSV} />
        <button type="button" onClick={() => setQuery({ hour: '', equipment: '' })}>
          {words.close}
        </button>
      </div>
      {found.length === 0 && <p class="muted">{words.noAlarm}</p>}
      <ol>
        {found.slice(0, SHOWN).map((alarm) => (
          <li key={alarm.id}>
            <Time at={alarm.set_at} /> <EquipmentLink id={alarm.equipment_id} name={alarm.equipment_name} />
            <p>
              {alarm.text} <small>{texts.alarms.alid(alarm.alid)}</small>
            </p>
          </li>
        ))}
      </ol>
      {found.length > SHOWN && <p class="muted">{words.moreAlarms(found.length - SHOWN)}</p>}
      {equipment !== '' && (
        <a href={`/events?type=alarm&equipment=${encodeURIComponent(equipment)}`}>{words.events}</a>
      )}
    </section>
  )
}
