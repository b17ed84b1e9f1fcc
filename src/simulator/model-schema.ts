import { type Static, Type } from 'typebox'

const oneOf = <const Values extends readonly string[]>(values: Values) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: values })

/** The characters that the equipment's messages can hold. */
const LATIN1 = '^[\\u0000-\\u00ff]*$'

const Id = Type.Unsafe<number | string>({
  anyOf: [
    { type: 'integer', minimum: 0, maximum: 4_294_967_295 },
    { type: 'string', minLength: 1, maxLength: 80, pattern: LATIN1 },
  ],
})
const Name = Type.String({ minLength: 1, maxLength: 80 })
/** Text that is sent to a host. */
const WireText = (maxLength: number, minLength = 0) => Type.String({ minLength, maxLength, pattern: LATIN1 })
const WireName = WireText(80, 1)
const Seconds = Type.Number({ minimum: 0, maximum: 86_400 })
const Plain = Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'] })
const closed = { additionalProperties: false }

const VariableEntry = Type.Object(
  {
    id: Id,
    name: WireName,
    unit: Type.Optional(WireText(80)),
    kind: Type.Optional(oneOf(['status', 'data'])),
    value: Type.Unknown({ description: 'Typed JSON, such as {"F4": 12.5}; its format is the variable\'s.' }),
    source: Type.Optional(oneOf(['clock', 'control_state', 'alarms_set', 'events_enabled'])),
  },
  closed,
)

const ConstantEntry = Type.Object(
  {
    id: Id,
    name: WireName,
    unit: Type.Optional(WireText(80)),
    value: Type.Unknown(),
    minimum: Type.Optional(Type.Number()),
    maximum: Type.Optional(Type.Number()),
  },
  closed,
)

const ReportEntry = Type.Object({ id: Id, variables: Type.Array(Id, { minItems: 1 }) }, closed)

const EventEntry = Type.Object(
  { id: Id, name: WireName, enabled: Type.Optional(Type.Boolean()), reports: Type.Optional(Type.Array(Id)) },
  closed,
)

const AlarmEntry = Type.Object(
  {
    id: Id,
    text: WireText(120),
    category: Type.Integer({ minimum: 0, maximum: 127 }),
    enabled: Type.Optional(Type.Boolean()),
    set_event: Type.Optional(Id),
    cleared_event: Type.Optional(Id),
  },
  closed,
)

const ParameterEntry = Type.Object(
  {
    name: Name,
    format: oneOf(['A', 'BOOLEAN', 'I1', 'I2', 'I4', 'I8', 'U1', 'U2', 'U4', 'U8', 'F4', 'F8']),
    required: Type.Optional(Type.Boolean()),
    values: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    sets: Type.Optional(Id),
  },
  closed,
)

const CommandEntry = Type.Object(
  {
    name: Name,
    parameters: Type.Optional(Type.Array(ParameterEntry)),
    from: Type.Optional(Type.Array(Name, { minItems: 1 })),
    to: Type.Optional(Name),
    event: Type.Optional(Id),
  },
  closed,
)

const ProcessEntry = Type.Object(
  {
    variable: Id,
    initial: Name,
    states: Type.Array(
      Type.Object(
        {
          name: Name,
          code: Type.Integer({ minimum: 0, maximum: 255 }),
          lasts: Type.Optional(Seconds),
          next: Type.Optional(Name),
          event: Type.Optional(Id),
          holds: Type.Optional(Name),
        },
        closed,
      ),
      { minItems: 1 },
    ),
  },
  closed,
)

const IncidentEntry = Type.Object(
  {
    on: Id,
    after: Seconds,
    alarm: Id,
    clear_after: Type.Optional(Seconds),
    times: Type.Optional(Type.Integer({ minimum: 1 })),
    sets: Type.Optional(Type.Record(Type.String(), Plain)),
  },
  closed,
)

/** A model file as people write it. Ids are numbers or text; whatever refers to one takes the name as well. */
export const ModelFile = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    name: Name,
    description: Type.Optional(Type.String()),
    mdln: WireText(20),
    softrev: WireText(20),
    control_state: Type.Optional(
      oneOf(['EQUIPMENT_OFFLINE', 'HOST_OFFLINE', 'ONLINE_LOCAL', 'ONLINE_REMOTE']),
    ),
    control_events: Type.Optional(
      Type.Object(
        { offline: Type.Optional(Id), local: Type.Optional(Id), remote: Type.Optional(Id) },
        closed,
      ),
    ),
    variables: Type.Optional(Type.Array(VariableEntry)),
    constants: Type.Optional(Type.Array(ConstantEntry)),
    reports: Type.Optional(Type.Array(ReportEntry)),
    events: Type.Optional(Type.Array(EventEntry)),
    alarms: Type.Optional(Type.Array(AlarmEntry)),
    process: Type.Optional(ProcessEntry),
    commands: Type.Optional(Type.Array(CommandEntry)),
    incidents: Type.Optional(Type.Array(IncidentEntry)),
  },
  closed,
)
export type ModelFile = Static<typeof ModelFile>
