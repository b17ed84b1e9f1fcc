import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { NewUser } from '../../../src/contract/topics/accounts/users.js'
import { Accounts } from '../../../src/gateway/accounts/accounts.js'
import type { Caller } from '../../../src/gateway/accounts/caller.js'
import type { KeyRecord } from '../../../src/gateway/accounts/key-record.js'
import type { Revocation } from '../../../src/gateway/accounts/revocations.js'
import type { UserRecord } from '../../../src/gateway/accounts/user-record.js'
import { encodeCursor } from '../../../src/gateway/records/cursor.js'
import { deferred } from '../../../src/kit/deferred.js'
import { RetentionClock } from '../../../src/store/retention-clock.js'
import { ManualClock } from '../../support/manual-clock.js'
import { MemoryCollection } from '../../support/memory-store.js'
import { until } from '../../support/until.js'

const HOUR = 60 * 60 * 1000
const HERE = '192.0.2.1'
const ADA: NewUser = {
  email: 'Ada@Example.com',
  name: 'Ada',
  role: 'admin',
  password: 'correct horse battery',
}
const BOB: NewUser = { email: 'bob@example.com', name: 'Bob', role: 'viewer', password: 'a stapled password' }

let clock: ManualClock
let users: MemoryCollection<UserRecord>
let revocations: MemoryCollection<Revocation>
let apiKeys: MemoryCollection<KeyRecord>
let accounts: Accounts

/** Accounts over the same records: what a restart finds. */
const opened = (key = 1, trustedTime = new RetentionClock(clock, undefined)) =>
  new Accounts({
    users,
    revocations,
    sessions: new MemoryCollection(),
    apiKeys,
    clock,
    trustedTime,
    key: new Uint8Array(32).fill(key),
    passwordCost: 2,
  })
const loginAs = ({ email, password }: NewUser) => accounts.login({ email, password }, HERE)

beforeEach(() => {
  clock = new ManualClock()
  users = new MemoryCollection()
  revocations = new MemoryCollection()
  apiKeys = new MemoryCollection()
  accounts = opened()
})

test('a login shows who it is and when its token ends, twelve hours on', async () => {
  const { id } = await accounts.create(ADA)
  expect(id).toMatch(/^usr_[0-9a-z]{10}$/)
  const login = await loginAs(ADA)
  expect(login).toMatchObject({
    user: { id, email: 'Ada@Example.com', name: 'Ada', role: 'admin' },
    expires_at: '2026-01-01T12:00:00.000Z',
  })
  expect(await accounts.authenticate(login.token)).toMatchObject({ id, role: 'admin' })
})

test('a new password of one’s own needs the old one, ends all tokens, and gives a new one', async () => {
  await accounts.create(ADA)
  await accounts.create(BOB)
  const [first, second] = [await loginAs(BOB), await loginAs(BOB)]
  const caller = await accounts.authenticate(first.token)
  const change = (current_password: string, address = HERE) =>
    accounts.changePassword(caller, { current_password, new_password: 'another password' }, address)
  await expect(change('a wrong password')).rejects.toMatchObject({ code: 'wrong_password', status: 403 })
  expect(await accounts.authenticate(first.token)).toMatchObject({ email: BOB.email })
  const { token, user } = await change(BOB.password)
  expect(user).toMatchObject({ email: BOB.email, role: 'viewer' })
  for (const ended of [first, second]) {
    await expect(accounts.authenticate(ended.token)).rejects.toMatchObject({ code: 'token_revoked' })
  }
  expect(await accounts.authenticate(token)).toMatchObject({ email: BOB.email })
  await expect(loginAs(BOB)).rejects.toMatchObject({ code: 'invalid_credentials' })
  expect(await loginAs({ ...BOB, password: 'another password' })).toMatchObject({ user })
})

