import { Type } from 'typebox'
import type { ConstantUse, VariableSource } from '../../gem/equipment/model/equipment-model.js'
import { Amount, Count, closed, Id, oneOf, Typed, WireText } from './parts.js'
import { WaveformEntry } from './waveform.js'

const SOURCES = [
  'clock',
  'control_state',
  'previous_control_state',
  'alarms_set',
  'alarms_enabled',
  'events_enabled',
  'alarm_id',
  'alarm_code',
  'alarm_text',
  'spool_state',
  'spool_load_state',
  'spool_unload_state',
  'spool_count_actual',
  'spool_count_total',
  'spool_start_time',
  'spool_full_time',
  'limit_variable',
  'limit_id',
  'transition_type',
  'program_id',
  'program_change',
  'programs_stored',
  'constant_id',
  'constant_value',
  'operator_command',
] as const satisfies readonly VariableSource[]

const USES = [
  'establish_timeout',
  'time_format',
  'spooling_enabled',
  'spool_overwrite',
  'max_spool_transmit',
  'limits_period',
] as const satisfies readonly ConstantUse[]

const LimitEntry = closed(
  {
    id: Count('LIMITID.', 1, 7),
    upper: Amount('From here on the variable is above the limit.'),
    lower: Amount('From here down it is below; not more than `upper`.'),
  },
  'A limit and its dead band.',
)

const LimitsEntry = closed(
  {
    minimum: Amount('LIMITMIN: the least that a limit may be.'),
    maximum: Amount('LIMITMAX: the most that a limit may be.'),
    event: Type.Optional(Id('The event of a crossing, by id or name; none when left out.')),
    defined: Type.Optional(
      Type.Array(LimitEntry, {
        maxItems: 7,
        description: 'Limits that are there from the beginning, up to 7.',
      }),
    ),
  },
  'What a host may have watched of the variable (S2F45).',
)

export const VariableEntry = closed(
  {
    id: Id('SVID or DVID.'),
    name: WireText('SVNAME.', 80, 1),
    unit: Type.Optional(WireText('Its unit as E5 writes it.', 80)),
    kind: Type.Optional(
      oneOf(['status', 'data'], 'Status variables always mean something, data variables in reports alone.'),
    ),
    value: Typed('The value it has to begin with. It keeps the format.'),
    source: Type.Optional(oneOf(SOURCES, 'What of itself the equipment shows here.')),
    follows: Type.Optional(
      Type.Array(WaveformEntry, {
        minItems: 1,
        maxItems: 100,
        description:
          'What its value is over time. The first that fits the processing state; `value` when none does.',
      }),
    ),
    limits: Type.Optional(LimitsEntry),
  },
  'A status or data variable.',
)

export const ConstantEntry = closed(
  {
    id: Id('ECID.'),
    name: WireText('ECNAME.', 80, 1),
    unit: Type.Optional(WireText('Its unit as E5 writes it.', 80)),
    value: Typed('The value it has to begin with. It keeps the format.'),
    minimum: Type.Optional(Amount('The least that a host may set.')),
    maximum: Type.Optional(Amount('The most that a host may set.')),
    use: Type.Optional(oneOf(USES, 'What of the equipment follows it.')),
  },
  'An equipment constant.',
)
