import type { Alarm } from '../../contract/topics/alarms.js'
import { ALARM_CSV } from '../alarms/alarm-csv.js'
import { useSelection } from '../alarms/alarm-selection.js'
import { AlarmTable } from '../alarms/alarm-table.js'
import { useOpenAlarms } from '../alarms/listed-alarms.js'
import { useShelving } from '../alarms/shelving.js'
import type { Live } from '../gateway/live.js'
import { CsvButton } from '../parts/csv-button.js'
import { texts } from '../texts.js'

const words = texts.alarms
const ROWS = 50

/** The open alarms of one equipment. */
export function EquipmentAlarms({ live, id }: { readonly live: Live; readonly id: string }) {
  const { list, isKnown } = useOpenAlarms(live, id)
  const ofThis = list.filter(({ equipment_id }) => equipment_id === id)
  // What is active is seen without scrolling.
  const isUrgent = ({ active, shelved }: Alarm): boolean => active && !shelved
  const alarms = [...ofThis.filter(isUrgent), ...ofThis.filter((one) => !isUrgent(one))]
  const selection = useSelection(live, alarms)
  const { shelving, shelvingProblem, shelfDialog } = useShelving(live)
  const { open, chosen } = selection
  const offered = chosen.length > 0 ? chosen : open
  return (
    <section class="panel" aria-labelledby="alarms-heading">
      <div class="panel-head">
        <h2 id="alarms-heading">{words.list}</h2>
        <span role="status">{selection.result || words.count(alarms.length, open.length)}</span>
        <CsvButton name="alarms" rows={alarms} columns={ALARM_CSV} />
        {selection.select && open.length > 0 && (
          <button type="button" class="primary" onClick={() => selection.acknowledge(offered)}>
            {words.acknowledgeThese(offered.length)}
          </button>
        )}
      </div>
      {alarms.length === 0 ? (
        <p class="muted">{isKnown ? words.none : texts.loading}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it as well
        <section class="bounded" aria-label={words.ofThis} tabIndex={0}>
          <AlarmTable
            today={live.calls.date()}
            alarms={alarms.slice(0, ROWS)}
            {...selection}
            shelving={shelving}
          />
        </section>
      )}
      {alarms.length > ROWS && <a href="/alarms">{words.andMore(alarms.length - ROWS)}</a>}
      {shelvingProblem !== '' && (
        <p class="problem" role="alert">
          {shelvingProblem}
        </p>
      )}
      {selection.dialog}
      {shelfDialog}
    </section>
  )
}