describe('an administrator gives another password while the user changes it', () => {
  const BY_ADMIN = 'a password of the administrator'
  const OWN = 'another password'

  test('after the change: its token ends, too', async () => {
    const { id } = await accounts.create(BOB)
    const caller = await accounts.authenticate((await loginAs(BOB)).token)
    const [put, get] = [users.put.bind(users), users.get.bind(users)]
    let isDue = false
    const reset = async (): Promise<void> => {
      isDue = false
      await accounts.update(id, { password: BY_ADMIN })
    }
    users.put = async (record) => {
      await put(record)
      users.put = put
      isDue = true
    }
    users.get = async (one) => {
      if (isDue) await reset()
      return get(one)
    }
    const { token } = await accounts.changePassword(
      caller,
      { current_password: BOB.password, new_password: OWN },
      HERE,
    )
    if (isDue) await reset()
    await expect(accounts.authenticate(token)).rejects.toMatchObject({ code: 'token_revoked' })
    expect(await loginAs({ ...BOB, password: BY_ADMIN })).toMatchObject({ user: { id } })
  })

  test('before the change is made: it is refused, and the password of the administrator stays', async () => {
    const { id } = await accounts.create(BOB)
    const caller = await accounts.authenticate((await loginAs(BOB)).token)
    const exclusively = users.exclusively.bind(users)
    users.exclusively = async (work) => {
      users.exclusively = exclusively
      await accounts.update(id, { password: BY_ADMIN })
      return exclusively(work)
    }
    const change = { current_password: BOB.password, new_password: OWN }
    await expect(accounts.changePassword(caller, change, HERE)).rejects.toMatchObject({
      code: 'token_revoked',
    })
    await expect(loginAs({ ...BOB, password: OWN })).rejects.toMatchObject({ code: 'invalid_credentials' })
    expect(await loginAs({ ...BOB, password: BY_ADMIN })).toMatchObject({ user: { id } })
  })
})

test('whoever holds a token may guess its password no faster than a stranger', async () => {
  await accounts.create(BOB)
  const caller = await accounts.authenticate((await loginAs(BOB)).token)
  const change = () =>
    accounts.changePassword(caller, { current_password: 'x', new_password: 'another password' }, HERE)
  for (let times = 0; times < 5; times++)
    await expect(change()).rejects.toMatchObject({ code: 'wrong_password' })
  await expect(change()).rejects.toMatchObject({ code: 'rate_limited' })
})

test('an email is the same in any case', async () => {
  await accounts.create(ADA)
  expect((await accounts.login({ ...ADA, email: 'ADA@EXAMPLE.COM' }, HERE)).user.email).toBe(
    'Ada@Example.com',
  )
  await expect(accounts.create({ ...BOB, email: 'ada@example.com' })).rejects.toMatchObject({
    code: 'email_taken',
  })
})

test.each(['ＡＤＡ@example.com', 'ada@ｅxample.com', 'ⓐda@example.com', 'ada﹫example.com'])(
  'an email is the same in characters of another width or style: %s',
  async (email) => {
    await accounts.create(ADA)
    await expect(accounts.create({ ...BOB, email })).rejects.toMatchObject({ code: 'email_taken' })
    expect((await accounts.login({ ...ADA, email }, HERE)).user.email).toBe('Ada@Example.com')
    for (let n = 0; n < 5; n++) {
      await accounts
        .login({ email: n % 2 ? email : ADA.email, password: 'wrong' }, HERE)
        .catch(() => undefined)
    }
    for (const spelled of [email, ADA.email]) {
      await expect(accounts.login({ ...ADA, email: spelled }, HERE)).rejects.toMatchObject({
        code: 'rate_limited',
      })
    }
  },
)

test('of two at once with one email one is added', async () => {
  const results = await Promise.allSettled([accounts.create(ADA), accounts.create(ADA)])
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await users.all()).toHaveLength(1)
})

test('a wrong password and an unknown email are the same failure', async () => {
  await accounts.create(ADA)
  const wrong = await accounts
    .login({ email: ADA.email, password: 'wrong' }, HERE)
    .catch((error: unknown) => error)
  const unknown = await accounts
    .login({ email: 'eve@example.com', password: 'wrong' }, HERE)
    .catch((e: unknown) => e)
  expect(wrong).toMatchObject({ code: 'invalid_credentials', status: 401 })
  expect(unknown).toEqual(wrong)
})

test('a token ends at its time', async () => {
  await accounts.create(ADA)
  const { token } = await loginAs(ADA)
  clock.advance(12 * HOUR - 1)
  await accounts.authenticate(token)
  clock.advance(1)
  await expect(accounts.authenticate(token)).rejects.toMatchObject({ code: 'token_expired' })
})

