import { type Static, type TSchema, Type } from 'typebox'
import { Acknowledgement, Alarm, AlarmQuery } from './alarms.js'
import { Credentials, Login } from './auth.js'
import { CommandResult, NewCommand } from './commands.js'
import { ConnectQuery, Equipment, EquipmentChange, EquipmentQuery, NewEquipment } from './equipment.js'
import type { ErrorCode } from './errors.js'
import { Event, EventQuery, StreamQuery } from './events.js'
import { Message, MessageQuery, NewMessage, SendQuery, Sent } from './messages.js'
import { ById, Page, Paging } from './schema.js'
import { NewUser, type Role, User, UserChange } from './users.js'

export const BASE_PATH = '/api/v1'

/** The largest body a call may have, in bytes, and one that holds a message. */
export const BODY_LIMIT = 1024 * 1024
const MESSAGE_BODY_LIMIT = 24 * 1024 * 1024

export interface Endpoint<
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  Reply extends TSchema,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below the base path, with parameters in braces. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** The body may be left out. */
  readonly bodyOptional: boolean
  readonly bodyLimit: number
  readonly reply: Reply
  /** What a success is answered with; the first where nothing else is said. */
  readonly status: readonly [number, ...number[]]
  /** The least role that may call it; `anyone` needs no token. */
  readonly access: Role | 'anyone'
  /** Takes an `Idempotency-Key`. */
  readonly idempotent: boolean
  /** What can go wrong beside what can go wrong everywhere. */
  readonly errors: readonly ErrorCode[]
}

export type AnyEndpoint = Endpoint<TSchema, TSchema, TSchema, TSchema>

/** What a caller gives and a handler is given. */
export interface Call<E extends AnyEndpoint> {
  readonly params: Static<E['params']>
  readonly query: Static<E['query']>
  readonly body: Static<E['body']>
}

/** The schema of a part of a request or answer that an endpoint does not have. */
export const Nothing = Type.Object({}, { additionalProperties: false })

interface Given<Params extends TSchema, Query extends TSchema, Body extends TSchema> {
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  readonly bodyOptional?: boolean
  readonly bodyLimit?: number
  readonly status?: readonly [number, ...number[]]
  readonly access: Role | 'anyone'
  readonly idempotent?: boolean
  readonly errors?: readonly ErrorCode[]
}

const endpoint = <
  Reply extends TSchema,
  Params extends TSchema = typeof Nothing,
  Query extends TSchema = typeof Nothing,
  Body extends TSchema = typeof Nothing,
>(
  request: `${AnyEndpoint['method']} /${string}`,
  tag: string,
  summary: string,
  reply: Reply,
  given: Given<Params, Query, Body>,
): Endpoint<Params, Query, Body, Reply> => {
  const [method, path] = request.split(' ') as [AnyEndpoint['method'], string]
  return {
    method,
    path,
    tag,
    summary,
    reply,
    params: given.params ?? (Nothing as unknown as Params),
    query: given.query ?? (Nothing as unknown as Query),
    body: given.body ?? (Nothing as unknown as Body),
    bodyOptional: given.bodyOptional ?? given.body === undefined,
    bodyLimit: given.bodyLimit ?? BODY_LIMIT,
    status: given.status ?? [200],
    access: given.access,
    idempotent: given.idempotent ?? false,
    errors: given.errors ?? [],
  }
}

const TRANSACTION_ERRORS = [
  'equipment_not_found',
  'equipment_not_connected',
  'equipment_not_communicating',
  'invalid_message',
  'equipment_busy',
  'transaction_aborted',
  'message_rejected',
  'equipment_error',
  'connection_lost',
  'reply_timeout',
] as const

/** The whole REST interface, in the order of the specification; what was added to it follows its kin. */
export const endpoints = {
  login: endpoint('POST /auth/login', 'auth', 'Log in', Login, {
    body: Credentials,
    access: 'anyone',
    errors: ['invalid_credentials', 'rate_limited'],
  }),
  refresh: endpoint('POST /auth/refresh', 'auth', 'Exchange the token for a new one', Login, {
    access: 'viewer',
    errors: ['rate_limited'],
  }),
  logout: endpoint('POST /auth/logout', 'auth', 'Invalidate the token', Nothing, {
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
  sendCommand: endpoint(
    'POST /equipment/{id}/command',
    'equipment',
    'Send a remote command (S2F41)',
    CommandResult,
    {
      params: ById,
      query: SendQuery,
      body: NewCommand,
      status: [200, 202],
      access: 'operator',
      idempotent: true,
      errors: TRANSACTION_ERRORS,
    },
  ),

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
    access: 'viewer',
    errors: ['invalid_cursor', 'cursor_expired', 'rate_limited'],
  }),

  listUsers: endpoint('GET /users', 'users', 'List users', Page(User), {
    query: Type.Object({ limit: Paging.limit, cursor: Paging.cursor }, { additionalProperties: false }),
    access: 'admin',
    errors: ['invalid_cursor'],
  }),
  getOwnUser: endpoint('GET /users/me', 'users', 'Read the user of the token', User, { access: 'viewer' }),
  getUser: endpoint('GET /users/{id}', 'users', 'Read one user', User, {
    params: ById,
    access: 'admin',
    errors: ['user_not_found'],
  }),
  createUser: endpoint('POST /users', 'users', 'Add a user', User, {
    body: NewUser,
    status: [201],
    access: 'admin',
    errors: ['email_taken', 'rate_limited'],
  }),
  updateUser: endpoint('PUT /users/{id}', 'users', 'Change a user', User, {
    params: ById,
    body: UserChange,
    access: 'admin',
    errors: ['user_not_found', 'email_taken', 'last_admin', 'rate_limited'],
  }),
  deleteUser: endpoint('DELETE /users/{id}', 'users', 'Remove a user', Nothing, {
    params: ById,
    status: [204],
    access: 'admin',
    errors: ['user_not_found', 'last_admin'],
  }),
} as const
