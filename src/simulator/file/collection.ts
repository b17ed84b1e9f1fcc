import { Type } from 'typebox'
import { Count, closed, Id, Truth, WireText } from './parts.js'

/** How many entries of one kind a model has at most. */
export const MAX_ENTRIES = 10_000

export const ReportEntry = closed(
  {
    id: Id('RPTID.'),
    variables: Type.Array(Id('A variable or constant, by id or name.'), {
      minItems: 1,
      maxItems: MAX_ENTRIES,
      description: 'What is in it, in this order: variables and constants by id or name.',
    }),
  },
  'A report that is defined from the beginning.',
)

export const EventEntry = closed(
  {
    id: Id('CEID.'),
    name: WireText('CENAME.', 80, 1),
    enabled: Type.Optional(Truth('Whether it is sent before a host asked; true when left out.')),
    reports: Type.Optional(
      Type.Array(Id('A report by id.'), {
        maxItems: MAX_ENTRIES,
        description: 'The reports that are linked to it from the beginning, by id, in this order.',
      }),
    ),
  },
  'A collection event.',
)

export const AlarmEntry = closed(
  {
    id: Id('ALID.'),
    text: WireText('ALTX.', 120),
    category: Count('The low seven bits of ALCD.', 0, 127),
    enabled: Type.Optional(Truth('Whether it is sent before a host asked; true when left out.')),
    set_event: Type.Optional(Id('The event of its being set, by id or name.')),
    cleared_event: Type.Optional(Id('The event of its being cleared, by id or name.')),
  },
  'An alarm.',
)

const OCCASIONS = {
  spooling_activated: Type.Optional(Id('Spooling begins: the event, by id or name.')),
  spooling_deactivated: Type.Optional(Id('Spooling is over: the event, by id or name.')),
  spool_transmit_failure: Type.Optional(
    Id('The link broke while the spool was sent: the event, by id or name.'),
  ),
  program_changed: Type.Optional(Id('The operator changed a process program: the event, by id or name.')),
  constant_changed: Type.Optional(Id('The operator changed a constant: the event, by id or name.')),
  operator_command: Type.Optional(Id('The operator gave a command: the event, by id or name.')),
  message_recognized: Type.Optional(
    Id('The operator has read what a host sent to the terminal: the event, by id or name.'),
  ),
}

export const OccasionsEntry = closed(OCCASIONS, 'Events for what else the equipment does by itself.')

export const ControlEventsEntry = closed(
  {
    offline: Type.Optional(Id('Going offline: the event, by id or name.')),
    local: Type.Optional(Id('Entering ONLINE_LOCAL: the event, by id or name.')),
    remote: Type.Optional(Id('Entering ONLINE_REMOTE: the event, by id or name.')),
  },
  'The events of changes of the control state.',
)
