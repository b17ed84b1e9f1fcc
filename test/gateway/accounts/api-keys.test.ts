import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { CreatedApiKey, NewApiKey } from '../../../src/contract/topics/accounts/keys.js'
import { Accounts } from '../../../src/gateway/accounts/accounts.js'
import type { Caller } from '../../../src/gateway/accounts/caller.js'
import type { KeyRecord } from '../../../src/gateway/accounts/key-record.js'
import { RetentionClock } from '../../../src/store/retention-clock.js'
import { ManualClock } from '../../support/manual-clock.js'
import { MemoryCollection } from '../../support/memory-store.js'

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

/** Its wall clock can be set. */
class SettableClock extends ManualClock {
  ahead = 0

  override date(): Date {
    return new Date(super.date().getTime() + this.ahead)
  }
}

class CountedCollection extends MemoryCollection<KeyRecord> {
  puts = 0

  override put(record: KeyRecord): Promise<void> {
    this.puts++
    return super.put(record)
  }
}

let clock: SettableClock
let apiKeys: CountedCollection
let accounts: Accounts
let admin: Caller

/** Accounts over the same records: what a restart finds. */
const opened = () =>
  new Accounts({
    users: new MemoryCollection(),
    revocations: new MemoryCollection(),
    sessions: new MemoryCollection(),
    apiKeys,
    clock,
    trustedTime: new RetentionClock(clock, undefined),
    key: new Uint8Array(32),
    passwordCost: 2,
  })

beforeEach(async () => {
  clock = new SettableClock()
  apiKeys = new CountedCollection()
  accounts = opened()
  const login = { email: 'ada@example.com', password: 'correct horse battery' }
  await accounts.create({ ...login, name: 'Ada', role: 'admin' })
  admin = await accounts.authenticate((await accounts.login(login, '192.0.2.1')).token)
})

const create = (given: Partial<NewApiKey> = {}): Promise<CreatedApiKey> =>
  accounts.keys.create({ name: 'mes', role: 'operator', expires_at: inOneDay(), ...given }, admin)
const inOneDay = (): string => new Date(clock.date().getTime() + DAY).toISOString()
const codeOf = (token: string, from = accounts): Promise<string> =>
  from.authenticate(token).then(
    () => 'accepted',
    ({ code }) => code,
  )

test('a key is shown once and kept as its hash', async () => {
  const { key, ...created } = await create()
  expect(key).toMatch(/^secsctl_[0-9a-z]{10}_[0-9a-f]{64}$/)
  expect(created).toEqual({
    id: `key_${key.split('_')[1]}`,
    name: 'mes',
    role: 'operator',
    label_selector: null,
    created_at: '2026-01-01T00:00:00.000Z',
    created_by: 'ada@example.com',
    expires_at: '2026-01-02T00:00:00.000Z',
    expired: false,
    last_used_at: null,
  })
  expect(await accounts.keys.get(created.id)).toEqual(created)
  expect((await accounts.keys.list({})).items).toEqual([created])
  const [record] = await apiKeys.all()
  expect(record?.hash).toBe(createHash('sha256').update(key).digest('hex'))
  expect(JSON.stringify(record)).not.toContain(key.split('_')[2])
})

test('the caller of a key has its name, its role and its expiry', async () => {
  const { key, id, expires_at } = await create()
  const caller = await accounts.authenticate(key)
  expect(caller).toMatchObject({
    id,
    email: 'key:mes',
    role: 'operator',
    key: { id, name: 'mes', expires_at },
  })
  expect(accounts.recognised(key)).toBe(caller)
})

test('another text is no key', async () => {
  const { key } = await create()
  const other = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')
  expect(await codeOf(other)).toBe('token_revoked')
  expect(await codeOf(key.replace(/_.{10}_/, '_aaaaaaaaaa_'))).toBe('token_revoked')
  clock.advance(2 * DAY)
  expect(await codeOf(other)).toBe('token_revoked')
  for (const text of ['secsctl_', key.slice(0, -1), `${key}0`, key.toUpperCase()])
    expect(await codeOf(text)).toBe('unauthenticated')
})

test('a name is unique, also while its key has expired, and is free again when the key was revoked', async () => {
  const { id } = await create()
  clock.advance(2 * DAY)
  await expect(create()).rejects.toMatchObject({ code: 'key_name_taken', status: 409 })
  await accounts.keys.revoke(id, admin)
  expect(await apiKeys.all()).toEqual([])
  await create()
})

