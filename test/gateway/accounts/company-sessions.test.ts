import { beforeEach, expect, test } from 'vitest'
import { Accounts, type LoginRules } from '../../../src/gateway/accounts/accounts.js'
import type { CompanyAccount, SessionRecord } from '../../../src/gateway/accounts/company-account.js'
import type { KeyRecord } from '../../../src/gateway/accounts/key-record.js'
import type { Revocation } from '../../../src/gateway/accounts/revocations.js'
import type { UserRecord } from '../../../src/gateway/accounts/user-record.js'
import { ManualClock } from '../../support/manual-clock.js'
import { MemoryCollection } from '../../support/memory-store.js'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR
const HERE = '192.0.2.1'
const ISSUER = 'https://login.fab.example'
const ROOT = {
  email: 'root@fab.example',
  name: 'Root',
  role: 'admin',
  password: 'correct horse battery',
} as const

const account = (subject: string, given: Partial<CompanyAccount> = {}): CompanyAccount => ({
  issuer: ISSUER,
  subject,
  email: `${subject}@fab.example`,
  name: subject,
  groups: ['fab-admins'],
  rule: { group: 'fab-admins', role: 'admin', labels: null },
  ...given,
})

let clock: ManualClock
let users: MemoryCollection<UserRecord>
let sessions: MemoryCollection<SessionRecord>
let revocations: MemoryCollection<Revocation>
let apiKeys: MemoryCollection<KeyRecord>
let accounts: Accounts

const opened = (logins: LoginRules = { local: 'everybody', issuer: ISSUER }) =>
  new Accounts({
    ...{ users, sessions, revocations, apiKeys, clock },
    logins,
    key: new Uint8Array(32).fill(1),
    passwordCost: 2,
  })

beforeEach(() => {
  clock = new ManualClock()
  users = new MemoryCollection()
  sessions = new MemoryCollection()
  revocations = new MemoryCollection()
  apiKeys = new MemoryCollection()
  accounts = opened()
})

/** Signs on, and gets a token of ten minutes. */
async function signedOn(subject: string, { sid = 'one', lifetimeMs = 12 * HOUR } = {}) {
  const begun = await accounts.company.begin(account(subject), { refreshToken: 'again', sid }, { lifetimeMs })
  const { token } = await accounts.sessionLogin(begun, 600)
  return { ...begun, session_token: begun.token, token }
}
const codeOf = (token: string, from = accounts): Promise<string> =>
  from.authenticate(token).then(
    () => 'accepted',
    ({ code }) => code,
  )
const told = { issuer: ISSUER, before: Number.POSITIVE_INFINITY, until: 0 }

test('a user of company accounts has no password, and is changed at the provider alone', async () => {
  const { user, token } = await signedOn('ann')
  const [record] = await users.all()
  expect(record).not.toHaveProperty('password_hash')
  for (const password of ['', 'undefined', 'a long enough password'])
    await expect(accounts.login({ email: user.email, password }, HERE)).rejects.toMatchObject({
      code: 'invalid_credentials',
    })
  await expect(accounts.update(user.id, { password: 'a long enough password' })).rejects.toMatchObject({
    code: 'sso_user',
  })
  const caller = await accounts.authenticate(token)
  const change = { current_password: '', new_password: 'a long enough password' }
  await expect(accounts.changePassword(caller, change, HERE)).rejects.toMatchObject({ code: 'sso_user' })
})

test('a session ends after its lifetime, and its tokens with it', async () => {
  const { token, session_token } = await signedOn('ann', { lifetimeMs: 5 * 60_000 })
  expect(await codeOf(token)).toBe('accepted')
  clock.advance(5 * 60_000)
  // The callers that are remembered are those of before.
  expect(await codeOf(token, opened())).toBe('token_revoked')
  await expect(accounts.company.check({ token: session_token })).rejects.toMatchObject({
    code: 'token_revoked',
  })
})

test('a page has two minutes to take its session', async () => {
  const begin = (code: string) => accounts.company.begin(account('ann'), {}, { lifetimeMs: HOUR, code })
  const { token } = await begin('one')
  await expect(accounts.company.check({ token })).rejects.toMatchObject({ code: 'token_revoked' })
  await accounts.company.claim(token)
  await expect(accounts.company.claim(token)).rejects.toMatchObject({ code: 'token_revoked' })
  const late = await begin('two')
  clock.advance(2 * 60_000)
  await expect(accounts.company.claim(late.token)).rejects.toMatchObject({ code: 'token_revoked' })
})

