import { CONSTANT_USES, VARIABLE_SOURCES } from '../../gem/equipment/equipment-model.js'
import { Amount, Count, closed, Id, list, oneOf, Typed, WireText } from './parts.js'
import { WaveformEntry } from './waveform.js'

const LimitEntry = closed('A limit and its dead band.', ['id', 'upper', 'lower'], {
  id: Count('LIMITID.', 1, 7),
  upper: Amount('From this value up the variable is above the limit.'),
  lower: Amount('From this value down it is below the limit; not more than `upper`.'),
})

const LimitsEntry = closed(
  'The limits that a host may set for the variable (S2F45).',
  ['minimum', 'maximum'],
  {
    minimum: Amount('LIMITMIN: the lowest limit.'),
    maximum: Amount('LIMITMAX: the highest limit.'),
    event: Id('The event of a crossing, by id or name; none when left out.'),
    defined: list(LimitEntry, 'Limits that are defined from the beginning.', 7),
  },
)

export const VariableEntry = closed('A status or data variable.', ['id', 'name', 'value'], {
  id: Id('SVID or DVID.'),
  name: WireText('SVNAME.', 80, 1),
  unit: WireText('Its unit as E5 writes it.', 80),
  kind: oneOf(['status', 'data'], 'Status variables always have a meaning, data variables only in reports.'),
  value: Typed('Its first value. The format never changes.'),
  source: oneOf(VARIABLE_SOURCES, 'A value that the equipment itself keeps here.'),
  follows: list(
    WaveformEntry,
    'Waveforms of its value over time. The first that fits the processing state applies; `value` when none does.',
    100,
    1,
  ),
  limits: LimitsEntry,
})

export const ConstantEntry = closed('An equipment constant.', ['id', 'name', 'value'], {
  id: Id('ECID.'),
  name: WireText('ECNAME.', 80, 1),
  unit: WireText('Its unit as E5 writes it.', 80),
  value: Typed('Its first value. The format never changes.'),
  minimum: Amount('The lowest value that a host may set.'),
  maximum: Amount('The highest value that a host may set.'),
  use: oneOf(CONSTANT_USES, 'The setting of the equipment that this constant is.'),
})