test.each([
  ['9999-12-31T23:59:59-23:59', '9999-12-31T23:59:59.999Z'],
  ['2026-12-31T23:59:60Z', '2027-01-01T00:00:00.000Z'],
  ['2027-01-01t02:00:00.5+02:00', '2027-01-01T00:00:00.500Z'],
])('an expiry of %s is stored as UTC with four digits of the year', async (given, expires_at) => {
  const { id } = await create({ expires_at: given })
  expect(await accounts.keys.get(id)).toMatchObject({ expires_at })
})

test('a key that would have expired already, or whose selector cannot be read, is refused', async () => {
  await expect(create({ expires_at: clock.date().toISOString() })).rejects.toMatchObject({
    code: 'invalid_request',
    extra: { errors: [{ pointer: '/expires_at', detail: 'must be in the future' }] },
  })
  await expect(create({ label_selector: 'area=' + '(' })).rejects.toMatchObject({
    code: 'invalid_request',
    extra: { errors: [{ pointer: '/label_selector' }] },
  })
  expect(await apiKeys.all()).toEqual([])
})

test('there are a thousand keys at most', async () => {
  const { id } = await create()
  const [record] = await apiKeys.all()
  for (let at = 1; at < 1000; at++)
    await apiKeys.put({ ...(record as KeyRecord), id: `key_${at}`, name: `n${at}` })
  await expect(create({ name: 'one-more' })).rejects.toMatchObject({ code: 'quota_exceeded' })
  await accounts.keys.revoke(id, admin)
  await create({ name: 'one-more' })
})

test('a revoked key is refused at once, and what listens is told', async () => {
  const { key, id } = await create()
  await accounts.authenticate(key)
  let changes = 0
  accounts.changed.on(() => changes++)
  await accounts.keys.revoke(id, admin)
  expect(changes).toBe(1)
  expect(accounts.recognised(key)).toBeUndefined()
  expect(await codeOf(key)).toBe('token_revoked')
  await expect(accounts.keys.revoke(id, admin)).rejects.toMatchObject({ code: 'key_not_found' })
})

test('an admin key manages users and keys until it is revoked', async () => {
  const { key, id } = await create({ role: 'admin' })
  const caller = await accounts.authenticate(key)
  const other = await accounts.keys.create({ name: 'other', role: 'viewer', expires_at: null }, caller)
  expect(other.created_by).toBe('key:mes')
  await accounts.keys.revoke(id, caller)
  const bob = {
    email: 'bob@example.com',
    name: 'Bob',
    role: 'viewer',
    password: 'a stapled password',
  } as const
  await expect(accounts.create(bob, caller)).rejects.toMatchObject({ code: 'token_revoked' })
  await expect(accounts.keys.revoke(other.id, caller)).rejects.toMatchObject({ code: 'token_revoked' })
})

describe('expiry', () => {
  test('a key ends at its time and is shown as expired', async () => {
    const { key, id } = await create()
    clock.advance(DAY - 1)
    expect(await codeOf(key)).toBe('accepted')
    clock.advance(1)
    expect(accounts.recognised(key)).toBeUndefined()
    expect(await codeOf(key)).toBe('token_expired')
    expect(await accounts.keys.get(id)).toMatchObject({ expired: true })
  })

  test('a key without an expiry does not end', async () => {
    const { key } = await create({ expires_at: null })
    clock.advance(10_000 * DAY)
    expect(await codeOf(key)).toBe('accepted')
    expect((await accounts.authenticate(key)).tokenExpires).toBe(Number.POSITIVE_INFINITY)
  })

  test('a clock that is set back does not make a key valid again', async () => {
    const { key } = await create()
    await accounts.authenticate(key)
    clock.advance(2 * DAY)
    clock.ahead = -3 * DAY
    expect(accounts.recognised(key)).toBeUndefined()
    expect(await codeOf(key)).toBe('token_expired')
    accounts = opened()
    expect(await codeOf(key)).toBe('token_expired')
  })

  test('a key that was refused as expired stays so after a crash', async () => {
    const { key } = await create({ expires_at: new Date(clock.date().getTime() + 10_000).toISOString() })
    clock.advance(20_000)
    for (let times = 0; times < 2; times++) expect(await codeOf(key)).toBe('token_expired')
    expect(apiKeys.puts).toBe(2)
    clock.ahead = -HOUR
    accounts = opened()
    expect(await codeOf(key)).toBe('token_expired')
  })

  test('a clock that is set back before a key expires does not make it last longer', async () => {
    const { key } = await create()
    await accounts.authenticate(key)
    clock.ahead = -3 * DAY
    clock.advance(DAY - 1)
    expect(await codeOf(key)).toBe('accepted')
    clock.advance(1)
    expect(accounts.recognised(key)).toBeUndefined()
    expect(await codeOf(key)).toBe('token_expired')
  })

  test('a key that expired while the gateway was off stays expired', async () => {
    const { key } = await create()
    clock.advance(2 * DAY)
    accounts = opened()
    await accounts.keys.write()
    clock.ahead = -3 * DAY
    accounts = opened()
    expect(await codeOf(key)).toBe('token_expired')
  })

  test('a key that nobody uses expires for good, also where the store was away for a while', async () => {
    const { key, id } = await create()
    const passMinutes = async (minutes: number): Promise<void> => {
      for (let at = 0; at < minutes; at++) {
        clock.advance(60_000)
        await settled()
      }
    }
    await passMinutes(24 * 60 - 1)
    apiKeys.failure = new Error('away: made up')
    await passMinutes(5)
    apiKeys.failure = undefined
    await passMinutes(2)
    expect(await apiKeys.get(id)).toMatchObject({ expired: true, last_used_at: null })
    clock.ahead = -3 * DAY
    accounts = opened()
    expect(await codeOf(key)).toBe('token_expired')
  })

  test('a key that another process has made expires for good here, too', async () => {
    const { id } = await create()
    await accounts.keys.close()
    const other = opened()
    apiKeys.changed.emit(id)
    clock.advance(DAY + 60_000)
    await settled()
    expect(await apiKeys.get(id)).toMatchObject({ expired: true })
    await other.keys.close()
  })

  test('a clock that jumps ahead for an hour ends no key for good', async () => {
    const { key, id } = await create()
    clock.ahead = 10 * 365 * DAY
    expect(await codeOf(key)).toBe('token_expired')
    clock.advance(HOUR)
    clock.ahead = 0
    expect(await codeOf(key)).toBe('accepted')
    expect(await accounts.keys.get(id)).toMatchObject({ expired: false })
  })
})

