import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { EntryNumber, type NewEntry } from '../../src/store/entry.js'
import type { JournalQuery } from '../../src/store/journal.js'
import { Database } from '../../src/store/postgres/database.js'
import { migrate } from '../../src/store/postgres/migrate.js'
import { MIGRATIONS } from '../../src/store/postgres/migrations.js'
import { openPostgresStore } from '../../src/store/postgres/open-postgres.js'
import type { Store } from '../../src/store/store.js'
import { ManualClock } from '../support/manual-clock.js'
import { Chance } from '../world/chance.js'
import { statementOf } from '../world/postgres/statements.js'
import { emptyTables, type Tables } from '../world/postgres/tables.js'
import { Transaction } from '../world/postgres/transaction.js'
import { PostgresServer } from './postgres-server.js'

/** The simulated world has a model of the database. Here every statement of the store goes to PostgreSQL and to the model. */

let server: PostgresServer
const { Client, Pool } = pg
beforeAll(async () => {
  server = await PostgresServer.start()
})
afterAll(async () => {
  Object.assign(pg, { Client, Pool })
  await server.remove()
})

type Row = Readonly<Record<string, unknown>>
type Result = { readonly rows: readonly Row[] } | { readonly code: unknown }

const BEGIN_TIME = Date.UTC(2026, 0, 1, 22)
/** Of these the model says something else, which nothing depends on. */
const NOT_COMPARED = ['journal', 'day', 'bytes']
/** Their rows say nothing. */
const WITHOUT_RESULT = /pg_advisory|add_partition/
/** What removes the partitions of PostgreSQL, which the model does not have. */
const OF_PARTITIONS = /inhdetachpending|^ALTER TABLE/

/** One database and its model, which are given the same statements in the same order. */
class Both {
  readonly tables: Tables = emptyTables('one', MIGRATIONS.length)
  now = BEGIN_TIME
  compared = 0
  readonly differences: string[] = []
  /** Marks are other numbers in the model: the same where those of PostgreSQL are the same. */
  readonly #marks = new Map<unknown, unknown>([[null, null]])
  #underWay = 0
  #turn: Promise<unknown> = Promise.resolve()

  constructor(readonly admin: pg.Client) {}

  setTime(now: number): Promise<unknown> {
    return this.#between(async () => {
      await this.admin.query('UPDATE test_time SET at = to_timestamp($1 / 1000.0)', [now])
      this.now = now
    })
  }

  setHistory(history: string): Promise<unknown> {
    return this.#between(async () => {
      await this.admin.query('UPDATE test_time SET history = $1', [history])
      this.tables.history = history
    })
  }

  /** Changes both while no statement runs, such as that of a connection that was slow to open. */
  #between(change: () => Promise<void>): Promise<unknown> {
    this.#turn = this.#turn.then(change)
    return this.#turn
  }

  /** Resolves once nothing is under way. */
  async quiet(): Promise<void> {
    for (let turns = 0; turns < 20; turns++) {
      await new Promise((resolve) => setImmediate(resolve))
      if (this.#underWay > 0) turns = 0
    }
  }

  run(
    client: TwoClients,
    text: string,
    values: readonly unknown[],
    real: () => Promise<Result>,
  ): Promise<Result> {
    this.#underWay += 1
    const turn = this.#turn.then(async () => {
      const result = await real()
      if (!OF_PARTITIONS.test(text)) this.#compare(text, values, result, this.#modelled(client, text, values))
      return result
    })
    this.#turn = turn.catch(() => {})
    return turn.finally(() => {
      this.#underWay -= 1
    })
  }

  #modelled(client: TwoClients, text: string, values: readonly unknown[]): Result {
    if (text === 'BEGIN') client.transaction = new Transaction(this.tables)
    if (text === 'COMMIT') client.transaction?.commit(this.now)
    if (text === 'COMMIT') client.transaction = undefined
    if (text === 'BEGIN' || text === 'COMMIT') return { rows: [] }
    try {
      const { transaction } = client
      if (transaction) return { rows: transaction.execute(text, values, this.now) }
      return { rows: statementOf(text).run(this.tables, values, this.now) }
    } catch (error) {
      return { code: (error as { readonly code?: string }).code ?? String(error) }
    }
  }

  #compare(text: string, values: readonly unknown[], real: Result, modelled: Result): void {
    this.compared += 1
    if (WITHOUT_RESULT.test(text) || this.#areSame(text, real, modelled)) return
    const said = [real, modelled].map((one) => JSON.stringify('code' in one ? one : one.rows).slice(0, 2000))
    this.differences.push(`${text}\n${JSON.stringify(values)}\nPostgreSQL: ${said[0]}\nmodel: ${said[1]}`)
  }

  #areSame(text: string, real: Result, modelled: Result): boolean {
    if ('code' in real || 'code' in modelled)
      return 'code' in real && 'code' in modelled && real.code === modelled.code
    const key = ({ key }: Row): string => String(key)
    const sorted = (rows: readonly Row[]): readonly Row[] =>
      // They come, and get their versions, in any order.
      /claim_leases|JOIN lease/.test(text)
        ? [...rows].sort((one, other) => (key(one) < key(other) ? -1 : 1))
        : partsOf(rows)
    const [rows, others] = [sorted(real.rows), sorted(modelled.rows)]
    return (
      rows.length === others.length &&
      rows.every((row, at) => this.#isSameRow(row, others[at] as Row, text.includes('JOIN lease')))
    )
  }

  #isSameRow(row: Row, other: Row, isLease: boolean): boolean {
    return Object.entries(row).every(([name, value]) => {
      if (NOT_COMPARED.includes(name) || (isLease && name === 'version')) return true
      const isMark = name.startsWith('mark') && !String(value).includes(' ')
      // A set: PostgreSQL gives it in the order of its plan.
      if (name === 'stale') return String(setOf(value)) === String(setOf(other[name]))
      if (!isMark) return JSON.stringify(value) === JSON.stringify(other[name] ?? null)
      const mark = other[name] ?? null
      if (!this.#marks.has(value)) this.#marks.set(value, mark)
      return this.#marks.get(value) === mark
    })
  }
}

