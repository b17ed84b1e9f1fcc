import type { Alarm } from '../../contract/topics/alarms.js'
import { systemClock } from '../../kit/clock.js'
import { texts } from '../texts.js'
import { AlarmRow } from './alarm-row.js'
import type { Select } from './alarm-selection.js'

const words = texts.alarms

interface Props {
  readonly alarms: readonly Alarm[]
  readonly chosen: readonly Alarm[]
  readonly select: Select
  readonly acknowledge: (alarms: readonly Alarm[]) => void
}

export function AlarmTable({ alarms, chosen, select, acknowledge }: Props) {
  const today = systemClock.date()
  const selected = new Set(chosen.map(({ id }) => id))
  return (
    <div class="table-place">
      <table class="alarm-table">
        <thead>
          <tr>
            {select && (
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
          {alarms.map((alarm) => (
            <AlarmRow
              key={alarm.id}
              alarm={alarm}
              today={today}
              isSelected={selected.has(alarm.id)}
              select={select}
              acknowledge={() => acknowledge([alarm])}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}