test('a token that was logged out stays so over a restart, and no other does', async () => {
  await accounts.create(ADA)
  const [one, other] = [await loginAs(ADA), await loginAs(ADA)]
  await accounts.logout(await accounts.authenticate(one.token))
  for (const each of [accounts, opened()]) {
    await expect(each.authenticate(one.token)).rejects.toMatchObject({ code: 'token_revoked' })
    expect(await each.authenticate(other.token)).toMatchObject({ email: ADA.email })
  }
})

test('a token is recognised without waiting from its second use on, until it ends or its user changes', async () => {
  const { id } = await accounts.create(ADA)
  const { token } = await loginAs(ADA)
  expect(accounts.recognised(token)).toBeUndefined()
  expect(accounts.recognised('another')).toBeUndefined()
  const caller = await accounts.authenticate(token)
  expect(accounts.recognised(token)).toBe(caller)
  await accounts.update(id, { name: 'Countess' })
  expect(accounts.recognised(token)).toBeUndefined()
  expect(await accounts.authenticate(token)).toMatchObject({ name: 'Countess' })
  await accounts.refresh(await accounts.authenticate(token))
  await accounts.authenticate(token)
  clock.advance(60_000)
  expect(accounts.recognised(token)).toBeUndefined()
  const other = await loginAs(ADA)
  const second = await accounts.authenticate(other.token)
  await accounts.logout(second)
  expect(accounts.recognised(other.token)).toBeUndefined()
  const last = await loginAs(ADA)
  await accounts.authenticate(last.token)
  clock.advance(12 * HOUR)
  expect(accounts.recognised(last.token)).toBeUndefined()
})

test('a logout is reported only once it is on disk', async () => {
  await accounts.create(ADA)
  const caller = await accounts.authenticate((await loginAs(ADA)).token)
  revocations.failure = new Error('no disk')
  await expect(accounts.logout(caller)).rejects.toThrow('no disk')
})

test('a refreshed token continues for a minute, also over a restart', async () => {
  await accounts.create(ADA)
  const { token } = await loginAs(ADA)
  const refreshed = await accounts.refresh(await accounts.authenticate(token))
  expect(refreshed.token).not.toBe(token)
  const reopened = opened()
  await reopened.authenticate(token)
  clock.advance(59_999)
  for (const each of [accounts, reopened, opened()]) await each.authenticate(token)
  clock.advance(1)
  for (const each of [accounts, reopened, opened()]) {
    await expect(each.authenticate(token)).rejects.toMatchObject({ code: 'token_revoked' })
    await each.authenticate(refreshed.token)
  }
})

test('what another process has changed is looked up again, and reported', async () => {
  await accounts.create(ADA)
  const { token } = await loginAs(ADA)
  await accounts.refresh(await accounts.authenticate(token))
  let told = 0
  accounts.changed.on(() => told++)
  for (const collection of [users, apiKeys]) {
    await accounts.authenticate(token)
    collection.changed.emit('usr_1')
    expect(accounts.recognised(token)).toBeUndefined()
  }
  const { tokenId } = await accounts.authenticate(token)
  await opened().logout(await opened().authenticate(token))
  revocations.changed.emit(tokenId)
  await expect(accounts.authenticate(token)).rejects.toMatchObject({ code: 'token_revoked' })
  expect(told).toBe(3)
})

test('a second refresh does not give the first token another minute, and a logout takes the rest of it', async () => {
  await accounts.create(ADA)
  const [one, other] = [await loginAs(ADA), await loginAs(ADA)]
  await accounts.refresh(await accounts.authenticate(one.token))
  clock.advance(30_000)
  await accounts.refresh(await accounts.authenticate(one.token))
  clock.advance(30_000)
  for (const each of [accounts, opened()])
    await expect(each.authenticate(one.token)).rejects.toMatchObject({ code: 'token_revoked' })
  const caller = await accounts.authenticate(other.token)
  await accounts.refresh(caller)
  await accounts.logout(caller)
  await expect(accounts.authenticate(other.token)).rejects.toMatchObject({ code: 'token_revoked' })
})

