import { useSignal } from '@preact/signals'
import type { Alarm } from '../../contract/topics/alarms.js'
import { systemClock } from '../../kit/clock.js'
import { AcknowledgeDialog } from '../alarms/acknowledge-dialog.js'
import { AlarmRow } from '../alarms/alarm-row.js'
import type { Live } from '../gateway/live.js'
import { may } from '../shell/session.js'
import { texts } from '../texts.js'

const words = texts.alarms
const ROWS = 50

/** The open alarms of one equipment. */
export function EquipmentAlarms({ live, id }: { readonly live: Live; readonly id: string }) {
  const selected = useSignal<ReadonlySet<string>>(new Set())
  const asked = useSignal<readonly Alarm[]>([])
  const result = useSignal('')
  const alarms = live.site.alarms.list.value.filter(({ equipment_id }) => equipment_id === id)
  const mayAcknowledge = may('operator')
  const open = alarms.filter(({ acknowledged }) => !acknowledged)
  const chosen = open.filter((alarm) => selected.value.has(alarm.id))
  const today = systemClock.date()
  const select = (ids: readonly string[], isOn: boolean): void => {
    const next = new Set(chosen.map((alarm) => alarm.id))
    for (const one of ids) {
      if (isOn) next.add(one)
      else next.delete(one)
    }
    selected.value = next
  }
  return (
    <section class="panel" aria-labelledby="alarms-heading">
      <div class="panel-head">
        <h2 id="alarms-heading">{words.list}</h2>
        <span role="status">{result.value || words.count(alarms.length, open.length)}</span>
        {mayAcknowledge && open.length > 0 && (
          <button
            type="button"
            class="primary"
            onClick={() => {
              asked.value = chosen.length > 0 ? chosen : open
            }}
          >
            {words.acknowledgeThese(chosen.length > 0 ? chosen.length : open.length)}
          </button>
        )}
      </div>
      {alarms.length === 0 ? (
        <p class="muted">{words.none}</p>
      ) : (
        <div class="table-place">
          <table class="alarm-table">
            <thead>
              <tr>
                {mayAcknowledge && (
                  <th scope="col">
                    <span class="unseen">{words.select}</span>
                  </th>
                )}
                {words.columns.map((column) => (
                  <th scope="col" key={column}>
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {alarms.slice(0, ROWS).map((alarm) => (
                <AlarmRow
                  key={alarm.id}
                  alarm={alarm}
                  today={today}
                  isSelected={selected.value.has(alarm.id)}
                  select={mayAcknowledge ? select : undefined}
                  acknowledge={() => {
                    asked.value = [alarm]
                  }}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {alarms.length > ROWS && <a href="/alarms">{words.andMore(alarms.length - ROWS)}</a>}
      {asked.value.length > 0 && (
        <AcknowledgeDialog
          live={live}
          alarms={asked.value}
          close={(said) => {
            asked.value = []
            if (said === undefined) return
            selected.value = new Set()
            result.value = said
          }}
        />
      )}
    </section>
  )
}
