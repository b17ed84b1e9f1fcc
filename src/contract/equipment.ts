import { type Static, Type } from 'typebox'
import { EquipmentLock } from './equipment-lock.js'
import type { Fault } from './errors.js'
import { LabelChange, LabelSelector, Labels } from './labels.js'
import {
  allIgnored,
  described,
  Flag,
  input,
  NullableText,
  named,
  namedInput,
  nullable,
  OptionalFlag,
  OptionalInteger,
  oneOf,
  Paging,
  PLAIN_NAME,
  Time,
} from './schema.js'
import {
  misplacedFaults,
  missingPlaceFaults,
  SerialPort,
  TRANSPORTS,
  type Transport,
} from './topics/equipment/equipment-line.js'
import { MODES, SETTING_SCHEMAS } from './topics/equipment/equipment-settings.js'
import { Tap, TapChange, TapLink } from './topics/equipment/equipment-tap.js'

export const CONNECTION_STATES = [
  'NOT_CONNECTED',
  'CONNECTING',
  'LISTENING',
  'NOT_SELECTED',
  'SELECTED',
] as const
export const COMMUNICATION_STATES = [
  'DISABLED',
  'NOT_COMMUNICATING',
  'WAIT_CRA',
  'WAIT_DELAY',
  'COMMUNICATING',
] as const
export const CONTROL_STATES = [
  'UNKNOWN',
  'EQUIPMENT_OFFLINE',
  'ATTEMPT_ONLINE',
  'HOST_OFFLINE',
  'ONLINE_LOCAL',
  'ONLINE_REMOTE',
] as const
export type ConnectionState = (typeof CONNECTION_STATES)[number]
export type CommunicationState = (typeof COMMUNICATION_STATES)[number]
export type ControlState = (typeof CONTROL_STATES)[number]

/** Why the last attempt to reach the equipment, or its last connection, ended. */
export const CONNECTION_FAULTS = [
  'connection_refused',
  'no_route',
  'connect_timeout',
  'listen_failed',
  'connection_lost',
  'separated',
  't6',
  't7',
  't8',
  'linktest_timeout',
  'select_refused',
  'bad_frame',
  'not_hsms',
  'retry_limit',
  'not_secs1',
  'line_noise',
  'communication_denied',
  'communication_timeout',
  'wrong_device_id',
  'wrong_session_id',
] as const
export type ConnectionFault = (typeof CONNECTION_FAULTS)[number]
export const FaultCode = described('ConnectionFault', oneOf(CONNECTION_FAULTS))

/** In seconds. */
export const DEFAULT_TIMERS = {
  t1: 0.5,
  t2: 10,
  t3: 45,
  t4: 45,
  t5: 10,
  t6: 5,
  t7: 10,
  t8: 5,
  linktest: 60,
  establish: 10,
  slow_reply: 2,
  presence: 0,
} as const

const seconds = (what: string, fallback: number) =>
  Type.Number({ minimum: 0.1, maximum: 600, description: `${what}. In seconds; default ${fallback}.` })