test('who is shut out while a token of theirs is looked up stays out', async () => {
  const { id } = await accounts.create(ADA)
  const { token } = await loginAs(ADA)
  const { promise, resolve } = deferred<void>()
  const get = users.get.bind(users)
  let lookedUp = 0
  users.get = async (user) => {
    const record = await get(user)
    if (++lookedUp === 1) await promise
    return record
  }
  const early = accounts.authenticate(token)
  await until(() => lookedUp === 1)
  await accounts.update(id, { password: 'another horse battery' })
  resolve()
  expect(await early).toMatchObject({ id })
  await expect(accounts.authenticate(token)).rejects.toMatchObject({ code: 'token_revoked' })
})

test('a token is looked up once, and again when a user was changed', async () => {
  const { id } = await accounts.create(ADA)
  const { token } = await loginAs(ADA)
  await accounts.authenticate(token)
  const get = vi.spyOn(users, 'get')
  expect(await accounts.authenticate(token)).toMatchObject({ id, name: 'Ada' })
  expect(get).not.toHaveBeenCalled()
  await accounts.update(id, { name: 'Ada L.' })
  expect(await accounts.authenticate(token)).toMatchObject({ id, name: 'Ada L.' })
})

test('another key ends all tokens', async () => {
  await accounts.create(ADA)
  const { token } = await loginAs(ADA)
  await expect(opened(2).authenticate(token)).rejects.toMatchObject({ code: 'unauthenticated' })
})

test.each([
  ['password', { password: 'another long one' }, 'token_revoked'],
  ['role', { role: 'operator' as const }, 'token_revoked'],
  ['name', { name: 'Robert' }, undefined],
  ['role that stays the same', { role: 'viewer' as const }, undefined],
])('a changed %s: what becomes of the tokens of before', async (_, change, code) => {
  await accounts.create(ADA)
  const { id } = await accounts.create(BOB)
  const { token } = await loginAs(BOB)
  let told = 0
  accounts.changed.on(() => told++)
  await accounts.update(id, change)
  const failure = await accounts.authenticate(token).then(
    () => undefined,
    (error: { code: string }) => error.code,
  )
  expect([failure, told]).toEqual([code, 1])
})

test('a login after the change of a password is good at once', async () => {
  const { id } = await accounts.create(ADA)
  await accounts.update(id, { password: 'another long one' })
  await expect(loginAs(ADA)).rejects.toMatchObject({ code: 'invalid_credentials' })
  const { token } = await loginAs({ ...ADA, password: 'another long one' })
  expect(await accounts.authenticate(token)).toMatchObject({ id })
})

test('the token of a user who was removed is good for nothing', async () => {
  await accounts.create(ADA)
  const { id } = await accounts.create(BOB)
  const { token } = await loginAs(BOB)
  await accounts.delete(id)
  await expect(accounts.authenticate(token)).rejects.toMatchObject({ code: 'token_revoked' })
  await expect(accounts.get(id)).rejects.toMatchObject({ code: 'user_not_found' })
})

test('the last administrator can be neither removed nor demoted', async () => {
  const { id } = await accounts.create(ADA)
  await expect(accounts.delete(id)).rejects.toMatchObject({ code: 'last_admin' })
  await expect(accounts.update(id, { role: 'engineer' })).rejects.toMatchObject({ code: 'last_admin' })
  const second = await accounts.create({ ...BOB, role: 'admin' })
  const both = await Promise.allSettled([accounts.delete(id), accounts.delete(second.id)])
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
})

test('users are listed in the order they were added, a page at a time', async () => {
  for (const name of ['c', 'a', 'd', 'b']) {
    await accounts.create({ ...BOB, name, email: `${name}@example.com` })
    clock.advance(1000)
  }
  // A change of the first one puts it at the end of what is stored.
  const [c] = await users.all()
  await users.delete(c?.id ?? '')
  await users.put(c as UserRecord)
  const first = await accounts.list({ limit: 3 })
  expect(first.items.map(({ name }) => name)).toEqual(['c', 'a', 'd'])
  const second = await accounts.list({ limit: 3, cursor: first.next_cursor ?? '' })
  expect(second).toMatchObject({ items: [{ name: 'b' }], next_cursor: null })
  expect(await accounts.list({ limit: 4 })).toMatchObject({ next_cursor: null })
  const unmade = ['7', '000000000000007', 'zzz', '2026-usr_1'].map((at) =>
    encodeCursor({ list: 'users' }, at),
  )
  for (const cursor of ['', 'nonsense', ...unmade]) {
    await expect(accounts.list({ cursor }), cursor).rejects.toMatchObject({ code: 'invalid_cursor' })
  }
})

