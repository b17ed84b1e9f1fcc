import { describe, expect, test } from 'vitest'
import { STANDARD_CATALOGUE } from '../../src/catalogue/standard-catalogue.js'
import { accountsOf } from '../../src/daemon/gateway-over-store.js'
import { type CallResponse, Idempotency } from '../../src/gateway/idempotency/idempotency.js'
import { IdempotencyKeys } from '../../src/gateway/idempotency/idempotency-keys.js'
import { plainReading } from '../../src/gateway/records/reading.js'
import { deferred } from '../../src/kit/deferred.js'
import { ManualClock } from '../support/manual-clock.js'
import { until } from '../support/until.js'
import { type SharedNode, SharedStore } from './shared-store.js'

const PASSWORD = 'correct horse battery'
const ADDRESS = '192.0.2.1'

const openAccounts = async (node: SharedNode) => {
  const clock = new ManualClock()
  return { clock, accounts: await accountsOf(node, clock, 2) }
}

describe('accounts of several processes', () => {
  const two = async () => {
    const store = new SharedStore()
    return { one: await openAccounts(store.node('one')), two: await openAccounts(store.node('two')) }
  }
  const admin = { email: 'ada@fab.example', password: PASSWORD }

  test('have one first administrator, and no email twice', async () => {
    const { one, two: other } = await two()
    const firsts = await Promise.all(
      [one, other].map(({ accounts }) => accounts.firstAdmin(admin.email, PASSWORD)),
    )
    expect(firsts.sort()).toEqual([false, true])
    const user = { email: 'bo@fab.example', name: 'Bo', role: 'viewer', password: PASSWORD } as const
    const both = await Promise.allSettled([one, other].map(({ accounts }) => accounts.create(user)))
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('end the tokens of a user that another has deleted, and open streams look again', async () => {
    const { one, two: other } = await two()
    await one.accounts.firstAdmin(admin.email, PASSWORD)
    const user = await one.accounts.create({
      email: 'bo@fab.example',
      name: 'Bo',
      role: 'viewer',
      password: PASSWORD,
    })
    const { token } = await one.accounts.login({ email: 'bo@fab.example', password: PASSWORD }, ADDRESS)
    expect(await other.accounts.authenticate(token)).toMatchObject({ id: user.id })
    let changes = 0
    other.accounts.changed.on(() => changes++)
    await one.accounts.delete(user.id)
    await until(() => changes > 0)
    expect(other.accounts.recognised(token)).toBeUndefined()
    await expect(other.accounts.authenticate(token)).rejects.toMatchObject({ code: 'token_revoked' })
  })

  test('end a token at once that another has ended at once, also one that was to end later', async () => {
    const { one, two: other } = await two()
    await one.accounts.firstAdmin(admin.email, PASSWORD)
    const { token } = await one.accounts.login(admin, ADDRESS)
    await one.accounts.refresh(await one.accounts.authenticate(token))
    const caller = await other.accounts.authenticate(token)
    await one.accounts.authenticate(token)
    await other.accounts.logout(caller)
    await until(() => one.accounts.recognised(token) === undefined)
    await expect(one.accounts.authenticate(token)).rejects.toMatchObject({ code: 'token_revoked' })
  })

  test('neither bring back an API key that another has revoked, nor an earlier use', async () => {
    const { one, two: other } = await two()
    await one.accounts.firstAdmin(admin.email, PASSWORD)
    const login = await one.accounts.login(admin, ADDRESS)
    const ada = await one.accounts.authenticate(login.token)
    const given = { role: 'viewer', expires_at: null } as const
    const gone = await one.accounts.keys.create({ name: 'gone', ...given }, ada)
    const kept = await one.accounts.keys.create({ name: 'kept', ...given }, ada)
    for (const { key } of [gone, kept]) await other.accounts.authenticate(key)
    one.clock.advance(10_000)
    await one.accounts.authenticate(kept.key)
    await one.accounts.keys.revoke(gone.id, ada)
    await one.accounts.keys.write()
    await other.accounts.keys.write()
    expect((await one.accounts.keys.list({})).items).toMatchObject([
      { id: kept.id, last_used_at: '2026-01-01T00:00:10.000Z' },
    ])
    await expect(other.accounts.authenticate(gone.key)).rejects.toMatchObject({ code: 'token_revoked' })
  })
})

describe('a request with a key', () => {
  const CREATED: CallResponse = { status: 201, body: { id: 'eq_1' } }

  async function several() {
    const store = new SharedStore()
    const clock = new ManualClock()
    const open = async (name: string) => {
      const node = store.node(name)
      const { journal } = node
      const keys = new IdempotencyKeys(clock)
      await journal.attach([keys])
      const reading = () => plainReading(STANDARD_CATALOGUE)
      return {
        node,
        journal,
        keys,
        idempotency: new Idempotency(journal, keys, clock, reading, node.ownership),
      }
    }
    return { clock, one: await open('one'), two: await open('two') }
  }
  const IN_PROGRESS = { code: 'idempotency_in_progress' }

  test('that two processes begin at once is carried out by one', async () => {
    const { one, two } = await several()
    const done = deferred<CallResponse>()
    let runs = 0
    const work = () => {
      runs++
      return done.promise
    }
    one.node.lags = true
    two.node.lags = true
    const all = [one, two].map(({ idempotency }) => idempotency.run('ann', 'k', 'f', work))
    const [first, second] = all
    await expect(second).rejects.toMatchObject(IN_PROGRESS)
    await expect(two.idempotency.run('ann', 'k', 'f', work)).rejects.toMatchObject(IN_PROGRESS)
    done.resolve(CREATED)
    expect(await first).toEqual({ ...CREATED, replayed: false })
    expect(runs).toBe(1)
    // It still does not know the answer: it does once its own entry is recorded.
    two.journal.catchUp()
    expect(await two.idempotency.run('ann', 'k', 'f', work)).toEqual({ ...CREATED, replayed: true })
    expect(runs).toBe(1)
  })

  test('that was answered before the other process knew of it is answered the same', async () => {
    const { one, two } = await several()
    two.node.lags = true
    await one.idempotency.run('ann', 'k', 'f', async () => CREATED)
    expect(await two.idempotency.run('ann', 'k', 'f', async () => ({ status: 500, body: null }))).toEqual({
      ...CREATED,
      replayed: true,
    })
    expect(one.keys.size).toBe(1)
    await expect(two.idempotency.run('ann', 'k', 'g', async () => CREATED)).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    })
  })

  test('is in progress while the process lives that carries it out, then its outcome is unknown', async () => {
    const { one, two } = await several()
    const begun = deferred<void>()
    void one.idempotency.run('ann', 'k', 'f', () => {
      begun.resolve()
      return new Promise<CallResponse>(() => {})
    })
    await begun.promise
    await until(() => two.keys.size === 1)
    const again = () => two.idempotency.run('ann', 'k', 'f', async () => CREATED)
    await expect(again()).rejects.toMatchObject(IN_PROGRESS)
    one.node.isAlive = false
    await expect(again()).rejects.toMatchObject({ code: 'outcome_unknown' })
  })

  test('that failed without effect, or is older than a day, is carried out anew by another process', async () => {
    const { clock, one, two } = await several()
    await expect(
      one.idempotency.run('ann', 'k', 'f', async () => {
        throw new Error('made up')
      }),
    ).rejects.toThrow('made up')
    await until(() => two.journal.last === 2)
    expect(await two.idempotency.run('ann', 'k', 'f', async () => CREATED)).toMatchObject({ replayed: false })
    await until(() => one.keys.size === 1)
    clock.advance(24 * 60 * 60_000 + 1)
    expect(await one.idempotency.run('ann', 'k', 'g', async () => CREATED)).toMatchObject({ replayed: false })
    expect(await one.idempotency.run('ann', 'k', 'g', async () => CREATED)).toMatchObject({ replayed: true })
    await until(() => two.keys.size === 1 && two.journal.last === one.journal.last)
    expect(await two.idempotency.run('ann', 'k', 'g', async () => CREATED)).toMatchObject({ replayed: true })
  })
})
