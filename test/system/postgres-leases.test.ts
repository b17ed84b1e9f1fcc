import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type Clock, delay, systemClock } from '../../src/kit/clock.js'
import { deferred } from '../../src/kit/deferred.js'
import { StoreUnavailable } from '../../src/store/failure.js'
import type { LeaseHolder } from '../../src/store/ownership.js'
import { Database } from '../../src/store/postgres/database.js'
import { Leases } from '../../src/store/postgres/leases.js'
import { migrate } from '../../src/store/postgres/migrate.js'
import { ManualClock } from '../support/manual-clock.js'
import { PostgresServer } from './postgres-server.js'

let server: PostgresServer
beforeAll(async () => {
  server = await PostgresServer.start({}, { hasOwnTime: true })
})
afterAll(() => server.remove())

const clock = systemClock
/** A busy machine may keep this process from renewing them for some seconds. */
const LEASE_MS = 6000

/** A database whose answers the test spoils. */
class SpoiledDatabase extends Database {
  /** Called before each statement. */
  before: (text: string) => Promise<void> = async () => {}
  /** Called with each statement that was carried out, before it is answered. */
  after: (text: string) => Promise<void> = async () => {}

  override async query(...[text, values]: Parameters<Database['query']>): Promise<never> {
    await this.before(text)
    const rows = await super.query(text, values)
    await this.after(text)
    return rows as never
  }
}

async function leases(name = 'a', url?: string, clock: Clock = systemClock, leaseMs = LEASE_MS) {
  const given = url ?? (await server.database())
  const database = new SpoiledDatabase({ url: given, name: 'test' })
  await migrate(database)
  if (url === undefined)
    await database.query(
      `INSERT INTO lease (key, version) VALUES ('t1', 1), ('t2', 1); UPDATE change_head SET version = 1`,
    )
  const log: string[] = []
  const holder: LeaseHolder = {
    take: async (keys) => void log.push(`take ${[...keys].sort()}`),
    give: async (keys, isLost) => void log.push(`${isLost ? 'lose' : 'give'} ${[...keys].sort()}`),
  }
  const own = new Leases({
    database,
    clock,
    node: name,
    name,
    version: '1',
    leaseMs,
    read: () => 0,
    notify: () => {},
    onBroken: (error) => expect.unreachable(error.message),
  })
  await own.register()
  onTestFinished(async () => {
    database.before = async () => {}
    await own.stop()
    await database.close()
  })
  const started = own.start(holder)
  await started
  if (url === undefined) expect(log.splice(0)).toEqual(['take site,t1,t2'])
  return { own, database, log, url: given }
}

it('a key whose claim was answered, and nothing after it, is claimed and taken again', async () => {
  const { own, database, log } = await leases()
  await database.query(`INSERT INTO lease (key, version) VALUES ('t3', next_version())`)
  let claims = 0
  let cuts = 0
  database.before = async (text) => {
    if (text.includes('claim_leases')) claims += 1
    else if (claims === 1 && cuts === 0) {
      cuts += 1
      throw new StoreUnavailable('cut')
    }
  }
  await own.refresh()
  await expect.poll(() => log).toEqual(['lose t3', 'take t3'])
  expect(own.owns('t3')).toBe(true)
})

it('a lease that had ended for a moment before it was renewed is begun again', async () => {
  const { own, database, log } = await leases()
  let renewals = 0
  database.before = async (text) => {
    if (!text.startsWith('UPDATE node SET renewal')) return
    renewals += 1
    if (renewals === 1) await delay(clock, LEASE_MS * 0.78)
  }
  await expect.poll(() => log).toContain('take site,t1,t2')
  await expect.poll(() => own.epochOf('t1') > 1, { interval: 5 }).toBe(true)
  // On a slow machine it ends again, also before what was claimed has been taken.
  expect(log.join('; ')).toMatch(/^(?:lose site,t1,t2; )+take site,t1,t2/)
  expect(new Set(log)).toEqual(new Set(['lose site,t1,t2', 'take site,t1,t2']))
})

it('no key stays without service when a process has lost more than its share for a moment', async () => {
  const first = await leases()
  const second = await leases('b', first.url)
  const keys = ['site', 't1', 't2']
  let renewals = 0
  first.database.before = async (text) => {
    if (!text.startsWith('UPDATE node SET renewal')) return
    renewals += 1
    if (renewals > 1) return
    // From now on half of the keys is its share.
    await second.own.announce('http://b')
    await delay(clock, LEASE_MS * 0.65)
  }
  await expect.poll(() => first.log.includes(`lose ${keys}`), { interval: 5 }).toBe(true)
  const served = () => keys.filter((key) => first.own.owns(key) || second.own.owns(key))
  await expect.poll(served).toEqual(keys)
  await expect.poll(() => ['t1', 't2'].some((key) => second.own.owns(key))).toBe(true)
})