export const Timers = named('Timers', {
  t1: seconds('SECS-I: intercharacter timeout (T1), between two bytes of a block', DEFAULT_TIMERS.t1),
  t2: seconds(
    'SECS-I: protocol timeout (T2), from ENQ to EOT, from EOT to the length byte, and from the last byte of a block to ACK',
    DEFAULT_TIMERS.t2,
  ),
  t3: seconds(
    'Reply timeout (T3): from a primary to its reply; in SECS-I from its last block to the first block of the reply',
    DEFAULT_TIMERS.t3,
  ),
  t4: seconds('SECS-I: interblock timeout (T4), between two blocks of a message', DEFAULT_TIMERS.t4),
  t5: seconds('Connect separation (T5): the time between two attempts to connect', DEFAULT_TIMERS.t5),
  t6: seconds('Control transaction (T6): the time from a control request to its response', DEFAULT_TIMERS.t6),
  t7: seconds('NOT SELECTED (T7): how long a connection may stay NOT SELECTED', DEFAULT_TIMERS.t7),
  t8: seconds(
    'Network intercharacter timeout (T8): the longest gap between two parts of one message. The whole message may take six times T8 plus 2 ms for each byte',
    DEFAULT_TIMERS.t8,
  ),
  linktest: Type.Number({
    anyOf: [
      { type: 'number', enum: [0] },
      { type: 'number', minimum: 0.1, maximum: 600 },
    ],
    description: `Time between two Linktest.req messages. In seconds, 0.1 to 600; 0 turns linktests off; default ${DEFAULT_TIMERS.linktest}.`,
  }),
  establish: seconds('Delay before S1F13 is sent again', DEFAULT_TIMERS.establish),
  slow_reply: seconds(
    'Health: the equipment is `degraded` while half of its last replies take longer. Can be changed while connected',
    DEFAULT_TIMERS.slow_reply,
  ),
  presence: Type.Number({
    anyOf: [
      { type: 'number', enum: [0] },
      { type: 'number', minimum: 1, maximum: 86_400 },
    ],
    description: `Presence check: when no message has come for this long, the gateway sends S1F1, and equipment that leaves two of them without a reply is \`failing\`. In seconds, 1 to 86400; 0 sends none; default ${DEFAULT_TIMERS.presence}. Can be changed while connected.`,
  }),
})
export type Timers = Static<typeof Timers>

const GIVEN = {
  name: Type.String({
    component: 'EquipmentName',
    minLength: 1,
    maxLength: 64,
    pattern: PLAIN_NAME,
    description:
      'Unique display name: 1 to 64 printable characters, no space at the start or end. It does not begin with `eq_`, as ids do, and is not `apply`, `.` or `..`.',
  }),
  ip_address: nullable(
    Type.String({
      component: 'IpAddress',
      format: 'ipv4',
      description:
        'IPv4 address of the equipment; null where `transport` is `secs1-serial`, which has no address. Other new equipment needs it.',
    }),
  ),
  port: nullable(
    Type.Integer({
      component: 'TcpPort',
      minimum: 1,
      maximum: 65535,
      description:
        'TCP port on which the equipment (`passive`) or the gateway (`active`) listens; null where `transport` is `secs1-serial`. Other new equipment needs it.',
    }),
  ),
  serial_port: nullable(SerialPort),
  ...SETTING_SCHEMAS,
  timers: Type.Object(Type.Partial(Timers).properties, {
    component: 'TimerChanges',
    additionalProperties: false,
    description:
      'Timers of this equipment, in seconds. Timers that are left out keep their value, or get the default in a new record.',
  }),
  labels: Labels,
  tap: nullable(TapChange),
}

export const LastError = Type.Object({
  code: FaultCode,
  detail: Type.String(),
  at: Time('When it happened.'),
})
export type LastError = Static<typeof LastError>

export const HEALTHS = ['ok', 'degraded', 'failing'] as const
export type Health = (typeof HEALTHS)[number]
/** Timeouts and latencies of this many seconds decide about health. */
export const HEALTH_WINDOW_SECONDS = 900

export const Responsiveness = Type.Object(
  {
    last_message_at: nullable(
      Time('Time of the last message of the equipment, to the second; null if the history has none.'),
    ),
    last_reply_at: nullable(
      Time('Time of the last reply to a primary; null if none since the gateway started.'),
    ),
    p99_ms: nullable(
      Type.Number({ description: 'The 99th percentile of the last 256 reply times, in milliseconds.' }),
    ),
    t3_timeouts: Type.Integer({
      minimum: 0,
      maximum: 256,
      description: 'Primaries without a reply within T3; the count stops at 256.',
    }),
    t6_timeouts: Type.Integer({
      minimum: 0,
      maximum: 256,
      description: 'Control requests, such as Linktest.req, without a response within T6; at most 256.',
    }),
  },
  { description: `Replies and timeouts of the equipment in the last ${HEALTH_WINDOW_SECONDS / 60} minutes.` },
)
export type Responsiveness = Static<typeof Responsiveness>

