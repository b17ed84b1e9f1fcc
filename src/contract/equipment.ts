import { type Static, Type } from 'typebox'
import { allIgnored, nullable, oneOf, Paging, PLAIN_NAME, Time } from './schema.js'

export const MODES = ['passive', 'active'] as const
export const COMMUNICATIONS = ['gem', 'none'] as const
export const LINKTEST_MODES = ['always', 'idle'] as const
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
  'communication_denied',
  'communication_timeout',
  'wrong_device_id',
  'wrong_session_id',
] as const
export type ConnectionFault = (typeof CONNECTION_FAULTS)[number]

/** In seconds. */
export const DEFAULT_TIMERS = { t3: 45, t5: 10, t6: 5, t7: 10, t8: 5, linktest: 60, establish: 10 } as const

const seconds = (what: string, fallback: number) =>
  Type.Number({ minimum: 0.1, maximum: 600, description: `${what}, in seconds; ${fallback} unless given.` })

const TIMERS = {
  t3: seconds('Reply timeout: from a primary to its reply', DEFAULT_TIMERS.t3),
  t5: seconds('Connect separation: between two attempts to connect', DEFAULT_TIMERS.t5),
  t6: seconds('Control transaction: from a control request to its response', DEFAULT_TIMERS.t6),
  t7: seconds('Not selected: how long a connection may stay unselected', DEFAULT_TIMERS.t7),
  t8: seconds(
    'Network intercharacter: between two chunks of one message, which as a whole may take six times as long and 2 ms for each byte',
    DEFAULT_TIMERS.t8,
  ),
  linktest: Type.Number({
    anyOf: [
      { type: 'number', enum: [0] },
      { type: 'number', minimum: 0.1, maximum: 600 },
    ],
    description: `Between two linktests, in seconds, 0.1 to 600; 0 turns them off. ${DEFAULT_TIMERS.linktest} unless given.`,
  }),
  establish: seconds(
    'Establish communications: the delay before S1F13 is tried again',
    DEFAULT_TIMERS.establish,
  ),
}
export const Timers = Type.Object(TIMERS)
export type Timers = Static<typeof Timers>

const GIVEN = {
  name: Type.String({
    minLength: 1,
    maxLength: 64,
    pattern: PLAIN_NAME,
    description: 'Display name: unique, 1 to 64 printable characters, no blank at either end.',
  }),
  ip_address: Type.String({ format: 'ipv4', description: 'IPv4 address of the equipment.' }),
  port: Type.Integer({
    minimum: 1,
    maximum: 65535,
    description: 'TCP port: where the equipment listens (passive), or where the gateway does (active).',
  }),
  mode: oneOf(
    MODES,
    "The equipment's own HSMS connect mode. `passive`: the equipment listens at `ip_address`:`port` and the gateway dials it. `active`: the equipment dials in; the gateway listens on `port` and accepts only `ip_address`.",
  ),
  device_id: Type.Integer({ minimum: 0, maximum: 32767, description: 'Session ID of data messages.' }),
  session_id: Type.Integer({
    minimum: 0,
    maximum: 65535,
    description: 'Session ID of control messages; 65535 in HSMS-SS.',
  }),
  timers: Type.Object(
    {
      t3: Type.Optional(TIMERS.t3),
      t5: Type.Optional(TIMERS.t5),
      t6: Type.Optional(TIMERS.t6),
      t7: Type.Optional(TIMERS.t7),
      t8: Type.Optional(TIMERS.t8),
      linktest: Type.Optional(TIMERS.linktest),
      establish: Type.Optional(TIMERS.establish),
    },
    { additionalProperties: false, description: 'Timers of this equipment, in seconds; any part of them.' },
  ),
  linktest_mode: oneOf(
    LINKTEST_MODES,
    '`always`: a linktest every period, and its answer within T6 is life. `idle`: whatever the equipment sends is life too, so that one that is slow to answer is not given up while it talks.',
  ),
  gem_startup: Type.Boolean({
    description:
      'True unless given. Whether the gateway asks the equipment by itself: after every connect whether it is online, its names, its control state, its spooled data and its alarms, and later what has become of its control state, and what a report holds that it sends and nobody here has defined (S6F21). `false` for equipment that cannot stand being asked. What becomes of applied reports is said by their `apply_again`.',
  }),
  communication: oneOf(
    COMMUNICATIONS,
    '`gem` unless given: S1F13 establishes communication before anything else is sent. `none` for equipment that speaks HSMS without GEM: SELECTED is enough, S1F13 is not sent, and `gem_startup` asks nothing; `communication_state` is then COMMUNICATING as long as the equipment is SELECTED. A change takes effect at once, also while connected.',
  ),
  item_formats: Type.Record(Type.String({ minLength: 1, maxLength: 32 }), Type.String({ maxLength: 8 }), {
    maxProperties: 256,
    description: 'SECS-II formats of named items for this equipment, such as `{"SVID": "U2"}`; any but L.',
  }),
  text_encoding: Type.String({
    minLength: 1,
    maxLength: 32,
    description: 'Encoding of text items where it is not Latin-1, such as `gb18030`, `shift_jis` or `utf-8`.',
  }),
}

export const LastError = Type.Object({
  code: oneOf(CONNECTION_FAULTS),
  detail: Type.String(),
  at: Time('When it happened.'),
})
export type LastError = Static<typeof LastError>

