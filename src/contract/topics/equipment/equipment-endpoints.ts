import { BODY_LIMIT, endpoint, type RequestHeader } from '../../endpoint.js'
import {
  AppliedEquipment,
  ApplyEquipmentQuery,
  ConnectQuery,
  DEFAULT_TIMERS,
  Equipment,
  EquipmentApplied,
  EquipmentChange,
  EquipmentQuery,
  NewEquipment,
} from '../../equipment.js'
import { EquipmentLock, type EquipmentLock as Lock, LockRequest, UnlockQuery } from '../../equipment-lock.js'
import { ById, onePage, Page } from '../../schema.js'

const AT = '2026-01-31T08:00:00.000Z'

const ETCHER: Equipment = {
  id: 'eq_8d1f03c6a95e',
  name: 'etcher',
  ip_address: '192.168.0.10',
  port: 5000,
  transport: 'hsms',
  serial_port: null,
  baud_rate: 9600,
  rty: 3,
  master: 'equipment',
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
  lock: null,
  node: null,
  model: { mdln: 'ETCH-2', softrev: '1.4' },
  timers: DEFAULT_TIMERS,
  linktest_mode: 'always',
  gem_startup: true,
  communication: 'gem',
  item_formats: {},
  text_encoding: 'latin1',
  labels: { area: 'etch', bay: '3' },
  revision: 3,
  created_at: '2026-01-30T08:00:00.000Z',
  updated_at: AT,
}
const LOCK: Lock = {
  by: 'ada@example.com',
  reason: 'pump exchange',
  since: AT,
  expires_at: '2026-01-31T08:10:00.000Z',
}
const DISCONNECTED: Equipment = {
  ...ETCHER,
  enabled: false,
  connection_state: 'NOT_CONNECTED',
  communication_state: 'DISABLED',
  control_state: 'UNKNOWN',
  connected_since: null,
}

const IF_MATCH: RequestHeader = {
  name: 'If-Match',
  schema: { type: 'string' },
  description:
    'The `ETag` of the record as it was read, or several, separated by commas. If none of them is current, the answer is 412.',
}

