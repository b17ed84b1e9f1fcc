import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { systemClock as clock, delay } from '../../src/kit/clock.js'
import { StoreUnavailable } from '../../src/store/failure.js'
import type { Tenant } from '../../src/store/ownership.js'
import { Database } from '../../src/store/postgres/database.js'
import { Leases } from '../../src/store/postgres/leases.js'
import { migrate } from '../../src/store/postgres/migrate.js'
import { PostgresServer } from '../support/postgres-server.js'

let server: PostgresServer
beforeAll(async () => {
  server = await PostgresServer.start()
})
afterAll(() => server.remove())

const LEASE_MS = 1000

/** A database whose answers the test spoils. */
class SpoiledDatabase extends Database {
  /** Called before each statement. */
  before: (text: string) => Promise<void> = async () => {}

  override async query(...[text, values]: Parameters<Database['query']>): Promise<never> {
    await this.before(text)
    return (await super.query(text, values)) as never
  }
}

async function leases(): Promise<{ own: Leases; database: SpoiledDatabase; log: string[] }> {
  const database = new SpoiledDatabase({ url: await server.database(), name: 'test' })
  await migrate(database)
  await database.query(
    `INSERT INTO lease (key, version) VALUES ('t1', 1), ('t2', 1); UPDATE change_head SET version = 1`,
  )
  const log: string[] = []
  const tenant: Tenant = {
    take: async (keys) => void log.push(`take ${[...keys].sort()}`),
    give: async (keys, isLost) => void log.push(`${isLost ? 'lose' : 'give'} ${[...keys].sort()}`),
  }
  const own = new Leases({
    database,
    clock,
    node: 'a',
    name: 'a',
    version: '1',
    leaseMs: LEASE_MS,
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
  const started = own.start(tenant)
  await started
  expect(log.splice(0)).toEqual(['take site,t1,t2'])
  return { own, database, log }
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
  await expect.poll(() => log, { timeout: 3000 }).toEqual(['lose t3', 'take t3'])
  expect(own.owns('t3')).toBe(true)
})

it('a lease that had ended for a moment before it was renewed is begun again', async () => {
  const { own, database, log } = await leases()
  let renewals = 0
  database.before = async (text) => {
    if (!text.startsWith('UPDATE node SET expires_at')) return
    renewals += 1
    if (renewals === 1) await delay(clock, LEASE_MS * 0.78)
  }
  await expect.poll(() => own.owns('t1'), { timeout: 3000, interval: 5 }).toBe(false)
  // On a slow machine it may end once more.
  await expect.poll(() => log.at(-1), { timeout: 3000 }).toBe('take site,t1,t2')
  await expect.poll(() => own.epochOf('t1') === 1 + log.length / 2, { timeout: 3000, interval: 5 }).toBe(true)
  expect(log).toEqual(log.map((_, at) => `${at % 2 ? 'take' : 'lose'} site,t1,t2`))
})
