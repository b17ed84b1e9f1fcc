import { idList, textValue } from '../content.js'
import { CONTROL_STATE_CODES } from '../control-states.js'
import { NO_VALUE, type PlainValue, type TypedValue } from '../typed-value.js'
import type { EquipmentParts } from './equipment-parts.js'
import type { Spool } from './spool/spool.js'
import type { VariableSources } from './variables.js'

const SPOOL_CODES = { SPOOL_INACTIVE: 1, SPOOL_ACTIVE: 2 } as const
const LOAD_CODES = { SPOOL_NOT_FULL: 1, SPOOL_FULL: 2 } as const
const UNLOAD_CODES = { NO_SPOOL_OUTPUT: 1, PURGE_SPOOL: 2, TRANSMIT_SPOOL: 3 } as const
const UPWARDS = 0
const DOWNWARDS = 1

const orNoValue = (value: PlainValue | undefined): PlainValue | TypedValue => value ?? NO_VALUE

/** The values that an equipment keeps itself. They are computed when they are read. */
export function ownValues(
  equipment: EquipmentParts & { readonly spool: Spool | undefined },
): VariableSources {
  const { last } = equipment
  const spool = () => equipment.spool
  return {
    clock: () => equipment.time.text(),
    control_state: () => CONTROL_STATE_CODES[equipment.controlState],
    previous_control_state: () => CONTROL_STATE_CODES[last.control],
    alarms_set: () => idList(equipment.alarms.set()),
    alarms_enabled: () => idList(equipment.alarms.enabledIds()),
    events_enabled: () => idList(equipment.reports.enabledEvents()),
    alarm_id: () => orNoValue(last.alarm?.alarm.id),
    alarm_code: () => orNoValue(last.alarm?.alcd),
    alarm_text: () => orNoValue(last.alarm?.alarm.text),
    spool_state: () => SPOOL_CODES[spool()?.states.spool ?? 'SPOOL_INACTIVE'],
    spool_load_state: () => LOAD_CODES[spool()?.states.load ?? 'SPOOL_NOT_FULL'],
    spool_unload_state: () => UNLOAD_CODES[spool()?.states.unload ?? 'NO_SPOOL_OUTPUT'],
    spool_count_actual: () => spool()?.counts.actual ?? 0,
    spool_count_total: () => spool()?.counts.total ?? 0,
    spool_start_time: () => spool()?.times.started ?? '',
    spool_full_time: () => spool()?.times.filled ?? '',
    limit_variable: () => orNoValue(last.crossing?.variable.id),
    limit_id: () => orNoValue(last.crossing?.limit),
    transition_type: () => orNoValue(last.crossing && (last.crossing.upwards ? UPWARDS : DOWNWARDS)),
    program_id: () => orNoValue(last.program?.id),
    program_change: () => orNoValue(last.program?.change),
    programs_stored: () => ({ L: (equipment.programs?.ids() ?? []).map(textValue) as TypedValue[] }),
    constant_id: () => orNoValue(last.constant?.id),
    constant_value: () => last.constant?.value ?? NO_VALUE,
    operator_command: () => orNoValue(last.command),
  }
}
