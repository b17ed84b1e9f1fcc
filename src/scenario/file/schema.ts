import { type Static, type TSchema, Type } from 'typebox'
import { loadMembers } from './load.js'
import { SimulatorChange } from './simulator-change.js'

/** A map with these members alone. Every description is also the end of an error message. */
const closed = <P extends Record<string, TSchema>>(description: string, properties: P) =>
  Type.Object(properties, { additionalProperties: false, description })
const optional = Type.Optional

/** Characters of a message that is sent. */
export const MAX_SML = 65_536

const Words = (description: string) => Type.String({ minLength: 1, maxLength: 4096, description })
const Duration = Words('A duration such as 500ms, 10s or 2m.')
const Names = Type.Record(Type.String(), Type.Unknown(), { description: 'Values by name.' })
const Pattern = Type.String({
  minLength: 1,
  maxLength: MAX_SML,
  description:
    'A message as SML, or a file with one, in which <*> is any item, <U4 *> any item of this format, and * at the end of a list the rest of it.',
})
const Capture = Type.Record(Type.String(), Words('The name of a value.'), {
  description: 'Names of new variables, each with the name of the value that it gets.',
})

/** What a value may be. A number and an integer may be the text of one. */
const VALUE_TYPES = ['number', 'integer', 'text', 'list'] as const
export type ValueType = (typeof VALUE_TYPES)[number]

/** What a value has to be. A value alone means `equals`, a list `one_of`. */
const MATCHERS = {
  equals: Type.Unknown({ description: 'The value.' }),
  not: Type.Unknown({ description: 'Any other value.' }),
  one_of: Type.Array(Type.Unknown(), { minItems: 1, description: 'A list of values.' }),
  min: Type.Number({ description: 'A number: the smallest one.' }),
  max: Type.Number({ description: 'A number: the largest one.' }),
  present: Type.Boolean({ description: 'true: there is a value; false: there is none.' }),
  contains: Words('A text that is part of the value, or a member of the list.'),
  like: Words('A text in which * stands for any characters.'),
  length: Type.Integer({ minimum: 0, description: 'The number of characters, or of members of the list.' }),
  type: Type.Union(
    VALUE_TYPES.map((type) => Type.Literal(type)),
    { description: `One of ${VALUE_TYPES.join(', ')}.` },
  ),
} as const
export type MatcherName = keyof typeof MATCHERS

export const MatcherSchema = closed(
  `A value, a list of possible values, or a map with ${Object.keys(MATCHERS).join(', ')}.`,
  Object.fromEntries(Object.entries(MATCHERS).map(([name, schema]) => [name, optional(schema)])),
)

const Matchers = Type.Record(Type.String(), Type.Unknown(), {
  description: `Values by name: a value, a list of possible values, or a map with ${Object.keys(MATCHERS).join(', ')}.`,
})

const Expectation = closed('What has to come: event, message, alarm, cleared or state, and within.', {
  event: optional(
    Type.Union([Words(''), Type.Integer()], { description: 'A collection event: CEID or name.' }),
  ),
  message: optional(Words('A message from the equipment, such as S6F11, or a stream, such as S6.')),
  alarm: optional(Type.Union([Words(''), Type.Integer()], { description: 'ALID of an alarm that is set.' })),
  cleared: optional(
    Type.Union([Words(''), Type.Integer()], { description: 'ALID of an alarm that is cleared.' }),
  ),
  state: optional(
    Words(
      'A state as in `equipment wait`, such as online-remote, no-alarm or health-ok, or one of the API, such as SELECTED or ONLINE_REMOTE.',
    ),
  ),
  within: optional(Duration),
  where: optional(Matchers),
  like: optional(Pattern),
  capture: optional(Capture),
})
export type Expectation = Static<typeof Expectation>

export const Never = Type.Array(
  Type.Union([Words(''), closed('', { event: optional(Type.Unknown()), alarm: optional(Type.Unknown()) })], {
    description: 'A stream (S9), a message (S9F7), {event: NAME} or {alarm: ALID}.',
  }),
  { description: 'What may not come from the equipment.' },
)

/** What the gateway replies to primaries of the equipment, in place of its usual replies. */
export const On = Type.Record(Type.String(), Words('A reply as SML, such as S6F12 <B 1>., or none.'), {
  description: 'A primary of the equipment, such as S6F11, with the reply as SML, or none.',
})