/** Read-only members of an equipment record: what the gateway observed or assigned. */
const KNOWN = {
  id: Type.String(),
  gateway_role: oneOf(
    MODES,
    'HSMS connect mode of the gateway, the opposite of `mode`. `active`: the gateway connects. `passive`: the gateway listens.',
  ),
  enabled: Flag('Desired state: connected.'),
  connection_state: described('ConnectionState', oneOf(CONNECTION_STATES)),
  communication_state: described('CommunicationState', oneOf(COMMUNICATION_STATES)),
  control_state: described('ControlState', oneOf(CONTROL_STATES)),
  health: oneOf(
    HEALTHS,
    '`failing`: `enabled` is true but messages cannot be exchanged, or the equipment has not replied to the last messages within T3. `degraded`: the equipment is connecting, or in the last 15 minutes it had an error, timeouts or slow replies (99th percentile above half of T3), or it does not have the event reports that were applied, or the first ones could not be applied. `ok`: none of these, or `enabled` is false.',
  ),
  health_reason: NullableText('Readable reason why `health` is not `ok`.'),
  responsiveness: Responsiveness,
  connected_since: nullable(Time('When the connection became SELECTED.')),
  retry_at: nullable(Time('When the gateway will make the next attempt to connect.')),
  revision: Type.Integer({
    minimum: 1,
    description: 'Increases with every change of the record. The `ETag` begins with it.',
  }),
  last_error: nullable(LastError),
  lock: nullable(
    Type.Object(EquipmentLock.properties, {
      description:
        'Who alone may change the equipment or send messages to it, and until when; null if it is not locked. A lock changes neither `revision` nor `updated_at`.',
    }),
  ),
  node: NullableText(
    'Name of the daemon that drives the equipment, where several work on one database; null if there is one daemon, or if none drives it at the moment.',
  ),
  model: nullable(Type.Object({ mdln: Type.String(), softrev: Type.String() })),
  tap_link: nullable(TapLink),
  created_at: Time('When the equipment was registered.'),
  updated_at: Time('When the record last changed.'),
}

const { name, ip_address, port, ...SETTINGS } = GIVEN

/** A record that was read may be sent again to register a similar equipment: its read-only members are ignored. */
export const NewEquipment = namedInput('NewEquipment', {
  name,
  ...Type.Partial(Type.Object({ ip_address, port, ...SETTINGS })).properties,
  ...allIgnored(KNOWN),
})
export type NewEquipment = Static<typeof NewEquipment>

const isTransport = (value: unknown): value is Transport => TRANSPORTS.some((one) => one === value)

/** What the schema of new equipment cannot say. */
export function newEquipmentFaults(body: unknown): readonly Fault[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return []
  const given = body as Partial<NewEquipment>
  const { transport = 'hsms' } = given
  if (!isTransport(transport)) return []
  return [...missingPlaceFaults(transport, given), ...misplacedFaults(transport, given)]
}

/** What the schema of a change cannot say, as far as the change alone decides it: the rest depends on the record. */
export function equipmentChangeFaults(body: unknown): readonly Fault[] {
  const given = (body ?? {}) as Partial<EquipmentChange>
  const transport = given.transport ?? ((given.serial_port ?? null) === null ? undefined : 'secs1-serial')
  return isTransport(transport) ? misplacedFaults(transport, given) : []
}

/** The same of each equipment in a list. */
export function appliedEquipmentFaults(body: unknown): readonly Fault[] {
  const { equipment } = (body ?? {}) as { readonly equipment?: unknown }
  if (!Array.isArray(equipment)) return []
  return equipment.flatMap((entry, at) =>
    equipmentChangeFaults(entry).map(({ pointer, detail }) => ({
      pointer: `/equipment/${at}${pointer}`,
      detail,
    })),
  )
}

