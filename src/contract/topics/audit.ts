import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.js'
import { LabelSelector } from '../labels.js'
import {
  EquipmentIds,
  EquipmentName,
  input,
  NullableText,
  named,
  nullable,
  OptionalInteger,
  OptionalText,
  onePage,
  Page,
  Paging,
  Text,
  Time,
  TimeRange,
} from '../schema.js'

export const AuditEntry = named('AuditEntry', {
  id: Text('Sequence number of the entry in the audit. Other records do not use these numbers.'),
  at: Time('When the call was about to begin, or was refused.'),
  action: Text(
    'The call: its `operationId` in this document, such as `sendCommand` or `login`; `resetAdmin` is the command `secsctl daemon reset-admin`, and `backChannelLogout` a logout that the identity provider reported.',
  ),
  user: NullableText(
    'Email of the user who made the call; null for the call of an API key, and for a failed login whose email is of no user, since a password may have been entered there.',
  ),
  api_key: nullable(
    Type.Object(
      { id: Type.String(), name: Type.String() },
      {
        description:
          'The API key that made the call; null for the call of a user. A name can belong to another key after its key was revoked; an id cannot.',
      },
    ),
  ),
  address: NullableText(
    'IP address of the client; null where the entry stands for calls from several addresses.',
  ),
  request_id: NullableText('`X-Request-Id` of the call; null where the entry stands for several calls.'),
  traceparent: NullableText(
    'W3C trace context of the call: its header `traceparent`. Null where it had none that is valid, and where the entry stands for several calls.',
  ),
  reason: NullableText('The `reason` of the call.'),
  equipment_id: NullableText('Id of the equipment that the call is about.'),
  equipment_name: EquipmentName,
  details: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'What was asked for: the parameters of the path and members of the body. Passwords, tokens and bodies of messages and recipes are left out; `fields` has the names of the members that are left out, and a long value is replaced by its size.',
  }),
  status: nullable(
    Type.Integer({
      minimum: 100,
      maximum: 599,
      description:
        'HTTP status of the response; null while the call runs, and if the gateway ended before its end was recorded.',
    }),
  ),
  code: NullableText('Error code of the response; null for a success.'),
  message_id: NullableText(
    'Id of the first recorded message that the call sent, where the response names one.',
  ),
  count: Type.Integer({
    minimum: 1,
    description:
      'How many calls the entry stands for. Failed logins and calls that a role does not allow are counted together after the first ones of an hour.',
  }),
})
export type AuditEntry = Static<typeof AuditEntry>

export const AuditQuery = input({
  ...Paging,
  equipment_id: EquipmentIds,
  label_selector: LabelSelector,
  user: OptionalText('Email of the user.', { minLength: 1, maxLength: 254 }),
  api_key: OptionalText('Name of the API key. Together with `user`: calls of both.', {
    minLength: 1,
    maxLength: 64,
  }),
  action: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64, pattern: '^[^,]{1,64}$' }), {
      maxItems: 100,
      description: 'An `operationId`; may be repeated. Default: all calls.',
    }),
  ),
  after: OptionalInteger([0, Number.MAX_SAFE_INTEGER], 'Only entries with a higher `id`.'),
  ...TimeRange,
})
export type AuditQuery = Static<typeof AuditQuery>

const PAUSED: AuditEntry = {
  id: '812',
  at: '2026-01-31T08:00:00.000Z',
  action: 'sendCommand',
  user: 'ada@example.com',
  api_key: null,
  address: '10.0.4.17',
  request_id: '6d8f2c1e-6a0f-4a55-9a3c-0f7f5e1b2d34',
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  reason: 'Particles on the last wafer',
  equipment_id: 'eq_8d1f03c6a95e',
  equipment_name: 'etch-17',
  details: { command: 'PAUSE' },
  status: 200,
  code: null,
  message_id: '43',
  count: 1,
}

export const auditEndpoints = {
  listAudit: endpoint('GET /audit', {
    tag: 'audit',
    summary: 'List who did what',
    description:
      'The audit has an entry for each of these calls: a call with any method but GET, since it may change something; a login, whether it succeeds or fails; a call that the role of the user does not allow. A call is recorded before it is carried out. A repeat with an `Idempotency-Key` that is known has no entry of its own. Entries are kept for one year, 1 GiB at most, whatever the retention of the journal is; they are neither events nor in the export of the journal.',
    access: 'admin',
    query: AuditQuery,
    reply: Page(AuditEntry),
    errors: ['invalid_cursor', 'cursor_expired'],
    examples: { reply: onePage([PAUSED]) },
  }),
} as const