export const equipmentEndpoints = {
  listEquipment: endpoint('GET /equipment', {
    tag: 'equipment',
    summary: 'List all equipment',
    access: 'viewer',
    query: EquipmentQuery,
    reply: Page(Equipment),
    errors: ['invalid_cursor'],
    examples: { reply: onePage([ETCHER]) },
  }),
  getEquipment: endpoint('GET /equipment/{id}', {
    tag: 'equipment',
    summary: 'Read one equipment',
    access: 'viewer',
    params: ById,
    reply: Equipment,
    errors: ['equipment_not_found'],
    examples: { reply: ETCHER },
  }),
  createEquipment: endpoint('POST /equipment', {
    tag: 'equipment',
    summary: 'Register equipment',
    description:
      'If `mode` is `passive`, the gateway will connect to `ip_address`:`port`. If `mode` is `active`, the gateway will listen on `port` and accept connections only from `ip_address`.',
    access: 'engineer',
    idempotent: true,
    body: NewEquipment,
    reply: Equipment,
    status: [201],
    errors: ['equipment_name_taken', 'equipment_address_taken'],
    audited: ['name', 'ip_address', 'port', 'device_id', 'mode', 'labels', 'timers'],
    examples: {
      body: {
        name: 'etcher',
        ip_address: '192.168.0.10',
        port: 5000,
        mode: 'passive',
        device_id: 0,
        session_id: 65535,
        labels: { area: 'etch', bay: '3' },
      },
      reply: { ...DISCONNECTED, model: null, revision: 1 },
    },
  }),
  updateEquipment: endpoint('PUT /equipment/{id}', {
    tag: 'equipment',
    summary: 'Change equipment',
    description:
      'Accepts any members of the creation body; a member that is left out keeps its value. Of `labels` and `timers`, so does each entry that is left out; a label that is null is removed.',
    access: 'engineer',
    params: ById,
    headers: [IF_MATCH],
    body: EquipmentChange,
    reply: Equipment,
    errors: [
      'equipment_not_found',
      'equipment_name_taken',
      'equipment_address_taken',
      'equipment_connected',
      'revision_mismatch',
    ],
    audited: ['name', 'ip_address', 'port', 'device_id', 'mode', 'labels', 'timers'],
    examples: {
      body: { port: 5001, timers: { t3: 60 }, labels: { bay: '4', spare: null } },
      reply: {
        ...ETCHER,
        port: 5001,
        timers: { ...DEFAULT_TIMERS, t3: 60 },
        labels: { area: 'etch', bay: '4' },
        revision: 4,
      },
    },
  }),
  applyEquipment: endpoint('POST /equipment/apply', {
    tag: 'equipment',
    summary: 'Register and change several equipment together',
    description:
      'Makes the gateway agree with a list of equipment, as it is in a file. Equipment is found by its `name`; what is not registered yet is registered. Everything is checked first: if anything cannot be done, nothing is changed, and `errors` has every fault with its place in the request. Then all changes are written together. With `dry_run` the same is checked, and nothing is changed. New equipment is not connected. Address, timers and the like of connected equipment cannot change.',
    access: 'engineer',
    query: ApplyEquipmentQuery,
    body: AppliedEquipment,
    bodyLimit: 8 * BODY_LIMIT,
    reply: EquipmentApplied,
    errors: [
      'equipment_name_taken',
      'equipment_address_taken',
      'equipment_connected',
      'equipment_locked',
      'forbidden',
    ],
    audited: ['equipment'],
    examples: {
      body: {
        equipment: [
          { name: 'etcher', ip_address: ETCHER.ip_address, port: 5001, labels: { area: 'etch', bay: '4' } },
        ],
      },
      reply: {
        dry_run: false,
        changes: [
          {
            change: 'change',
            equipment: 'etcher',
            equipment_id: ETCHER.id,
            members: [
              { member: 'port', before: 5000, after: 5001 },
              { member: 'labels.bay', before: '3', after: '4' },
            ],
          },
        ],
      },
    },
  }),
  deleteEquipment: endpoint('DELETE /equipment/{id}', {
    tag: 'equipment',
    summary: 'Delete equipment',
    access: 'engineer',
    params: ById,
    errors: ['equipment_not_found'],
  }),
  connectEquipment: endpoint('POST /equipment/{id}/connect', {
    tag: 'equipment',
    summary: 'Connect to the equipment',
    description:
      'Sets the desired state to connected (`enabled`), until a disconnect. If the equipment is `passive`, the gateway connects to it; if it is `active`, the gateway listens and the equipment connects. 200: the equipment is SELECTED and COMMUNICATING. Otherwise the gateway continues to try. With `wait` above 0 the response is then the problem `not_connected_in_time` (504), with the last error and what to change. Without `wait`, or with 0, it is 202, and `last_error` has the result of the last attempt.',
    access: 'operator',
    params: ById,
    query: ConnectQuery,
    reply: Equipment,
    status: [200, 202],
    errors: ['equipment_not_found', 'not_connected_in_time'],
    examples: {
      reply: ETCHER,
      accepted: {
        ...ETCHER,
        connection_state: 'CONNECTING',
        communication_state: 'NOT_COMMUNICATING',
        control_state: 'UNKNOWN',
        connected_since: null,
        retry_at: '2026-01-31T08:00:10.000Z',
        last_error: {
          code: 'connection_refused',
          detail: '192.168.0.10:5000 refused the connection',
          at: AT,
        },
      },
    },
  }),
  disconnectEquipment: endpoint('POST /equipment/{id}/disconnect', {
    tag: 'equipment',
    summary: 'Disconnect from the equipment',
    access: 'operator',
    params: ById,
    reply: Equipment,
    errors: ['equipment_not_found'],
    examples: { reply: DISCONNECTED },
  }),
  lockEquipment: endpoint('PUT /equipment/{id}/lock', {
    tag: 'equipment',
    summary: 'Lock the equipment for everybody else',
    description:
      'Until the lock ends, every call of somebody else that changes the equipment or may send it a message that is more than a question (each call below `/equipment/{id}` that is not a GET) is answered with 409 `equipment_locked`. Reading, acknowledging alarms, and what the gateway does by itself (replies, connecting again, event reports) go on. After the answer no such call begins; one that began before may still end. The holder is the user or the API key of the call, in all its sessions. The holder may repeat the call, which sets a new end and reason. The lock ends by itself, also after a restart of the gateway, when the holder releases it, when an administrator breaks it, or when the equipment is deleted.',
    access: 'operator',
    params: ById,
    body: LockRequest,
    reply: EquipmentLock,
    errors: ['equipment_not_found', 'equipment_locked'],
    audited: ['for_seconds'],
    examples: { body: { for_seconds: 600, reason: LOCK.reason }, reply: LOCK },
  }),
  unlockEquipment: endpoint('DELETE /equipment/{id}/lock', {
    tag: 'equipment',
    summary: 'Release the lock of the equipment',
    description:
      'The holder releases the lock before its end; if there is none, the answer is 204, too. With `force` an administrator releases the lock of somebody else, and has to give a `reason`.',
    access: 'operator',
    params: ById,
    query: UnlockQuery,
    errors: ['equipment_not_found', 'equipment_locked'],
  }),
} as const
