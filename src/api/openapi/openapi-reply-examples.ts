import type { Static } from 'typebox'
import type { endpoints } from '../../contract/endpoints.js'
import { DEFAULT_TIMERS, type Equipment } from '../../contract/equipment.js'
import type { Event } from '../../contract/events.js'
import type { Message } from '../../contract/messages.js'
import type { User } from '../../contract/users.js'
import type { WireFrame } from '../../contract/wire.js'
import { SERVICE_REPLY_EXAMPLES } from './openapi-service-examples.js'
import { SETUP_REPLY_EXAMPLES } from './openapi-setup-examples.js'

const AT = '2026-01-31T08:00:00.000Z'

const ADA: User = {
  id: 'usr_4f9c1a7be2d0',
  email: 'ada@example.com',
  name: 'Ada',
  role: 'operator',
  created_at: AT,
}

const { created_at: _, ...IDENTITY } = ADA
const LOGIN = {
  token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c3JfNGY5YyJ9.c2lnbmF0dXJl',
  user: IDENTITY,
  expires_at: '2026-01-31T20:00:00.000Z',
}

const ETCHER: Equipment = {
  id: 'eq_8d1f03c6a95e',
  name: 'etcher',
  ip_address: '192.168.0.10',
  port: 5000,
  mode: 'passive',
  device_id: 0,
  session_id: 65535,
  gateway_role: 'active',
  enabled: true,
  connection_state: 'SELECTED',
  communication_state: 'COMMUNICATING',
  control_state: 'ONLINE_REMOTE',
  health: 'degraded',
  health_reason: 'in the last 15 minutes: no reply within T3 once',
  responsiveness: { last_reply_at: '2026-01-05T08:01:04.218Z', p99_ms: 12.4, t3_timeouts: 1, t6_timeouts: 0 },
  connected_since: AT,
  retry_at: null,
  last_error: null,
  model: { mdln: 'ETCH-2', softrev: '1.4' },
  timers: DEFAULT_TIMERS,
  linktest_mode: 'always',
  gem_startup: true,
  communication: 'gem',
  item_formats: {},
  text_encoding: 'latin1',
  revision: 3,
  created_at: '2026-01-30T08:00:00.000Z',
  updated_at: AT,
}

/** Sent, its reply still to come. */
const PENDING: Message = {
  id: '41',
  equipment_id: ETCHER.id,
  equipment_name: ETCHER.name,
  direction: 'sent',
  stream: 1,
  function: 3,
  name: 'S1F3 Selected Equipment Status Request',
  w_bit: true,
  session_id: 0,
  system_bytes: 17,
  data: { SVID: ['1', '2'] },
  body: { L: [{ U4: [1] }, { U4: [2] }] },
  sml: 'S1F3 W <L [2] <U4 1> <U4 2>>.',
  at: AT,
  collection_event: null,
  reply_to: null,
  outcome: 'pending',
}

const ASKED: Message = { ...PENDING, outcome: 'replied', reply_id: '42', latency_ms: 12 }

const REPLIED: Message = {
  id: '42',
  equipment_id: ETCHER.id,
  equipment_name: ETCHER.name,
  direction: 'received',
  stream: 1,
  function: 4,
  name: 'S1F4 Selected Equipment Status Data',
  w_bit: false,
  session_id: 0,
  system_bytes: 17,
  data: { SV: ['7', 'IDLE'] },
  body: { L: [{ U4: [7] }, { A: 'IDLE' }] },
  sml: 'S1F4 <L [2] <U4 7> <A "IDLE">>.',
  at: AT,
  collection_event: null,
  reply_to: '41',
}

const ALARM: Static<typeof endpoints.acknowledgeAlarm.reply> = {
  id: '57',
  equipment_id: ETCHER.id,
  equipment_name: ETCHER.name,
  alid: '1204',
  text: 'Chamber door open',
  category: 1,
  category_text: 'Personal safety',
  active: true,
  set_at: AT,
  cleared_at: null,
  count: 1,
  acknowledged: true,
  acknowledged_by: ADA.email,
  acknowledged_at: AT,
  comment: 'Door closed, chamber checked.',
}

const EVENT: Event = {
  id: '40',
  type: 'connection',
  name: 'selected',
  equipment_id: ETCHER.id,
  equipment_name: ETCHER.name,
  at: AT,
  data: { from: 'NOT_SELECTED', to: 'SELECTED', cause: 'select_accepted' },
}