const setOf = (value: unknown): readonly unknown[] | null => (Array.isArray(value) ? [...value].sort() : null)

/** What a process reads of the others comes as one text: the words of each entry, and its data. */
function partsOf(rows: readonly Row[]): readonly Row[] {
  const { page } = (rows[0] ?? {}) as { readonly page?: string | null }
  if (page === undefined) return rows
  const parts = JSON.parse(`[${page ?? ''}]`) as readonly unknown[]
  return parts.map((part) =>
    Array.isArray(part) ? { words: part.slice(0, -1), mark: part.at(-1) } : { data: part },
  )
}

/** A connection to PostgreSQL whose statements the model is given, too. */
interface TwoClients {
  transaction: Transaction | undefined
}

function takeOverDriver(both: Both): void {
  const RealClient = Client as unknown as new (config: object) => pg.Client
  class Teed extends RealClient implements TwoClients {
    transaction: Transaction | undefined

    // The driver's own has a dozen forms: the store uses these.
    override query = ((
      given: string | { readonly text: string; readonly values?: unknown[] },
      values?: unknown[],
    ) => {
      const text = typeof given === 'string' ? given : given.text
      const sent = (typeof given === 'string' ? values : given.values) ?? []
      const real = (): Promise<Result> =>
        RealClient.prototype.query.call(
          this,
          given as string,
          values as unknown[],
        ) as unknown as Promise<Result>
      const caught = (): Promise<Result> =>
        real().catch((error: unknown) => ({
          code: (error as { readonly code?: string }).code ?? String(error),
        }))
      return both.run(this, text, sent, caught).then((result) => {
        if ('code' in result) throw Object.assign(new Error(String(result.code)), { code: result.code })
        return result
      })
    }) as unknown as pg.Client['query']
  }
  const RealPool = Pool as unknown as new (options: object) => pg.Pool
  const TeedPool = class extends RealPool {
    constructor(options: object) {
      super({ ...options, Client: Teed })
    }
  }
  Object.assign(pg, { Client: Teed, Pool: TeedPool })
}

/** A new database whose time and history the test says. */
async function newDatabase(): Promise<{ readonly url: string; readonly both: Both }> {
  Object.assign(pg, { Client, Pool })
  const url = await server.database()
  const plain = new Database({ url, name: 'plain' })
  await migrate(plain)
  await plain.close()
  const admin = new Client({ connectionString: url })
  admin.on('error', () => {})
  onTestFinished(() => admin.end())
  await admin.connect()
  await admin.query('CREATE TABLE test_time (at timestamptz, history text)')
  await admin.query("INSERT INTO test_time VALUES (now(), 'one')")
  await admin.query(
    "CREATE OR REPLACE FUNCTION secsctl_now() RETURNS timestamptz LANGUAGE sql AS 'SELECT at FROM test_time'",
  )
  await admin.query(
    'CREATE OR REPLACE FUNCTION secsctl_history() RETURNS text LANGUAGE plpgsql AS $$ BEGIN RETURN (SELECT history FROM test_time); END $$',
  )
  const both = new Both(admin)
  await both.setTime(BEGIN_TIME)
  takeOverDriver(both)
  return { url, both }
}

interface Node {
  readonly store: Store
  readonly clock: ManualClock
  readonly failed: () => Error | undefined
}

async function openNode(url: string, nodeName: string): Promise<Node> {
  const clock = new ManualClock()
  const retention = { maxAge: 24 * 60 * 60_000, maxBytes: 1024 ** 3 }
  const store = await openPostgresStore({
    url,
    nodeName,
    version: '1',
    leaseMs: 5000,
    checks: {},
    retention,
    clock,
  })
  onTestFinished(() => store.close())
  let failure: Error | undefined
  void store.failed.then((error) => {
    failure = error
  })
  await store.collection('equipment', { owned: true })
  await store.collection('users')
  await store.journal.attach([])
  await store.ownership.start({ take: async () => {}, give: async () => {} })
  await store.ownership.announce(`http://${nodeName}`)
  return { store, clock, failed: () => failure }
}

