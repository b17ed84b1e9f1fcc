import { Type } from 'typebox'
import { Acknowledgement, Alarm, AlarmQuery } from './alarms.js'
import { Credentials, Login } from './auth.js'
import { CommandResult, NewCommand } from './commands.js'
import { endpoint, Nothing } from './endpoint.js'
import { ConnectQuery, Equipment, EquipmentChange, EquipmentQuery, NewEquipment } from './equipment.js'
import { TRANSACTION_ERRORS } from './errors.js'
import { Event, EventQuery, StreamQuery } from './events.js'
import { JournalEntry, JournalExportQuery } from './journal.js'
import { Message, MessageQuery, NewMessage, SendQuery, Sent } from './messages.js'
import { ById, Page, Paging } from './schema.js'
import { serviceEndpoints } from './service-endpoints.js'
import { setupEndpoints } from './setup-endpoints.js'
import { Traffic } from './traffic.js'
import { NewUser, PasswordChange, User, UserChange } from './users.js'
import { WIRE_MEDIA, WireQuery, WireRecord } from './wire.js'

export const BASE_PATH = '/api/v1'

/** The largest body that holds a message, in bytes. */
const MESSAGE_BODY_LIMIT = 24 * 1024 * 1024

/** The whole REST interface, in the order of the specification; additions follow the endpoints they belong to. */
export const endpoints = {
  login: endpoint('POST /auth/login', 'auth', 'Log in', Login, {
    body: Credentials,
    access: 'anyone',
    errors: ['invalid_credentials', 'rate_limited', 'quota_exceeded'],
  }),
  refresh: endpoint('POST /auth/refresh', 'auth', 'Exchange the token for a new one', Login, {
    access: 'viewer',
    errors: ['rate_limited', 'quota_exceeded'],
  }),
  logout: endpoint('POST /auth/logout', 'auth', 'Revoke the token of this call', Nothing, {
    status: [204],
    access: 'viewer',
  }),

  listEquipment: endpoint('GET /equipment', 'equipment', 'List all equipment', Page(Equipment), {
    query: EquipmentQuery,
    access: 'viewer',
    errors: ['invalid_cursor'],
  }),
  getEquipment: endpoint('GET /equipment/{id}', 'equipment', 'Read one equipment', Equipment, {
    params: ById,
    access: 'viewer',
    errors: ['equipment_not_found'],
  }),
  createEquipment: endpoint('POST /equipment', 'equipment', 'Register equipment', Equipment, {
    body: NewEquipment,
    status: [201],
    access: 'engineer',
    idempotent: true,
    errors: ['equipment_name_taken', 'equipment_address_taken'],
  }),
  updateEquipment: endpoint('PUT /equipment/{id}', 'equipment', 'Change equipment', Equipment, {
    params: ById,
    body: EquipmentChange,
    access: 'engineer',
    errors: [
      'equipment_not_found',
      'equipment_name_taken',
      'equipment_address_taken',
      'equipment_connected',
      'revision_mismatch',
    ],
  }),
  deleteEquipment: endpoint('DELETE /equipment/{id}', 'equipment', 'Delete equipment', Nothing, {
    params: ById,
    status: [204],
    access: 'engineer',
    errors: ['equipment_not_found'],
  }),
  connectEquipment: endpoint(
    'POST /equipment/{id}/connect',
    'equipment',
    'Connect to the equipment',
    Equipment,
    {
      params: ById,
      query: ConnectQuery,
      status: [200, 202],
      access: 'operator',
      errors: ['equipment_not_found'],
    },
  ),
  disconnectEquipment: endpoint(
    'POST /equipment/{id}/disconnect',
    'equipment',
    'Disconnect from the equipment',
    Equipment,
    { params: ById, access: 'operator', errors: ['equipment_not_found'] },
  ),
  sendCommand: endpoint('POST /equipment/{id}/command', 'equipment', 'Send a remote command', CommandResult, {
    params: ById,
    query: SendQuery,
    body: NewCommand,
    status: [200, 202],
    access: 'operator',
    idempotent: true,
    errors: TRANSACTION_ERRORS,
  }),

  ...serviceEndpoints,
  ...setupEndpoints,

  followWire: endpoint(
    'GET /equipment/{id}/wire',
    'equipment',
    'Stream the HSMS messages of the equipment',
    WireRecord,
    {
      params: ById,
      query: WireQuery,
      media: WIRE_MEDIA,
      access: 'viewer',
      errors: ['equipment_not_found', 'rate_limited', 'quota_exceeded'],
    },
  ),
  getTraffic: endpoint('GET /equipment/{id}/traffic', 'equipment', 'Read message and fault counts', Traffic, {
    params: ById,
    access: 'viewer',
    errors: ['equipment_not_found'],
  }),

  listMessages: endpoint('GET /messages', 'messages', 'List recorded messages', Page(Message), {
    query: MessageQuery,
    access: 'viewer',
    errors: ['invalid_cursor', 'cursor_expired'],
  }),
  getMessage: endpoint('GET /messages/{id}', 'messages', 'Read one message', Message, {
    params: ById,
    access: 'viewer',
    errors: ['message_not_found'],
  }),
  sendMessage: endpoint('POST /equipment/{id}/messages', 'messages', 'Send a SECS message', Sent, {
    params: ById,
    query: SendQuery,
    body: NewMessage,
    bodyLimit: MESSAGE_BODY_LIMIT,
    status: [200, 202],
    access: 'engineer',
    idempotent: true,
    errors: TRANSACTION_ERRORS,
  }),

  listAlarms: endpoint('GET /alarms', 'alarms', 'List alarms', Page(Alarm), {
    query: AlarmQuery,
    access: 'viewer',
    errors: ['invalid_cursor'],
  }),
  acknowledgeAlarm: endpoint('POST /alarms/{id}/acknowledge', 'alarms', 'Acknowledge an alarm', Alarm, {
    params: ById,
    body: Acknowledgement,
    bodyOptional: true,
    access: 'operator',
    errors: ['alarm_not_found'],
  }),

  listEvents: endpoint('GET /events', 'events', 'List events', Page(Event), {
    query: EventQuery,
    access: 'viewer',
    errors: ['invalid_cursor', 'cursor_expired'],
  }),
  streamEvents: endpoint('GET /events/stream', 'events', 'Follow events as server-sent events', Event, {
    query: StreamQuery,
    media: ['text/event-stream'],
    access: 'viewer',
    errors: ['invalid_cursor', 'cursor_expired', 'rate_limited', 'quota_exceeded'],
  }),

  exportJournal: endpoint('GET /journal/export', 'journal', 'Export the journal', JournalEntry, {
    description:
      'All entries that are stored at the time of the call, oldest first, one JSON object on each line. The records of the other calls are made from these entries. If the gateway cannot send the whole answer, it closes the connection without the last chunk; continue with `after` set to the `seq` of the last complete line. Entries that retention deletes during the export are left out.',
    query: JournalExportQuery,
    media: ['application/x-ndjson'],
    access: 'admin',
    errors: ['rate_limited', 'quota_exceeded'],
  }),

  listUsers: endpoint('GET /users', 'users', 'List users', Page(User), {
    query: Type.Object({ limit: Paging.limit, cursor: Paging.cursor }, { additionalProperties: false }),
    access: 'admin',
    errors: ['invalid_cursor'],
  }),
  getOwnUser: endpoint('GET /users/me', 'users', 'Read the user of the token', User, { access: 'viewer' }),
  changeOwnPassword: endpoint('PUT /users/me/password', 'users', 'Change your own password', Login, {
    body: PasswordChange,
    access: 'viewer',
    errors: ['wrong_password', 'rate_limited'],
    description:
      'Changes the password of the user who owns the token; the body must contain the current password. All tokens of the user become invalid, including the token of this call. The answer contains a new token, as for a login.',
  }),
  getUser: endpoint('GET /users/{id}', 'users', 'Read one user', User, {
    params: ById,
    access: 'admin',
    errors: ['user_not_found'],
  }),
  createUser: endpoint('POST /users', 'users', 'Add a user', User, {
    body: NewUser,
    status: [201],
    access: 'admin',
    errors: ['email_taken', 'rate_limited', 'quota_exceeded'],
  }),
  updateUser: endpoint('PUT /users/{id}', 'users', 'Change a user', User, {
    params: ById,
    body: UserChange,
    access: 'admin',
    errors: ['user_not_found', 'email_taken', 'last_admin', 'rate_limited', 'quota_exceeded'],
  }),
  deleteUser: endpoint('DELETE /users/{id}', 'users', 'Remove a user', Nothing, {
    params: ById,
    status: [204],
    access: 'admin',
    errors: ['user_not_found', 'last_admin'],
  }),
} as const
