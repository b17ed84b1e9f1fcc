import type { Alarm } from '../../contract/topics/alarms.js'
import { EquipmentLink } from '../parts/equipment-link.js'
import { isMinor, SeverityWord } from '../parts/severity.js'
import { StateMark } from '../parts/state-mark.js'
import { Time } from '../parts/time.js'
import { texts } from '../texts.js'
import type { AlarmGroup } from './alarm-groups.js'
import type { Select } from './alarm-selection.js'
import type { Shelving } from './shelving.js'

const words = texts.alarms

interface Props {
  readonly group: AlarmGroup
  readonly today: Date
  readonly isSelected: boolean
  readonly select: Select
  readonly acknowledge: () => void
  readonly shelving: Shelving | undefined
}

export function AlarmRow({
  group: { alarm, all, times },
  today,
  isSelected,
  select,
  acknowledge,
  shelving,
}: Props) {
  const { equipment_id, equipment_name, text, alid, category_text, severity, active } = alarm
  const { set_at, cleared_at, acknowledged_at, acknowledged_by, comment } = alarm
  const acknowledged = all.every((one) => one.acknowledged)
  const open = all.filter((one) => !one.acknowledged).map(({ id }) => id)
  return (
    <tr class={`${active ? 'is-active' : 'is-cleared'} ${acknowledged ? 'is-acknowledged' : ''}`}>
      {select && (
        <td class="alarm-select">
          {!acknowledged && (
            <input
              type="checkbox"
              aria-label={words.selectOne(equipment_name ?? equipment_id, text)}
              checked={isSelected}
              onChange={({ currentTarget }) => select(open, currentTarget.checked)}
            />
          )}
        </td>
      )}
      <td class="alarm-state">
        <span
          class={
            active && alarm.shelved === null
              ? `alarm-word state-alarm ${isMinor(severity) ? 'is-minor' : ''}`
              : 'alarm-word'
          }
        >
          <StateMark state={active ? 'alarm' : 'remote'} />
          {active ? words.active : words.cleared}
        </span>
        <SeverityWord severity={severity} />
      </td>
      <td class="alarm-tool">
        <EquipmentLink id={equipment_id} name={equipment_name} />
      </td>
      <td class="alarm-text">
        <b>{text || alid}</b>{' '}
        {times > 1 && (
          <b class="times" title={words.reported(times, texts.utc(all.at(-1)?.set_at ?? set_at))}>
            {words.times(times)}
          </b>
        )}{' '}
        <small>
          {words.alid(alid)} · {category_text}
        </small>
        {alarm.shelved && (
          <small class="shelf">
            {texts.shelving.until} <Time at={alarm.shelved.until} today={today} />{' '}
            {texts.shelving.by(alarm.shelved.by, alarm.shelved.reason)}
          </small>
        )}
      </td>
      <td class="alarm-set">
        <Time at={set_at} today={today} />
        {cleared_at !== null && (
          <small>
            {words.clearedAt} <Time at={cleared_at} today={today} />
          </small>
        )}
      </td>
      <td class="alarm-done">
        {acknowledged ? (
          <>
            {acknowledged_by}{' '}
            <small>
              {acknowledged_at !== null && <Time at={acknowledged_at} today={today} />}
              {comment !== null && ` · ${comment}`}
            </small>
          </>
        ) : select ? (
          <button
            type="button"
            aria-label={words.acknowledgeOne(equipment_name ?? equipment_id, text)}
            onClick={acknowledge}
          >
            {words.acknowledge}
          </button>
        ) : (
          <span class="muted">{words.notYet}</span>
        )}
        {shelving && <ShelfButton alarm={alarm} shelving={shelving} />}
      </td>
    </tr>
  )
}

function ShelfButton({ alarm, shelving }: { readonly alarm: Alarm; readonly shelving: Shelving }) {
  const { equipment_name, equipment_id, text, alid, shelved } = alarm
  const { unshelveOne, shelveOne, unshelve, shelve } = texts.shelving
  const name = equipment_name ?? equipment_id
  return (
    <button
      type="button"
      class="shelf-button"
      aria-label={(shelved ? unshelveOne : shelveOne)(name, text || alid)}
      onClick={() => (shelved ? shelving.unshelve : shelving.shelve)(alarm)}
    >
      {shelved ? unshelve : shelve}
    </button>
  )
}