test('nothing of a password is kept or answered in a way that could be read', async () => {
  const created = await accounts.create(ADA)
  expect(created).toEqual({ ...created, email: ADA.email, name: 'Ada', role: 'admin' })
  expect(Object.keys(created).sort()).toEqual([
    'created_at',
    'email',
    'id',
    'label_selector',
    'name',
    'role',
    'sign_on',
  ])
  const [record] = await users.all()
  expect(JSON.stringify(record)).not.toContain(ADA.password)
  expect(record?.password_hash).toMatch(/^scrypt\$2\$8\$/)
})

test('the first administrator is made where there is nobody, and only there', async () => {
  expect(await accounts.firstAdmin('admin@localhost', ADA.password)).toBe(true)
  expect((await accounts.login({ ...ADA, email: 'admin@localhost' }, HERE)).user.role).toBe('admin')
  expect(await opened().firstAdmin('other@localhost', ADA.password)).toBe(false)
  expect((await users.all()).map(({ email }) => email)).toEqual(['admin@localhost'])
})

test.each([
  [12, true],
  [256, true],
])('a first administrator has a password of %i characters: %s', async (length, is) => {
  expect(await accounts.firstAdmin('admin@localhost', 'x'.repeat(length))).toBe(is)
})

test.each([
  ['of another role', { ...BOB, label_selector: 'area=etch' }, false],
  ['that nobody has', undefined, true],
])('an administrator with an email %s is made', async (_, before, added) => {
  if (before) await accounts.create(before)
  const made = await accounts.resetAdmin(BOB.email, 'another password')
  expect(made).toMatchObject({ added, user: { role: 'admin', email: BOB.email, label_selector: null } })
  expect(await loginAs({ ...BOB, password: 'another password' })).toMatchObject({
    user: { id: made.user.id },
  })
  await expect(accounts.resetAdmin(BOB.email, 'short')).rejects.toMatchObject({ code: 'invalid_request' })
})

test.each(['short', 'x'.repeat(257)])(
  'a first administrator with a password that no login takes is refused',
  async (password) => {
    await expect(accounts.firstAdmin('admin@localhost', password)).rejects.toMatchObject({
      code: 'invalid_request',
    })
    expect(await users.all()).toEqual([])
  },
)

test('a user who refreshed 500 tokens gets no more for now, others do, and a logout still ends the token', async () => {
  await accounts.create(ADA)
  await accounts.create(BOB)
  let token = (await loginAs(BOB)).token
  const first = token
  for (let at = 0; at < 500; at++) token = (await accounts.refresh(await accounts.authenticate(token))).token
  const caller = await accounts.authenticate(token)
  await expect(accounts.refresh(caller)).rejects.toMatchObject({
    code: 'quota_exceeded',
    extra: { retry_after: 600 },
  })
  await accounts.refresh(await accounts.authenticate((await loginAs(ADA)).token))
  await accounts.logout(caller)
  for (const ended of [first, token]) {
    await expect(accounts.authenticate(ended)).rejects.toMatchObject({ code: 'token_revoked' })
  }
  // All tokens of the user ended, so that nothing has to be kept of them.
  expect(await revocations.all()).toHaveLength(1)
  const { token: next } = await loginAs(BOB)
  await accounts.refresh(await accounts.authenticate(next))
})

test('a caller whose token has ended meanwhile changes no user', async () => {
  await accounts.create(ADA)
  const { id } = await accounts.create({ ...BOB, role: 'admin' })
  const bob = async () => accounts.authenticate((await loginAs(BOB)).token)
  const [first, second] = [await bob(), await bob()]
  await accounts.logout(first)
  await expect(accounts.update(id, { name: 'Robert' }, first)).rejects.toMatchObject({
    code: 'token_revoked',
  })
  // While the new user's password is hashed.
  const creating = accounts.create({ ...BOB, email: 'eve@example.com' }, second)
  await Promise.all([
    accounts.update(id, { role: 'viewer' }),
    expect(creating).rejects.toMatchObject({ code: 'token_revoked' }),
  ])
  const [ada] = await users.all()
  await expect(accounts.delete(ada?.id ?? '', second)).rejects.toMatchObject({ code: 'token_revoked' })
  await expect(accounts.refresh(second)).rejects.toMatchObject({ code: 'token_revoked' })
  await accounts.delete(id)
  await expect(accounts.refresh(second)).rejects.toMatchObject({ code: 'token_revoked' })
  expect((await users.all()).map(({ email }) => email)).toEqual([ADA.email])
})