/** No statement of it is answered any more, as of a process that hangs. */
const hang = (database: SpoiledDatabase): void => {
  const over = deferred<void>()
  onTestFinished(() => over.resolve())
  database.before = async () => {
    await over.promise
    throw new StoreUnavailable('it hung')
  }
}

const HOUR = 3600

it.each([
  ['ahead', HOUR],
  ['behind', -HOUR],
])(
  'a clock of the database that was an hour %s for a time keeps nobody from taking over',
  async (_, seconds) => {
    const first = await leases()
    const second = await leases('b', first.url)
    server.setClock(seconds)
    onTestFinished(() => server.setClock(0))
    const asked = `SELECT extract(epoch FROM clock_timestamp())::float8 - ${Date.now() / 1000} AS ahead`
    const [row] = (await first.database.query(asked)) as unknown as readonly { readonly ahead: number }[]
    expect(Math.abs(Number(row?.ahead) - seconds)).toBeLessThan(60)
    const renewals = () => first.database.query('SELECT renewal FROM node ORDER BY id')
    const renewed = await renewals()
    await expect.poll(renewals).not.toEqual(renewed)
    expect(first.own.owns('t1')).toBe(true)
    server.setClock(0)
    let renewedAt = Number.NaN
    first.database.before = async (text) => {
      if (text.startsWith('UPDATE node SET renewal')) renewedAt = clock.now()
    }
    await expect.poll(() => renewedAt).not.toBeNaN()
    hang(first.database)
    await expect.poll(() => ['site', 't1', 't2'].every((key) => second.own.owns(key))).toBe(true)
    // The other one has seen the last renewal after it was asked for.
    expect(clock.now() - renewedAt).toBeGreaterThanOrEqual(LEASE_MS)
    expect(first.own.owns('t1')).toBe(false)
  },
)

it('leases that are renewed are not taken, however far the clock of the database jumps', async () => {
  const first = await leases()
  const second = await leases('b', first.url)
  const renewals = () => first.database.query('SELECT id, renewal FROM node ORDER BY id')
  for (const seconds of [HOUR, -HOUR, 100 * HOUR, 0]) {
    server.setClock(seconds)
    const before = (await renewals()) as unknown as readonly { readonly renewal: string }[]
    const rises = async (): Promise<readonly boolean[]> =>
      ((await renewals()) as unknown as typeof before).map(
        ({ renewal }, at) => Number(renewal) > Number(before[at]?.renewal) + 1,
      )
    await expect.poll(rises).toEqual([true, true])
  }
  expect(first.log.filter((line) => line.startsWith('lose'))).toEqual([])
  expect(second.own.nodes().filter(({ expires_in }) => expires_in > 0)).toHaveLength(2)
})

it('a lease counts from when its renewal was asked for, not from the answer', async () => {
  const time = new ManualClock()
  const leaseMs = 1000
  const { own, database } = await leases('a', undefined, time, leaseMs)
  const carriedOut = deferred<void>()
  const answered = deferred<void>()
  const renewed = deferred<void>()
  database.after = async (text) => {
    if (text.startsWith('UPDATE node SET renewal')) {
      carriedOut.resolve()
      await answered.promise
    } else if (text.startsWith('SELECT key, owner')) renewed.resolve()
  }
  time.advance(leaseMs / 4)
  await carriedOut.promise
  time.advance(leaseMs / 4)
  answered.resolve()
  await renewed.promise
  hang(database)
  time.advance(leaseMs * 0.5)
  expect([time.now(), own.owns('t1')]).toEqual([leaseMs, true])
  time.advance(leaseMs * 0.06)
  expect(own.owns('t1')).toBe(false)
})

it('a process that drains gives all it has, and takes nothing until it no longer drains', async () => {
  const first = await leases()
  const second = await leases('b', first.url)
  await second.own.announce('http://b')
  await first.own.announce('http://a')
  expect(await second.own.drain('a', true)).toBe(true)
  const keys = ['site', 't1', 't2']
  await expect.poll(() => keys.every((key) => second.own.owns(key))).toBe(true)
  expect(first.log.filter((line) => line.startsWith('lose'))).toEqual([])
  expect(first.own.nodes().find(({ id }) => id === 'a')?.draining).toBe(true)
  expect(await second.own.drain('a', false)).toBe(true)
  await expect.poll(() => keys.some((key) => first.own.owns(key))).toBe(true)
})

it('the last state that was published is written when its key is handed over', async () => {
  const first = await leases()
  const second = await leases('b', first.url)
  first.own.publish('t1', { state: 'SELECTED' })
  await first.own.stop()
  await second.own.refresh()
  expect(second.own.published('t1')).toEqual({ state: 'SELECTED' })
})
