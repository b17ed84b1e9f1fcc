import { type Static, Type } from 'typebox'
import { endpoint, IF_MATCH } from '../../endpoint.js'
import { ROLES } from '../../roles.js'
import {
  ById,
  described,
  ignored,
  input,
  NullableText,
  named,
  namedInput,
  nullable,
  oneOf,
  onePage,
  PAIR,
  Page,
  Paging,
  PLAIN_NAME,
  Text,
  Time,
  UNPRINTABLE,
} from '../../schema.js'
import { MAX_SELECTOR } from '../../selector.js'

const EMAIL_CHARACTER = `(?:[^\\s@${UNPRINTABLE}]|${PAIR})`
export const EMAIL = `^${EMAIL_CHARACTER}+@${EMAIL_CHARACTER}+$`
const Email = Type.String({
  component: 'Email',
  minLength: 3,
  maxLength: 254,
  pattern: EMAIL,
  description: 'Email address: unique, printable characters around one @.',
})
const Name = Type.String({
  component: 'UserName',
  minLength: 1,
  maxLength: 64,
  pattern: PLAIN_NAME,
  description: 'Display name: 1 to 64 printable characters, no blank at either end.',
})
const Password = Type.String({ minLength: 12, maxLength: 256 })
export const UserRole = described(
  'Role',
  oneOf(
    ROLES,
    'Each role includes the roles before it. `viewer`: read. `operator`: connect, send remote commands, set limits and the spool, acknowledge alarms. `engineer`: send messages, change equipment. `admin`: manage users and API keys.',
  ),
)

/** What a user or an API key is restricted to. */
export const Restriction = nullable(
  Type.String({
    component: 'Restriction',
    minLength: 1,
    maxLength: MAX_SELECTOR,
    description:
      'Label selector such as `area=etch`: only equipment whose labels match is seen and reached; for all other the response is as if it did not exist. Null: all equipment.',
  }),
)

/** The user of a token, as login answers it. */
export const Identity = Type.Object({
  id: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role: UserRole,
})
export type Identity = Static<typeof Identity>

export const Credentials = namedInput('Credentials', {
  email: Type.String({ minLength: 1, maxLength: 254 }),
  password: Type.String({ minLength: 1, maxLength: 256 }),
})
export type Credentials = Static<typeof Credentials>

export const Login = named('Login', {
  token: Text('A JWT. Send it as `Authorization: Bearer <token>`.'),
  user: Identity,
  expires_at: Time('When the token expires.'),
})
export type Login = Static<typeof Login>

/** What ties a user to an account of the company. */
export const SignOnAccount = named('SignOnAccount', {
  issuer: Type.String({ description: 'Issuer of the identity provider.' }),
  subject: Type.String({
    description: 'The account there. Together with the issuer, it is whose account it is.',
  }),
  groups: Type.Array(Type.String(), {
    description: 'The groups of the account as of `confirmed_at`, 100 at most.',
  }),
  rule: NullableText(
    'The group by whose rule the user has role and selector; null if the user has no access.',
  ),
  confirmed_at: Time('When the identity provider last confirmed the account.'),
})
export type SignOnAccount = Static<typeof SignOnAccount>

export const User = named('User', {
  ...Identity.properties,
  label_selector: Restriction,
  sign_on: nullable(SignOnAccount),
  created_at: Time('When the user was added.'),
})
export type User = Static<typeof User>

/** Changes the password of the user who makes the call. */
export const PasswordChange = namedInput('PasswordChange', {
  current_password: Type.String({ minLength: 1, maxLength: 256, description: 'The current password.' }),
  new_password: Password,
})
export type PasswordChange = Static<typeof PasswordChange>

const GIVEN = {
  email: Email,
  name: Name,
  role: UserRole,
  password: Password,
}
const RESTRICTED = { label_selector: Type.Optional(Restriction) }
const READ_ONLY = { id: ignored(), created_at: ignored(), sign_on: ignored() }

export const NewUser = namedInput('NewUser', { ...GIVEN, ...RESTRICTED, ...READ_ONLY })
export type NewUser = Static<typeof NewUser>

/** Any part of a new user. Read-only fields may be sent back and are ignored. */
export const UserChange = namedInput('UserChange', {
  ...Type.Partial(Type.Object(GIVEN)).properties,
  ...RESTRICTED,
  ...READ_ONLY,
})
export type UserChange = Static<typeof UserChange>