test('a logout beside a refresh ends the token at once', async () => {
  await accounts.create(ADA)
  const { token } = await loginAs(ADA)
  const caller = await accounts.authenticate(token)
  await Promise.all([accounts.refresh(caller), accounts.logout(caller)])
  await expect(accounts.authenticate(token)).rejects.toMatchObject({ code: 'token_revoked' })
})

test('revocations are forgotten some time after their tokens would have ended anyway', async () => {
  await accounts.create(ADA)
  await accounts.logout(await accounts.authenticate((await loginAs(ADA)).token))
  const kept: number[] = []
  for (const hours of [11, 2, 1]) {
    clock.advance(hours * HOUR)
    await accounts.logout(await accounts.authenticate((await loginAs(ADA)).token))
    kept.push((await revocations.all()).length)
  }
  expect(kept).toEqual([2, 3, 3])
})

test('where there is no room for one more revocation, a refresh is refused and a logout ends all of the user’s tokens', async () => {
  await accounts.create(ADA)
  const [one, other] = [await loginAs(ADA), await loginAs(ADA)]
  const caller = await accounts.authenticate(one.token)
  const times = { dies_at: '2026-01-01T00:00:00.000Z', expires_at: '2026-01-02T00:00:00.000Z' }
  for (let at = 0; at < 10_000; at++) await revocations.put({ id: `t${at}`, ...times })
  await expect(accounts.refresh(caller)).rejects.toMatchObject({
    code: 'rate_limited',
    extra: { retry_after: 600 },
  })
  await accounts.logout(caller)
  for (const { token } of [one, other]) {
    await expect(accounts.authenticate(token)).rejects.toMatchObject({ code: 'token_revoked' })
  }
  expect(await users.get(caller.id)).toMatchObject({ token_generation: 2 })
})

test('a logout within the minute after a refresh needs no room, and ends no other token', async () => {
  await accounts.create(ADA)
  const [one, other] = [await loginAs(ADA), await loginAs(ADA)]
  const caller = await accounts.authenticate(one.token)
  await accounts.refresh(caller)
  const times = { dies_at: '2026-01-01T00:00:00.000Z', expires_at: '2026-01-02T00:00:00.000Z' }
  for (let at = 1; at < 10_000; at++) await revocations.put({ id: `t${at}`, ...times })
  await accounts.logout(caller)
  await expect(accounts.authenticate(one.token)).rejects.toMatchObject({ code: 'token_revoked' })
  expect(await accounts.authenticate(other.token)).toMatchObject({ id: caller.id })
})

test('there are ten thousand users at most', async () => {
  const { id } = await accounts.create(ADA)
  const [ada] = await users.all()
  for (let at = 1; at < 10_000; at++)
    await users.put({ ...(ada as UserRecord), id: `usr_${at}`, email: `u${at}@example.com` })
  await expect(accounts.create(BOB)).rejects.toMatchObject({ code: 'quota_exceeded' })
  await accounts.delete(id)
  await accounts.create(BOB)
})

test('a user whose selector cannot be read is refused, and one that can is the caller’s', async () => {
  await accounts.create(ADA)
  const wrong = { code: 'invalid_request', extra: { errors: [{ pointer: '/label_selector' }] } }
  await expect(accounts.create({ ...BOB, label_selector: 'area=(' })).rejects.toMatchObject(wrong)
  const { id, label_selector } = await accounts.create({ ...BOB, label_selector: 'area=etch' })
  expect(label_selector).toBe('area=etch')
  await expect(accounts.update(id, { label_selector: 'area=(' })).rejects.toMatchObject(wrong)
  const { token } = await loginAs(BOB)
  const caller = await accounts.authenticate(token)
  expect(caller).toMatchObject({ label_selector, selector: [expect.anything()] })
  await accounts.update(id, { name: 'Robert' })
  expect(await accounts.authenticate(token)).toMatchObject({ label_selector })
  await accounts.update(id, { label_selector: 'area=litho' })
  await expect(accounts.authenticate(token)).rejects.toMatchObject({ code: 'token_revoked' })
})

