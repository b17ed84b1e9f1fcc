import type { Alarm } from '../../contract/topics/alarms.js'
import { texts } from '../texts.js'
import { groupedAlarms } from './alarm-groups.js'
import { AlarmRow } from './alarm-row.js'
import type { Select } from './alarm-selection.js'
import type { Shelving } from './shelving.js'

const words = texts.alarms

/** Of the columns, in their order. */
const CLASSES = ['alarm-state', 'alarm-tool', 'alarm-text', 'alarm-set', 'alarm-done'] as const

interface Props {
  /** By the clock of the gateway. */
  readonly today: Date
  readonly alarms: readonly Alarm[]
  readonly chosen: readonly Alarm[]
  readonly select: Select
  readonly acknowledge: (alarms: readonly Alarm[]) => void
  readonly shelving: Shelving | undefined
}

export function AlarmTable({ today, alarms, chosen, select, acknowledge, shelving }: Props) {
  const selected = new Set(chosen.map(({ id }) => id))
  return (
    <div class="table-place">
      <table class="alarm-table">
        <thead>
          <tr>
            {select && (
              <th scope="col" class="alarm-select">
                <span class="unseen">{words.select}</span>
              </th>
            )}
            {words.columns.map((column, at) => (
              <th scope="col" key={column} class={CLASSES[at]}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groupedAlarms(alarms).map((group) => (
            <AlarmRow
              key={`${group.alarm.equipment_id} ${group.alarm.alid}`}
              group={group}
              today={today}
              isSelected={group.all.some(({ id }) => selected.has(id))}
              select={select}
              shelving={shelving}
              acknowledge={() => acknowledge(group.all.filter(({ acknowledged }) => !acknowledged))}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}