export const Equipment = named('Equipment', {
  ...GIVEN,
  ...KNOWN,
  timers: Timers,
  tap: nullable(Tap),
})
export type Equipment = Static<typeof Equipment>

/** Any members of `NewEquipment`. Read-only members of the record may be sent and are ignored. */
export const EquipmentChange = namedInput('EquipmentChange', {
  ...Type.Partial(NewEquipment).properties,
  revision: OptionalInteger(
    [1, Number.MAX_SAFE_INTEGER],
    'Like `If-Match`: if the record has another revision, the response is 412.',
  ),
  labels: Type.Optional(LabelChange),
})
export type EquipmentChange = Static<typeof EquipmentChange>

/** One equipment of a file, found by its name: a member that is left out keeps its value, or gets its default. */
export const EquipmentEntry = namedInput('EquipmentEntry', {
  name,
  ...Type.Partial(Type.Object({ ip_address, port, ...SETTINGS })).properties,
})
export type EquipmentEntry = Static<typeof EquipmentEntry>

/** The most equipment that one call applies. */
const MAX_APPLIED = 5000

export const AppliedEquipment = input({
  equipment: Type.Array(EquipmentEntry, {
    maxItems: MAX_APPLIED,
    description:
      'The equipment as it is to be, each with a `name` of its own. `labels` and `item_formats` are whole: what they do not have is removed. Members of `timers` and `tap` that are left out keep their value; a `tap` that is null is removed. Equipment that is not in the list stays as it is.',
  }),
})
export type AppliedEquipment = Static<typeof AppliedEquipment>

export const EquipmentApplied = named('EquipmentApplied', {
  dry_run: Type.Boolean(),
  changes: Type.Array(
    Type.Object({
      change: oneOf(['add', 'change'] as const),
      equipment: Type.String({ description: 'Name of the equipment.' }),
      equipment_id: NullableText('Id of the equipment; null if it is new and `dry_run` is true.'),
      members: Type.Array(
        Type.Object({
          member: Type.String({ description: 'Such as `port` or `labels.bay`.' }),
          before: Type.Unknown({ description: 'The value before; null if there was none.' }),
          after: Type.Unknown({ description: 'The value after; null if it is removed.' }),
        }),
      ),
    }),
    {
      description: 'What differs from the request, in its order. Equipment that is as requested is left out.',
    },
  ),
})
export type EquipmentApplied = Static<typeof EquipmentApplied>
export type AppliedChange = EquipmentApplied['changes'][number]

export const ApplyEquipmentQuery = input({
  dry_run: Type.Optional(
    Flag('True: check everything and return the changes, but change nothing. Default: false.'),
  ),
})

export const EquipmentQuery = input({
  ...Paging,
  limit: OptionalInteger([1, 1000], 'Default: all equipment in one page.'),
  connection_state: Type.Optional(oneOf(CONNECTION_STATES)),
  health: Type.Optional(
    Type.Unsafe<Health | readonly Health[]>({
      type: 'array',
      items: { type: 'string', enum: HEALTHS },
      description: 'Only equipment with this health; may be repeated.',
    }),
  ),
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  label_selector: LabelSelector,
})
export type EquipmentQuery = Static<typeof EquipmentQuery>

/** Default of the query parameter `wait` of connect, in seconds. */
export const DEFAULT_CONNECT_WAIT = 10

export const ConnectQuery = input({
  wait: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 120,
      default: DEFAULT_CONNECT_WAIT,
      description: 'Longest time to wait for SELECTED and COMMUNICATING, in seconds. 0: respond at once.',
    }),
  ),
})
export type ConnectQuery = Static<typeof ConnectQuery>

export const DeleteEquipmentQuery = input({
  force: OptionalFlag(
    'True: also delete tapped equipment whose host works with it, which cuts that host off. Default: false.',
  ),
})