const KEYS = ['eq_1', 'eq_2', 'eq_3', 'eq_4', 'none']
const TYPES = ['message', 'alarm', 'link']
const NAMES = ['received', 'sent', 'ended "early" \\ é']

function anEntry(chance: Chance, numbers: readonly EntryNumber[]): NewEntry {
  const topic = chance.pick([undefined, 'S6F11', 'S5F1'])
  return {
    key: chance.pick(KEYS),
    type: chance.pick(TYPES),
    name: chance.pick(NAMES),
    ...(topic !== undefined && { topic }),
    at: new Date(BEGIN_TIME + chance.below(1e6)).toISOString(),
    data: chance.is(0.2) ? {} : { text: `Grüße ${chance.below(1000)}` },
    ...(numbers.length > 0 && chance.is(0.3) && { numbers: { one: chance.pick(numbers) } }),
    ...(chance.is(0.3) && { byAnyone: true }),
    ...(chance.is(0.1) && { unlessAfter: chance.below(50), byAnyone: true }),
    number: new EntryNumber(),
  }
}

function aQuery(chance: Chance): JournalQuery {
  const some = <T>(from: readonly T[]): readonly T[] => from.filter(() => chance.is(0.5))
  const kinds = [
    ...some(TYPES).map((type) => ({ type })),
    ...some(TYPES).map((type) => ({ type, name: chance.pick(NAMES) })),
  ]
  return {
    order: chance.pick(['asc', 'desc']),
    limit: 1 + chance.below(20),
    ...(kinds.length > 0 && { kinds }),
    ...(chance.is(0.3) && { key: chance.pick(KEYS) }),
    ...(chance.is(0.2) && { key: new Set(some(KEYS)) }),
    ...(chance.is(0.2) && { topics: new Set(['S6F11', '']) }),
    ...(chance.is(0.3) && { after: chance.below(100) }),
    ...(chance.is(0.3) && { before: chance.below(100) }),
    ...(chance.is(0.2) && { from: new Date(BEGIN_TIME + chance.below(1e6)).toISOString() }),
    ...(chance.is(0.2) && { to: new Date(BEGIN_TIME + chance.below(1e6)).toISOString() }),
  }
}

type Act = (node: Node, chance: Chance, both: Both) => Promise<unknown>

const aRecord = (chance: Chance): { readonly id: string; readonly n: number } => ({
  id: chance.pick(KEYS),
  n: chance.below(3),
})

/** What a process may do; what is refused is refused by both. */
const ACTS: readonly Act[] = [
  ({ store }, chance) => {
    const first = anEntry(chance, [])
    const numbers = first.number ? [first.number] : []
    return store.journal.appendAll([first, ...[1, 2].map(() => anEntry(chance, numbers))])
  },
  ({ store }, chance) => store.journal.append(anEntry(chance, [])),
  ({ store }, chance) => store.journal.query(aQuery(chance)),
  ({ store }, chance) => store.journal.get(1 + chance.below(60)),
  async ({ store }, chance) => (await store.collection('users')).put(aRecord(chance)),
  async ({ store }, chance) => (await store.collection('equipment', { owned: true })).put(aRecord(chance)),
  async ({ store }, chance) =>
    (await store.collection('equipment', { owned: true })).putAll(
      [aRecord(chance), aRecord(chance)],
      new Set(KEYS.slice(0, chance.below(3))),
    ),
  async ({ store }, chance) =>
    (await store.collection('equipment', { owned: true })).delete(chance.pick(KEYS)),
  async ({ store }) => {
    const users = await store.collection('users')
    return users.exclusively(() => users.all())
  },
  async ({ store }, chance) => store.ownership.drain(store.ownership.self ?? '', chance.is(0.3)),
  async ({ store }, chance) => store.ownership.publish(chance.pick(KEYS), { n: chance.below(100) }),
  ({ store }, chance) => store.secret(chance.pick(['one', 'two']), 16),
  async ({ store }) => store.catchUp?.(),
]

const HOUR_MS = 60 * 60_000

test.each([1, 2, 3])(
  'the model answers every statement of the store as PostgreSQL does, seed %i',
  async (seed) => {
    const chance = new Chance(seed)
    const { url, both } = await newDatabase()
    const nodes = [await openNode(url, 'a'), await openNode(url, 'b')]
    for (let act = 0; act < 100; act++) {
      const node = chance.pick(nodes)
      if (chance.is(0.4)) {
        const ms = chance.pick([250, 600, 3000, 61_000])
        await both.setTime(both.now + chance.pick([ms, ms, ms, HOUR_MS, 5 * HOUR_MS]))
        node.clock.advance(ms)
      } else if (chance.is(0.02)) {
        await both.setHistory(`history ${act}`)
      } else {
        await chance
          .pick(ACTS)(node, chance, both)
          .catch(() => {})
      }
      await both.quiet()
      expect(both.differences.slice(0, 1)).toEqual([])
    }
    expect(both.compared).toBeGreaterThan(300)
    expect(nodes.map(({ failed }) => failed())).toEqual([undefined, undefined])
  },
)