const ADA: User = {
  id: 'usr_4f9c1a7be2d0',
  email: 'ada@example.com',
  name: 'Ada',
  role: 'operator',
  label_selector: null,
  sign_on: null,
  created_at: '2026-01-31T08:00:00.000Z',
}
const LOGIN: Login = {
  token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c3JfNGY5YyJ9.c2lnbmF0dXJl',
  user: { id: ADA.id, email: ADA.email, name: ADA.name, role: ADA.role },
  expires_at: '2026-01-31T20:00:00.000Z',
}
const PASSWORD = 'correct horse battery staple'

export const userEndpoints = {
  login: endpoint('POST /auth/login', {
    tag: 'auth',
    summary: 'Log in',
    access: 'anyone',
    body: Credentials,
    reply: Login,
    errors: ['invalid_credentials', 'sso_required', 'rate_limited', 'quota_exceeded'],
    examples: { body: { email: 'admin@localhost', password: PASSWORD }, reply: LOGIN },
  }),
  refresh: endpoint('POST /auth/refresh', {
    tag: 'auth',
    summary: 'Exchange the token for a new one',
    access: 'viewer',
    reply: Login,
    description:
      'A user of company accounts gets a token only if the identity provider confirms the account again, as with `POST /auth/sso/refresh`.',
    errors: [
      ...(['users_only', 'rate_limited', 'quota_exceeded'] as const),
      ...(['sso_no_access', 'sso_failed', 'sso_unavailable', 'email_taken'] as const),
    ],
    examples: { reply: LOGIN },
  }),
  logout: endpoint('POST /auth/logout', {
    tag: 'auth',
    summary: 'Revoke the token of this call',
    access: 'viewer',
    errors: ['users_only'],
  }),

  listUsers: endpoint('GET /users', {
    tag: 'users',
    summary: 'List users',
    access: 'admin',
    query: input({ limit: Paging.limit, cursor: Paging.cursor }),
    reply: Page(User),
    errors: ['invalid_cursor'],
    examples: { reply: onePage([ADA]) },
  }),
  getOwnUser: endpoint('GET /users/me', {
    tag: 'users',
    summary: 'Read the user of the token',
    description: 'For an API key see `GET /keys/me`.',
    access: 'viewer',
    reply: User,
    errors: ['users_only'],
    examples: { reply: ADA },
  }),
  changeOwnPassword: endpoint('PUT /users/me/password', {
    tag: 'users',
    summary: 'Change your own password',
    description:
      'Changes the password of the user who owns the token; the body must contain the current password. All tokens of the user become invalid, including the token of this call. The response contains a new token, as for a login.',
    access: 'viewer',
    body: PasswordChange,
    reply: Login,
    errors: ['users_only', 'wrong_password', 'sso_user', 'rate_limited'],
    examples: {
      body: { current_password: PASSWORD, new_password: 'a stapled horse battery' },
      reply: LOGIN,
    },
  }),
  getUser: endpoint('GET /users/{id}', {
    tag: 'users',
    summary: 'Read one user',
    access: 'admin',
    params: ById,
    reply: User,
    errors: ['user_not_found'],
    examples: { reply: ADA },
  }),
  createUser: endpoint('POST /users', {
    tag: 'users',
    summary: 'Add a user',
    access: 'admin',
    body: NewUser,
    reply: User,
    status: [201],
    errors: ['email_taken', 'rate_limited', 'quota_exceeded'],
    audited: ['email', 'name', 'role'],
    examples: {
      body: { email: ADA.email, name: ADA.name, role: ADA.role, password: PASSWORD },
      reply: ADA,
    },
  }),
  updateUser: endpoint('PUT /users/{id}', {
    tag: 'users',
    summary: 'Change a user',
    access: 'admin',
    params: ById,
    headers: [IF_MATCH],
    body: UserChange,
    reply: User,
    errors: [
      ...(['user_not_found', 'email_taken', 'last_admin', 'revision_mismatch'] as const),
      ...(['sso_user', 'rate_limited', 'quota_exceeded'] as const),
    ],
    audited: ['email', 'name', 'role'],
    examples: { body: { role: 'engineer' }, reply: { ...ADA, role: 'engineer' } },
  }),
  deleteUser: endpoint('DELETE /users/{id}', {
    tag: 'users',
    summary: 'Remove a user',
    access: 'admin',
    params: ById,
    headers: [IF_MATCH],
    errors: ['user_not_found', 'last_admin', 'revision_mismatch'],
  }),
} as const