test('of a user who signs on again and again the oldest session ends', async () => {
  const tokens: string[] = []
  for (let at = 0; at < 21; at++) {
    tokens.push((await signedOn('ann')).token)
    clock.advance(1000)
  }
  expect(await codeOf(tokens[0] ?? '')).toBe('token_revoked')
  expect(await codeOf(tokens[1] ?? '')).toBe('accepted')
  expect(await sessions.all()).toHaveLength(20)
})

test('a logout of one session at the provider ends that, and one of the account ends all', async () => {
  const [one, two] = [await signedOn('ann', { sid: 'one' }), await signedOn('ann', { sid: 'two' })]
  const bob = await signedOn('bob', { sid: 'one' })
  expect(await accounts.company.endOf({ ...told, jti: '1', subject: 'ann', sid: 'one' })).toBe(1)
  expect([await codeOf(one.token), await codeOf(two.token)]).toEqual(['token_revoked', 'accepted'])
  const three = await signedOn('ann', { sid: 'three' })
  expect(await accounts.company.endOf({ ...told, jti: '2', subject: 'ann', sid: undefined })).toBe(2)
  expect([await codeOf(two.token), await codeOf(three.token)]).toEqual(['token_revoked', 'token_revoked'])
  expect(await codeOf(bob.token)).toBe('accepted')
  // Of a session alone, whosever it is: the provider's ids of sessions are unique.
  expect(await accounts.company.endOf({ ...told, jti: '3', subject: undefined, sid: 'one' })).toBe(1)
  expect(await codeOf(bob.token)).toBe('token_revoked')
})

test('what counts once is remembered longer than it can be sent, and for no longer', async () => {
  const until = clock.date().getTime() + 5 * 60_000
  const end = (jti: string) =>
    accounts.company.endOf({ ...told, until, jti, subject: 'nobody', sid: undefined })
  await end('one')
  clock.advance(5 * 60_000)
  accounts = opened()
  await expect(end('one')).rejects.toMatchObject({ code: 'sso_failed' })
  clock.advance(3 * DAY)
  await end('two')
  expect(await revocations.all()).toHaveLength(1)
})

test('an API key of an administrator of company accounts rests without its maker', async () => {
  await accounts.create(ROOT)
  const { user, token } = await signedOn('ann')
  const caller = await accounts.authenticate(token)
  const make = (name: string) =>
    accounts.keys.create({ name, role: 'viewer', expires_at: null }, caller).then(({ key }) => key)
  const [one, two] = [await make('one'), await make('two')]
  expect(await codeOf(one)).toBe('accepted')
  clock.advance(31 * DAY)
  expect(await codeOf(one, opened())).toBe('token_revoked')
  await signedOn('ann')
  expect(await codeOf(one)).toBe('accepted')
  await accounts.delete(user.id)
  expect(await codeOf(two)).toBe('token_revoked')
})

test('the last local administrator stays, however many administrators the company has', async () => {
  const { id } = await accounts.create(ROOT)
  await signedOn('ann')
  await expect(accounts.delete(id)).rejects.toMatchObject({ code: 'last_admin' })
  await expect(accounts.update(id, { role: 'viewer' })).rejects.toMatchObject({ code: 'last_admin' })
})

test('users of a provider that the settings no longer name have no access', async () => {
  const { token } = await signedOn('ann')
  expect(await codeOf(token, opened({ local: 'everybody', issuer: 'https://other.example' }))).toBe(
    'token_revoked',
  )
  expect(await codeOf(token, opened({ local: 'everybody', issuer: undefined }))).toBe('token_revoked')
  // The same name at another provider is somebody else.
  const other = account('ann', { issuer: 'https://other.example' })
  await expect(accounts.company.begin(other, {}, { lifetimeMs: HOUR })).rejects.toMatchObject({
    code: 'email_taken',
  })
})

test('the tokens of the provider are kept encrypted, and those of a session as a hash', async () => {
  const tokens = { refreshToken: 'a refresh token of the provider', idToken: 'an identity token' }
  const { token } = await accounts.company.begin(account('ann'), tokens, { lifetimeMs: HOUR })
  const kept = JSON.stringify(await sessions.all())
  for (const secret of [...Object.values(tokens), token.split('.')[1] ?? ''])
    for (const form of [secret, Buffer.from(secret).toString('base64')]) expect(kept).not.toContain(form)
  expect(await accounts.company.end({ token })).toEqual(tokens)
})