export const HEALTHS = ['ok', 'degraded', 'failing'] as const
/** Timeouts and latencies of this many seconds decide about health. */
export const HEALTH_WINDOW_SECONDS = 900

export const Responsiveness = Type.Object(
  {
    last_reply_at: nullable(
      Time('When the equipment last replied to a primary; null since the gateway started.'),
    ),
    p99_ms: nullable(
      Type.Number({ description: 'The 99th percentile of the last 256 reply times, in milliseconds.' }),
    ),
    t3_timeouts: Type.Integer({
      minimum: 0,
      description: 'Primaries without a reply within T3, at most 256.',
    }),
    t6_timeouts: Type.Integer({
      minimum: 0,
      description: 'Control messages, such as Linktest.req, without an answer within T6, at most 256.',
    }),
  },
  { description: `How the equipment answered within the last ${HEALTH_WINDOW_SECONDS / 60} minutes.` },
)
export type Responsiveness = Static<typeof Responsiveness>

/** What the gateway knows of an equipment beside what it was given. None of it can be set. */
const KNOWN = {
  id: Type.String(),
  gateway_role: oneOf(MODES, '`active` where the gateway dials, `passive` where it listens.'),
  enabled: Type.Boolean({ description: 'The wish to be connected.' }),
  connection_state: oneOf(CONNECTION_STATES),
  communication_state: oneOf(COMMUNICATION_STATES),
  control_state: oneOf(CONTROL_STATES),
  health: oneOf(
    HEALTHS,
    '`failing`: the equipment should be connected and messages cannot be exchanged with it, or it has not replied to the last messages within T3. `degraded`: it is connecting, or within the last 15 minutes it had timeouts or was slow (the 99th percentile is above half of T3). `ok`: none of these, or the equipment is not meant to be connected.',
  ),
  health_reason: nullable(Type.String({ description: 'Why the health is not `ok`, in words.' })),
  responsiveness: Responsiveness,
  connected_since: nullable(Time('When the connection was selected.')),
  retry_at: nullable(Time('When the next attempt to connect is made.')),
  revision: Type.Integer({ minimum: 1, description: 'Rises with every change; also the `ETag`.' }),
  last_error: nullable(LastError),
  model: nullable(Type.Object({ mdln: Type.String(), softrev: Type.String() })),
  created_at: Time('When the equipment was registered.'),
  updated_at: Time('When the record last changed.'),
}

/** A record that was read may be sent as it is, to register another like it: its read-only members are ignored. */
export const NewEquipment = Type.Object(
  {
    name: GIVEN.name,
    ip_address: GIVEN.ip_address,
    port: GIVEN.port,
    mode: Type.Optional(GIVEN.mode),
    device_id: Type.Optional(GIVEN.device_id),
    session_id: Type.Optional(GIVEN.session_id),
    timers: Type.Optional(GIVEN.timers),
    linktest_mode: Type.Optional(GIVEN.linktest_mode),
    gem_startup: Type.Optional(GIVEN.gem_startup),
    communication: Type.Optional(GIVEN.communication),
    item_formats: Type.Optional(GIVEN.item_formats),
    text_encoding: Type.Optional(GIVEN.text_encoding),
    ...allIgnored(KNOWN),
  },
  { additionalProperties: false },
)
export type NewEquipment = Static<typeof NewEquipment>

export const Equipment = Type.Object({
  id: KNOWN.id,
  name: GIVEN.name,
  ip_address: GIVEN.ip_address,
  port: GIVEN.port,
  mode: GIVEN.mode,
  device_id: GIVEN.device_id,
  session_id: GIVEN.session_id,
  gateway_role: KNOWN.gateway_role,
  enabled: KNOWN.enabled,
  connection_state: KNOWN.connection_state,
  communication_state: KNOWN.communication_state,
  control_state: KNOWN.control_state,
  health: KNOWN.health,
  health_reason: KNOWN.health_reason,
  responsiveness: KNOWN.responsiveness,
  connected_since: KNOWN.connected_since,
  retry_at: KNOWN.retry_at,
  last_error: KNOWN.last_error,
  model: KNOWN.model,
  timers: Timers,
  linktest_mode: GIVEN.linktest_mode,
  gem_startup: GIVEN.gem_startup,
  communication: GIVEN.communication,
  item_formats: GIVEN.item_formats,
  text_encoding: GIVEN.text_encoding,
  revision: KNOWN.revision,
  created_at: KNOWN.created_at,
  updated_at: KNOWN.updated_at,
})
export type Equipment = Static<typeof Equipment>

/** Any part of a creation. The record's read-only members may be sent back and are ignored. */
export const EquipmentChange = Type.Object(Type.Partial(NewEquipment).properties, {
  additionalProperties: false,
})
export type EquipmentChange = Static<typeof EquipmentChange>

export const EquipmentQuery = Type.Object(
  {
    ...Paging,
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, description: 'All equipment when left out.' }),
    ),
    connection_state: Type.Optional(oneOf(CONNECTION_STATES)),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  },
  { additionalProperties: false },
)
export type EquipmentQuery = Static<typeof EquipmentQuery>

/** Seconds that connect waits unless told otherwise. */
export const DEFAULT_CONNECT_WAIT = 10

export const ConnectQuery = Type.Object(
  {
    wait: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 120,
        default: DEFAULT_CONNECT_WAIT,
        description: 'Longest wait for SELECTED and COMMUNICATING, in seconds.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type ConnectQuery = Static<typeof ConnectQuery>