const WAY = {
  frames: 2,
  bytes: 38,
  messages: [
    { stream: 1, function: 13, name: 'S1F13 Establish Communications Request', frames: 1, bytes: 24 },
  ],
  other_messages: { frames: 0, bytes: 0 },
  control: [{ name: 'Linktest.req', count: 1 }],
  unknown: 0,
  rejects: [],
}

const FRAME: WireFrame = {
  at: AT,
  kind: 'frame',
  direction: 'out',
  header: {
    session_id: 0,
    stream: 1,
    function: 1,
    w_bit: true,
    byte_2: 129,
    byte_3: 1,
    p_type: 0,
    s_type: 0,
    s_type_name: 'Data',
    system_bytes: 17,
  },
  name: 'S1F1 Are You There Request',
  detail: null,
  length: 10,
  sml: 'S1F1 W.',
  hex: '0000000a00008101000000000011',
  cut: false,
}

/** One page, and the last. */
const page = <Item>(item: Item): { items: Item[]; next_cursor: null } => ({
  items: [item],
  next_cursor: null,
})

/** What each endpoint may answer; of a stream, one record. */
export const REPLY_EXAMPLES: {
  readonly [Name in keyof typeof endpoints]?: Static<(typeof endpoints)[Name]['reply']>
} = {
  login: LOGIN,
  refresh: LOGIN,
  changeOwnPassword: LOGIN,
  listEquipment: page(ETCHER),
  getEquipment: ETCHER,
  createEquipment: {
    ...ETCHER,
    enabled: false,
    connection_state: 'NOT_CONNECTED',
    communication_state: 'DISABLED',
    control_state: 'UNKNOWN',
    connected_since: null,
    model: null,
    revision: 1,
  },
  updateEquipment: { ...ETCHER, port: 5001, revision: 4 },
  connectEquipment: ETCHER,
  disconnectEquipment: {
    ...ETCHER,
    enabled: false,
    connection_state: 'NOT_CONNECTED',
    communication_state: 'DISABLED',
    control_state: 'UNKNOWN',
    connected_since: null,
  },
  sendCommand: {
    command: 'START',
    accepted: true,
    hcack: 4,
    hcack_text: 'will finish later, with an event',
    cmda: null,
    cmda_text: null,
    parameters: [],
    message_id: '43',
    reply_id: '44',
  },
  ...SERVICE_REPLY_EXAMPLES,
  ...SETUP_REPLY_EXAMPLES,
  followWire: FRAME,
  getTraffic: {
    since: AT,
    in: WAY,
    out: WAY,
    timeouts: [{ timer: 't3', count: 0 }],
    connects: 1,
    losses: [],
    attempts_failed: 0,
    round_trip: { count: 1, sum: 0.012, buckets: [{ le: null, count: 1 }] },
    open: 0,
  },
  listMessages: page(ASKED),
  getMessage: REPLIED,
  sendMessage: { message: ASKED, reply: REPLIED },
  listAlarms: page(ALARM),
  acknowledgeAlarm: ALARM,
  listEvents: page(EVENT),
  streamEvents: EVENT,
  exportJournal: {
    seq: 41,
    at: AT,
    key: 'eq_8d1f03c6a95e',
    type: 'state',
    name: 'control_state',
    data: { from: 'UNKNOWN', to: 'ONLINE_REMOTE', cause: 'answered' },
  },
  listUsers: page(ADA),
  getOwnUser: ADA,
  getUser: ADA,
  createUser: ADA,
  updateUser: { ...ADA, role: 'engineer' },
}

/** The answers of those that answer before all is done (202). */
export const ACCEPTED_EXAMPLES: typeof REPLY_EXAMPLES = {
  connectEquipment: {
    ...ETCHER,
    connection_state: 'CONNECTING',
    communication_state: 'NOT_COMMUNICATING',
    control_state: 'UNKNOWN',
    connected_since: null,
    retry_at: '2026-01-31T08:00:10.000Z',
    last_error: { code: 'connection_refused', detail: '192.168.0.10:5000 refused the connection', at: AT },
  },
  sendCommand: {
    command: 'START',
    accepted: null,
    hcack: null,
    hcack_text: null,
    cmda: null,
    cmda_text: null,
    parameters: [],
    message_id: '43',
    reply_id: null,
  },
  sendMessage: { message: PENDING, reply: null },
}