describe('last use', () => {
  test('is shown at once, and written once a minute, however often the key is used', async () => {
    const { key, id } = await create()
    const before = apiKeys.puts
    clock.advance(1000)
    for (let at = 0; at < 1000; at++) await accounts.authenticate(key)
    expect(await accounts.keys.get(id)).toMatchObject({ last_used_at: '2026-01-01T00:00:01.000Z' })
    clock.advance(58_999)
    await settled()
    expect(apiKeys.puts).toBe(before)
    clock.advance(1001)
    await settled()
    expect(apiKeys.puts).toBe(before + 1)
    clock.advance(10 * 60_000)
    await settled()
    expect(apiKeys.puts).toBe(before + 1)
    expect((await opened().keys.get(id)).last_used_at).toBe('2026-01-01T00:00:01.000Z')
  })

  test('is never an earlier one: not that of another process, nor by a clock that was set back', async () => {
    const { key, id } = await create()
    await accounts.authenticate(key)
    // Another process has seen a later use.
    const later = '2026-01-01T00:00:30.000Z'
    await apiKeys.put({ ...((await apiKeys.get(id)) as KeyRecord), last_used_at: later })
    clock.advance(60_000)
    await settled()
    expect((await apiKeys.get(id))?.last_used_at).toBe(later)
    await accounts.authenticate(key)
    clock.ahead = -10_000
    await accounts.authenticate(key)
    clock.advance(60_000)
    await settled()
    expect((await apiKeys.get(id))?.last_used_at).toBe('2026-01-01T00:01:00.000Z')
  })

  test('is on disk after an orderly stop, and nothing is written later', async () => {
    const { key, id } = await create()
    clock.advance(1000)
    await accounts.authenticate(key)
    await accounts.keys.close()
    expect((await opened().keys.get(id)).last_used_at).toBe('2026-01-01T00:00:01.000Z')
    await accounts.authenticate(key)
    expect(clock.scheduled).toBe(0)
  })

  test('is not looked for where there is no key, nor after a stop', async () => {
    await accounts.keys.write()
    expect(clock.scheduled).toBe(0)
    await accounts.keys.close()
    await create()
    expect(clock.scheduled).toBe(0)
  })

  test('is not written for a key that was revoked meanwhile', async () => {
    const { key, id } = await create()
    await accounts.authenticate(key)
    const revoking = accounts.keys.revoke(id, admin)
    await Promise.all([revoking, accounts.keys.write()])
    expect(await apiKeys.all()).toEqual([])
  })

  test('a disk that fails does not fail the call', async () => {
    const { key } = await create()
    await accounts.authenticate(key)
    apiKeys.failure = new Error('disk full')
    clock.advance(60_000)
    await settled()
    expect(await codeOf(key)).toBe('accepted')
    await accounts.keys.close()
  })
})

/** Lets what the clock has begun go on to its end. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
