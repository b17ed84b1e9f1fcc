import { Type } from 'typebox'
import { Amount, Count, closed, Id, list, MAX_ENTRIES, Name, oneOf, Plain, Seconds, Truth } from './parts.js'

const MAX_STATES = 256

const ParameterEntry = closed('A parameter of a remote command.', ['name', 'format'], {
  name: Name('CPNAME.'),
  format: oneOf(
    ['A', 'BOOLEAN', 'I1', 'I2', 'I4', 'I8', 'U1', 'U2', 'U4', 'U8', 'F4', 'F8'],
    'The format that a value of the host has to fit.',
  ),
  required: Truth('Whether the command is refused without it; false when left out.'),
  values: list(
    Type.String({ description: 'A value as text.' }),
    'The only values that are taken, as texts; all when left out.',
    MAX_ENTRIES,
    1,
  ),
  values_from: oneOf(
    ['programs'],
    'Instead of `values`: `programs` for the PPIDs of the process programs that are stored then.',
  ),
  sets: Id('The variable that takes its value, by id or name.'),
})

const States = (description: string) =>
  list(Name('The name of a processing state.'), description, MAX_STATES, 1)

export const CommandEntry = closed('A remote command (S2F41).', ['name'], {
  name: Name('RCMD.'),
  parameters: list(ParameterEntry, 'Its parameters.', 1000),
  from: States('The processing states in which it is carried out; elsewhere HCACK is 2. All when left out.'),
  to: Name('The processing state that it leads to.'),
  event: Id('The event that follows its reply, by id or name.'),
})

const StateEntry = closed('A processing state.', ['name', 'code'], {
  name: Name('Its name in this file.'),
  code: Count("The process variable's value.", 0, 255),
  lasts: Seconds('How long until it ends by itself; goes together with `next`.'),
  next: Name('The state that then follows.'),
  event: Id('The event of its ending by itself, by id or name.'),
  counts: Id('A variable that goes up by one when it ends by itself, by id or name.'),
  holds: Name('The state whose remaining time is kept while this one lasts, as pausing does.'),
})

export const ProcessEntry = closed('The processing state machine.', ['variable', 'initial', 'states'], {
  variable: Id('The variable that shows the state, by id or name.'),
  initial: Name('The state that it begins in.'),
  states: list(StateEntry, 'The states.', MAX_STATES, 1),
})

const WhenEntry = closed('A condition: a variable and one of `above`, `below` and `equals`.', ['variable'], {
  variable: Id('The variable, by id or name; it is read twice a second.'),
  above: Amount('The condition holds above this.'),
  below: Amount('The condition holds below this.'),
  equals: Plain('The condition holds at this value.'),
  for: Seconds('How long it has to hold before the alarm follows; 0 when left out.'),
  hysteresis: Amount('How far the value has to come back before the condition ends; 0 when left out.', 0),
})

export const IncidentEntry = closed(
  'An alarm rule: an alarm that follows an event (`on`) or a condition (`when`).',
  ['alarm'],
  {
    on: Id('The event that the alarm follows, by id or name.'),
    when: WhenEntry,
    probability: Amount('The share of these events or conditions that set the alarm; 1 when left out.', 0, 1),
    after: Seconds('Time from the event or condition to the alarm; 0 when left out.'),
    alarm: Id('The alarm that is set, by id.'),
    clear_after: Seconds('Time from the alarm to its clearing.'),
    clear_on: Id('The event that clears it, by id or name.'),
    to: Name('The processing state that the alarm leads to.'),
    times: Count(
      'How often at most, while the simulator runs; without limit when left out.',
      1,
      4_294_967_295,
    ),
    sets: Type.Record(Type.String(), Plain('The value of the variable.'), {
      description: 'Values that variables have while the alarm is set, by id or name of the variable.',
    }),
  },
)
