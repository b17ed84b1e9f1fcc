import { Type } from 'typebox'
import { MAX_ENTRIES } from './collection.js'
import { Amount, Count, closed, Id, Name, oneOf, Plain, Seconds, Truth } from './parts.js'

const MAX_STATES = 256

const ParameterEntry = closed(
  {
    name: Name('CPNAME.'),
    format: oneOf(
      ['A', 'BOOLEAN', 'I1', 'I2', 'I4', 'I8', 'U1', 'U2', 'U4', 'U8', 'F4', 'F8'],
      'What a host sends has to read as a value of this format.',
    ),
    required: Type.Optional(Truth('Whether the command is refused without it; false when left out.')),
    values: Type.Optional(
      Type.Array(Type.String({ description: 'A value as text.' }), {
        minItems: 1,
        maxItems: MAX_ENTRIES,
        description: 'The only values that are taken, as texts; all when left out.',
      }),
    ),
    values_from: Type.Optional(
      oneOf(
        ['programs'],
        'In place of `values`: `programs` for the PPIDs of the process programs that are stored at the time.',
      ),
    ),
    sets: Type.Optional(Id('The variable that takes its value, by id or name.')),
  },
  'A parameter of a remote command.',
)

const States = (description: string) =>
  Type.Array(Name('The name of a processing state.'), { minItems: 1, maxItems: MAX_STATES, description })

export const CommandEntry = closed(
  {
    name: Name('RCMD.'),
    parameters: Type.Optional(
      Type.Array(ParameterEntry, { maxItems: 1000, description: 'Its parameters, up to 1000.' }),
    ),
    from: Type.Optional(
      States('The processing states in which it is carried out; elsewhere HCACK is 2. All when left out.'),
    ),
    to: Type.Optional(Name('The processing state that it leads to.')),
    event: Type.Optional(Id('The event that follows its answer, by id or name.')),
  },
  'A remote command (S2F41).',
)

const StateEntry = closed(
  {
    name: Name('What it is called in this file.'),
    code: Count("The process variable's value.", 0, 255),
    lasts: Type.Optional(Seconds('How long until it ends by itself; goes together with `next`.')),
    next: Type.Optional(Name('The state that then follows.')),
    event: Type.Optional(Id('The event of its ending by itself, by id or name.')),
    counts: Type.Optional(Id('A variable that goes up by one when it ends by itself, by id or name.')),
    holds: Type.Optional(
      Name('The state whose remaining time is kept while this one lasts, as pausing does.'),
    ),
  },
  'A processing state.',
)

export const ProcessEntry = closed(
  {
    variable: Id('The variable that shows the state, by id or name.'),
    initial: Name('The state that it begins in.'),
    states: Type.Array(StateEntry, {
      minItems: 1,
      maxItems: MAX_STATES,
      description: `The states, 1 to ${MAX_STATES}.`,
    }),
  },
  'The processing state machine.',
)

const WhenEntry = closed(
  {
    variable: Id('The variable that is looked at twice a second, by id or name.'),
    above: Type.Optional(Amount('The condition holds above this.')),
    below: Type.Optional(Amount('The condition holds below this.')),
    equals: Type.Optional(Plain('The condition holds at this value.')),
    for: Type.Optional(Seconds('How long it has to hold before anything comes of it; 0 when left out.')),
    hysteresis: Type.Optional(
      Type.Number({
        minimum: 0,
        description: 'How far the value has to come back before the condition is over. A number from 0 up.',
      }),
    ),
  },
  'A condition: a variable and one of `above`, `below` and `equals`.',
)

export const IncidentEntry = closed(
  {
    on: Type.Optional(Id('The event that brings it about, by id or name.')),
    when: Type.Optional(WhenEntry),
    probability: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'How often it comes of that, 0 to 1, by the seed; 1 when left out.',
      }),
    ),
    after: Type.Optional(Seconds('From there to the alarm; 0 when left out.')),
    alarm: Id('The alarm that is set, by id.'),
    clear_after: Type.Optional(Seconds('From the alarm to its clearing.')),
    clear_on: Type.Optional(Id('The event that clears it, by id or name.')),
    to: Type.Optional(Name('The processing state that the alarm leads to.')),
    times: Type.Optional(Count('How often at most; each time when left out.', 1, 4_294_967_295)),
    sets: Type.Optional(
      Type.Record(Type.String(), Plain('What the variable shows.'), {
        description: 'What variables show while the alarm is set, by id or name.',
      }),
    ),
  },
  'An alarm that comes of an event (`on`) or of a condition (`when`).',
)
