import { type Static, Type } from 'typebox'
import { apiKeyText } from '../../api-key.js'
import { endpoint, IF_MATCH } from '../../endpoint.js'
import {
  ById,
  described,
  Flag,
  input,
  named,
  namedInput,
  nullable,
  onePage,
  Page,
  Paging,
  Text,
  Time,
} from '../../schema.js'
import { Restriction, UserRole } from './users.js'

const Name = Type.String({
  component: 'KeyName',
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
  description:
    'Unique name: 1 to 64 letters, digits, dots, underscores and hyphens, a letter or digit first.',
})
const Expiry = described(
  'KeyExpiry',
  nullable(
    Time(
      'When the key expires; null for a key that does not expire. An expired key is refused until it is revoked.',
    ),
  ),
)
/** What is known of a key: all but its text. */
export const ApiKey = named('ApiKey', {
  id: Type.String(),
  name: Name,
  role: UserRole,
  label_selector: Restriction,
  created_at: Time('When the key was created.'),
  created_by: Text('Who created it: the email of a user, or `key:NAME` of an API key.'),
  expires_at: Expiry,
  expired: Flag(
    'True: the key has expired. Setting the clock of the gateway back does not make it valid again.',
  ),
  last_used_at: nullable(
    Time(
      'When the key was last used; null if never. After a crash of the gateway it may be up to a minute too early.',
    ),
  ),
})
export type ApiKey = Static<typeof ApiKey>

export const CreatedApiKey = named('CreatedApiKey', {
  ...ApiKey.properties,
  key: Text(
    'The key itself. Send it as `Authorization: Bearer <key>`. It is shown only in this response; the gateway keeps a hash of it.',
  ),
})
export type CreatedApiKey = Static<typeof CreatedApiKey>

export const NewApiKey = namedInput('NewApiKey', {
  name: Name,
  role: UserRole,
  label_selector: Type.Optional(Restriction),
  expires_at: Expiry,
})
export type NewApiKey = Static<typeof NewApiKey>

const MES: ApiKey = {
  id: 'key_7f3k2m9qta',
  name: 'mes',
  role: 'operator',
  label_selector: null,
  created_at: '2026-01-31T08:00:00.000Z',
  created_by: 'ada@example.com',
  expires_at: '2026-05-01T08:00:00.000Z',
  expired: false,
  last_used_at: '2026-01-31T08:15:00.000Z',
}

export const keyEndpoints = {
  listKeys: endpoint('GET /keys', {
    tag: 'keys',
    summary: 'List API keys',
    description: 'In the order in which they were created. A revoked key is not in the list.',
    access: 'admin',
    query: input({ limit: Paging.limit, cursor: Paging.cursor }),
    reply: Page(ApiKey),
    errors: ['invalid_cursor'],
    examples: { reply: onePage([MES]) },
  }),
  getOwnKey: endpoint('GET /keys/me', {
    tag: 'keys',
    summary: 'Read the API key of this call',
    description: 'For programs that use an API key; the call of a user gets `key_not_found`.',
    access: 'viewer',
    reply: ApiKey,
    errors: ['key_not_found'],
    examples: { reply: MES },
  }),
  getKey: endpoint('GET /keys/{id}', {
    tag: 'keys',
    summary: 'Read one API key',
    access: 'admin',
    params: ById,
    reply: ApiKey,
    errors: ['key_not_found'],
    examples: { reply: MES },
  }),
  createKey: endpoint('POST /keys', {
    tag: 'keys',
    summary: 'Create an API key',
    description:
      'For a program: the key is sent as the bearer token of a login is. It has a role, and needs no login and no refresh. It cannot make the calls that are about a user: those on the own user, its password and its tokens. `expires_at` is required; null, for a key that does not expire, has to be sent explicitly.',
    access: 'admin',
    body: NewApiKey,
    reply: CreatedApiKey,
    status: [201],
    errors: ['key_name_taken', 'quota_exceeded'],
    audited: ['name', 'role', 'label_selector', 'expires_at'],
    examples: {
      body: { name: MES.name, role: MES.role, expires_at: MES.expires_at },
      reply: { ...MES, last_used_at: null, key: apiKeyText(MES.id, '0f'.repeat(32)) },
    },
  }),
  revokeKey: endpoint('DELETE /keys/{id}', {
    tag: 'keys',
    summary: 'Revoke an API key',
    description: 'The key is refused from now on, and its open streams end. Its name can be used again.',
    access: 'admin',
    params: ById,
    headers: [IF_MATCH],
    errors: ['key_not_found', 'revision_mismatch'],
  }),
} as const