const Repeat = closed('How often: times, values or rows.', {
  times: optional(Type.Integer({ minimum: 1, maximum: 10_000, description: 'A number from 1 to 10000.' })),
  values: optional(
    Type.Array(Type.Unknown(), { minItems: 1, maxItems: 10_000, description: 'A list of values.' }),
  ),
  rows: optional(
    Type.Union([Words(''), Type.Array(Names, { minItems: 1, maxItems: 10_000 })], {
      description: 'A list of maps, or a CSV file whose first line has the names.',
    }),
  ),
  as: optional(Words('The variable that has the value, or the number from 1; `row` unless given.')),
})

/** The members of a step. `STEPS` says which of them go together. */
const members = {
  name: optional(Words('A title, in place of the one that follows from the step.')),
  precondition: optional(
    Type.Boolean({ description: 'true: if the step fails, the result is inconclusive and not failed.' }),
  ),
  send: optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_SML,
      description:
        'A message as SML, such as S1F3 W <L <U4 1>>., or SxFy alone, with the values of its items in `with`.',
    }),
  ),
  reply: optional(
    Words('The reply to the message that is sent, such as S1F4, S1F0 or S9F5; `none` for none.'),
  ),
  command: optional(Words('A remote command.')),
  with: optional(Names),
  object: optional(Words('OBJSPEC of the command, which is then sent as S2F49.')),
  expect: optional(
    Type.Unknown({ description: 'With send and command: values of the reply. Alone: what has to come.' }),
  ),
  like: optional(Pattern),
  capture: optional(Capture),
  within: optional(Duration),
  read: optional(
    Type.Union([Words(''), Type.Integer()], { description: 'A status variable: SVID or name.' }),
  ),
  is: optional(Type.Unknown({ description: 'What the value that is read has to be.' })),
  wait: optional(Duration),
  set: optional(SimulatorChange),
  ...loadMembers,
  link: optional(
    Type.Union([Type.Literal('up'), Type.Literal('down')], {
      description:
        'down: the gateway ends the link. up: it makes the link again and waits until the equipment communicates.',
    }),
  ),
  operator: optional(Words('What a person has to do, who then confirms it.')),
  group: optional(Words('The title of a group of steps. A failure ends its group, and the next group runs.')),
  never: optional(Never),
  on: optional(On),
  repeat: optional(Repeat),
  use: optional(Words('The file of another scenario, whose steps run here with variables of their own.')),
}
export type StepName =
  | 'send'
  | 'command'
  | 'expect'
  | 'read'
  | 'wait'
  | 'operator'
  | 'set'
  | 'load'
  | 'link'
  | 'group'
  | 'repeat'
  | 'use'

/** For each kind of step the members that it may have besides `name` and `precondition`. */
export const STEPS: Readonly<Record<StepName, readonly string[]>> = {
  send: ['with', 'reply', 'expect', 'like', 'capture', 'within'],
  command: ['with', 'object', 'expect', 'capture', 'within'],
  read: ['is', 'capture', 'within'],
  expect: [],
  wait: [],
  operator: [],
  set: ['capture'],
  load: ['rate', 'for', 'expect', 'capture'],
  link: ['within'],
  group: ['steps', 'never', 'on'],
  repeat: ['steps'],
  use: ['with', 'capture'],
}

const Step = closed(`One of ${Object.keys(STEPS).join(', ')}.`, {
  ...members,
  steps: optional(Type.Array(Type.Unknown(), { minItems: 1, description: 'A list of steps.' })),
})

/** A step as it is written; `steps` are of the same form. */
export type StepFile = Static<typeof Step>

/** What is checked of a step in a list of steps, on each level by itself. */
export const StepSchema = Step
export const ExpectationSchema = Expectation
export const MatchersSchema = Matchers

export const ScenarioFile = closed('A scenario: secsctl, name, and steps.', {
  secsctl: Type.Literal(1, { description: '1, the version of the format.' }),
  name: Words('The name of the scenario.'),
  description: optional(Type.String({ maxLength: 4096, description: 'A text.' })),
  set: optional(Names),
  simulator: optional(
    Type.Union([Words(''), Type.Integer({ minimum: 1, maximum: 65535 })], {
      description: 'The control port of the simulator that is tested, or HOST:PORT; for steps `set`.',
    }),
  ),
  never: optional(Never),
  on: optional(On),
  steps: Type.Array(Type.Unknown(), { minItems: 1, maxItems: 10_000, description: 'A list of steps.' }),
})
export type ScenarioFile = Static<typeof ScenarioFile>

/** The JSON Schema for editors: the steps are the same on each level. */
export const EDITOR_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...ScenarioFile,
  properties: { ...ScenarioFile.properties, steps: { type: 'array', items: { $ref: '#/$defs/step' } } },
  $defs: {
    step: {
      ...Step,
      properties: { ...Step.properties, steps: { type: 'array', items: { $ref: '#/$defs/step' } } },
    },
  },
}