test('a user takes no email of another user, and may keep its own', async () => {
  await accounts.create(ADA)
  const { id } = await accounts.create(BOB)
  await expect(accounts.update(id, { email: ADA.email })).rejects.toMatchObject({ code: 'email_taken' })
  expect(await accounts.update(id, { email: 'BOB@example.com' })).toMatchObject({ email: 'BOB@example.com' })
})

test('a password that is right forgets the wrong ones before', async () => {
  await accounts.create(ADA)
  for (const password of ['x', 'x', 'x', 'x', ADA.password, 'x', 'x', 'x', 'x'])
    await loginAs({ ...ADA, password }).catch(() => undefined)
  expect(await loginAs(ADA)).toMatchObject({ user: { email: ADA.email } })
})

test.each([
  ['password', { password: 'another long one' }, 0],
  ['name', { name: 'Countess' }, 1],
])('revocations of a user whose %s changes: %s, of which %i are kept', async (_, change, kept) => {
  const { id } = await accounts.create(ADA)
  await accounts.logout(await accounts.authenticate((await loginAs(ADA)).token))
  await accounts.update(id, change)
  expect(await revocations.all()).toHaveLength(kept)
  expect(await users.get(id)).toMatchObject({ token_generation: 2 - kept })
})

describe('a wall clock that is set', () => {
  let ahead: number
  const revokedToken = async (revoke: (caller: Caller) => Promise<unknown>): Promise<string> => {
    await accounts.create(ADA)
    const { token } = await loginAs(ADA)
    await revoke(await accounts.authenticate(token))
    return token
  }
  const expectRevoked = async (token: string): Promise<void> => {
    for (const each of [accounts, opened()]) {
      await expect(each.authenticate(token)).rejects.toMatchObject({ code: 'token_revoked' })
    }
  }

  beforeEach(() => {
    ahead = 0
    const right = clock.date.bind(clock)
    clock.date = () => new Date(right().getTime() + ahead)
  })

  test.each([-1000, -30_000, -90_000, -5 * HOUR])(
    'by %d ms makes no token valid again that was logged out, or whose minute after a refresh is over',
    async (by) => {
      const [one, other] = [
        await revokedToken((caller) => accounts.logout(caller)),
        (await loginAs(ADA)).token,
      ]
      await accounts.refresh(await accounts.authenticate(other))
      clock.advance(60_000)
      await expectRevoked(other)
      ahead = by
      await expectRevoked(one)
      await expect(accounts.authenticate(other)).rejects.toMatchObject({ code: 'token_revoked' })
      if (by < -60_000) await expectRevoked(other)
    },
  )

  test('back does not lengthen the minute that a refreshed token has', async () => {
    const token = await revokedToken((caller) => accounts.refresh(caller))
    ahead = -5 * HOUR
    clock.advance(59_999)
    await accounts.authenticate(token)
    clock.advance(1)
    await expectRevoked(token)
  })

  test('ahead by more than the life of a token, and back, makes no revoked token valid again', async () => {
    const token = await revokedToken((caller) => accounts.logout(caller))
    const { token: later } = await loginAs(ADA)
    for (const by of [13 * HOUR, 0]) {
      ahead = by
      clock.advance(10 * 60_000) // what is over is looked for
      await accounts.logout(await accounts.authenticate((await loginAs(ADA)).token))
    }
    await expectRevoked(token)
    await accounts.authenticate(later)
  })

  test('ahead before a restart makes the store’s time decide what is forgotten', async () => {
    const token = await revokedToken((caller) => accounts.logout(caller))
    const latest = clock.date().getTime()
    ahead = 13 * HOUR
    accounts = opened(1, new RetentionClock(clock, latest))
    await accounts.logout(await accounts.authenticate((await loginAs(ADA)).token))
    ahead = 0
    await expectRevoked(token)
  })
})
