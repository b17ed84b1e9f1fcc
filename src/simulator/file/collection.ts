import { Count, closed, Id, list, MAX_ENTRIES, Truth, WireText } from './parts.js'

export const ReportEntry = closed('A report that is defined at the beginning.', ['id', 'variables'], {
  id: Id('RPTID.'),
  variables: list(
    Id('A variable or constant, by id or name.'),
    'Its variables and constants, in this order, by id or name.',
    MAX_ENTRIES,
    1,
  ),
})

export const EventEntry = closed('A collection event.', ['id', 'name'], {
  id: Id('CEID.'),
  name: WireText('CENAME.', 80, 1),
  enabled: Truth('Whether it is sent before a host enables it; true when left out.'),
  reports: list(
    Id('A report by id.'),
    'The reports that are linked to it from the beginning, by id, in this order.',
    MAX_ENTRIES,
  ),
})

export const AlarmEntry = closed('An alarm.', ['id', 'text', 'category'], {
  id: Id('ALID.'),
  text: WireText('ALTX.', 120),
  category: Count('The low seven bits of ALCD.', 0, 127),
  enabled: Truth('Whether it is sent before a host enables it; true when left out.'),
  set_event: Id('The event when it is set, by id or name.'),
  cleared_event: Id('The event when it is cleared, by id or name.'),
})

export const OccasionsEntry = closed('Events for what else the equipment does by itself.', [], {
  spooling_activated: Id('Spooling begins: the event, by id or name.'),
  spooling_deactivated: Id('Spooling is over: the event, by id or name.'),
  spool_transmit_failure: Id('The link was lost while the spool was sent: the event, by id or name.'),
  program_changed: Id('The operator changed a process program: the event, by id or name.'),
  constant_changed: Id('The operator changed a constant: the event, by id or name.'),
  operator_command: Id('The operator gave a command: the event, by id or name.'),
  message_recognized: Id('The operator has read what a host sent to the terminal: the event, by id or name.'),
})

export const ControlEventsEntry = closed('The events of changes of the control state.', [], {
  offline: Id('Going offline: the event, by id or name.'),
  local: Id('Entering ONLINE_LOCAL: the event, by id or name.'),
  remote: Id('Entering ONLINE_REMOTE: the event, by id or name.'),
})
