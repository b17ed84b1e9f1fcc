import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { systemClock as clock } from '../../src/kit/clock.js'
import { deferred } from '../../src/kit/deferred.js'
import { type Entry, EntryNumber, type NewEntry } from '../../src/store/entry.js'
import { StoreUnavailable } from '../../src/store/failure.js'
import { Changes } from '../../src/store/postgres/changes.js'
import { Database } from '../../src/store/postgres/database.js'
import { type Fence, NO_FENCE } from '../../src/store/postgres/fence.js'
import type { JournalParts } from '../../src/store/postgres/journal/journal-parts.js'
import { PostgresJournal } from '../../src/store/postgres/journal/postgres-journal.js'
import { MIGRATIONS } from '../../src/store/postgres/migrations.js'
import { DatabaseProxy } from '../../stress/cluster/cluster-proxy.js'
import { alarm, OpenAlarms } from '../store/open-alarms.js'
import { ManualClock } from '../support/manual-clock.js'
import { until } from '../support/until.js'
import { PostgresServer } from './postgres-server.js'

let server: PostgresServer
beforeAll(async () => {
  server = await PostgresServer.start()
})
afterAll(() => server.remove())

const KEEP = { maxAge: 30 * 24 * 60 * 60_000, maxBytes: 2 * 1024 ** 3 }

/** A database of its own, with nodes that are good for an hour. */
async function newDatabase(): Promise<{ url: string; admin: Database }> {
  const url = await server.database()
  const admin = new Database({ url, name: 'test' })
  for (const migration of MIGRATIONS) await admin.query(migration)
  onTestFinished(() => admin.close())
  return { url, admin }
}

async function openJournal(
  url: string,
  node: string,
  more: Partial<JournalParts> = {},
): Promise<PostgresJournal> {
  const database = new Database({ url, name: node })
  await database.query(
    `INSERT INTO node (id, name, version, expires_at) VALUES ($1, $1, '1', now() + '1 hour') ON CONFLICT DO NOTHING`,
    [node],
  )
  const changes = new Changes(database, clock)
  const journal = await PostgresJournal.open({
    database,
    name: 'journal',
    node,
    fence: NO_FENCE,
    changes,
    clock,
    retention: KEEP,
    hasSiteDuties: () => false,
    hasFollowers: () => true,
    onBroken: (error) => expect.unreachable(error.message),
    time: { now: () => Date.now(), save: async () => {} },
    warn: () => {},
    info: () => {},
    ...more,
  })
  onTestFinished(async () => {
    await journal.close()
    await changes.close()
    await database.close()
  })
  return journal
}

const entry = (key: string, n: number): NewEntry => ({
  key,
  type: 'message',
  name: 'received',
  topic: 'S6F11',
  at: new Date(1_790_000_000_000 + n).toISOString(),
  data: { n, text: 'Grüße \u{1f600} \u0000' },
})

const END_ALL =
  'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()'

const all = (journal: PostgresJournal): Promise<readonly Entry[]> =>
  journal.query({ order: 'asc', limit: 100_000 })

describe('a journal in PostgreSQL', () => {
  it('gives back what was appended, and numbers that entries refer to', async () => {
    const { url } = await newDatabase()
    const journal = await openJournal(url, 'a')
    await journal.attach([])
    const first = await journal.append(entry('eq_1', 1))
    expect(first).toEqual({ ...entry('eq_1', 1), seq: 1 })
    const number = new EntryNumber()
    const known = new EntryNumber(1)
    const pair = journal.appendAll([
      { ...entry('eq_1', 2), number },
      { ...entry('eq_1', 3), data: { own: null }, numbers: { own: number, other: known } },
    ])
    const later = journal.append({ ...entry('eq_2', 4), data: {}, numbers: { of: number } })
    expect((await pair)[1]?.data).toEqual({ own: '2', other: '1' })
    expect((await later).data).toEqual({ of: '2' })
    const again = await openJournal(url, 'b')
    expect(await all(again)).toEqual(await all(journal))
    expect((await again.get(3))?.data).toEqual({ own: '2', other: '1' })
    expect(again.last).toBe(4)
  })

  it('shows the same entries in the same order to all who follow', async () => {
    const { url } = await newDatabase()
    const journals = await Promise.all(['a', 'b', 'c'].map((node) => openJournal(url, node)))
    const seen = journals.map((journal) => {
      const numbers: number[] = []
      journal.appended.on(({ seq }) => numbers.push(seq))
      return numbers
    })
    for (const journal of journals) await journal.attach([])
    const own: number[] = []
    await Promise.all(
      journals.flatMap((journal, at) =>
        Array.from({ length: 8 }, async (_, writer) => {
          for (let n = 0; n < 50; n++) {
            const { seq } = await journal.append(entry(`eq_${at}`, writer * 100 + n))
            own.push(seq)
            expect(journal.last).toBeGreaterThanOrEqual(seq)
          }
        }),
      ),
    )
    const expected = Array.from({ length: 1200 }, (_, n) => n + 1)
    expect(own.sort((one, other) => one - other)).toEqual(expected)
    await expect.poll(() => journals.map(({ last }) => last)).toEqual([1200, 1200, 1200])
    for (const numbers of seen) expect(numbers).toEqual(expected)
  })

  it('refuses the entries of a key that another process owns, and only those', async () => {
    const { url, admin } = await newDatabase()
    const epochs = new Map([['eq_1', 1]])
    const fence: Fence = {
      isOwned: (key) => key === 'eq_1' || key === 'eq_2',
      epochOf: (key) => epochs.get(key) ?? 0,
    }
    const journal = await openJournal(url, 'a', { fence })
    await journal.attach([])
    await admin.query(
      `INSERT INTO lease (key, owner, epoch, version) VALUES ('eq_1', 'a', 1, 1), ('eq_2', NULL, 4, 1)`,
    )
    const appends = [
      journal.append(entry('eq_1', 1)),
      journal.append(entry('eq_2', 2)),
      journal.append({ ...entry('eq_2', 3), byAnyone: true }),
      journal.append(entry('eq_3', 4)),
    ]
    const ends = await Promise.allSettled(appends)
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
    await admin.query('UPDATE lease SET epoch = 2')
    await expect(journal.append(entry('eq_1', 5))).rejects.toThrow('Another process owns eq_1 now.')
    await admin.query(`UPDATE node SET expires_at = now() - interval '1 s'; UPDATE lease SET epoch = 1`)
    await expect(journal.append(entry('eq_1', 6))).rejects.toThrow('Another process owns eq_1 now.')
    expect((await all(journal)).map(({ data }) => data['n'])).toEqual([1, 3, 4])
  })

  it('records all entries of a batch but the one that cannot be stored', async () => {
    const { url, admin } = await newDatabase()
    const journal = await openJournal(url, 'a')
    await journal.attach([])
    await admin.query(`ALTER TABLE entry ADD CHECK (key <> 'refused')`)
    const keys = ['eq_1', 'nul \u0000', 'eq_2', 'refused', 'eq_3']
    const ends = await Promise.allSettled(keys.map((key, n) => journal.append(entry(key, n))))
    expect(ends.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ])
    expect((await all(journal)).map(({ key }) => key)).toEqual(['eq_1', 'eq_2', 'eq_3'])
    expect(await journal.get(1.5)).toBeUndefined()
    expect(journal.failure).toBeUndefined()
  })

  it('loses nothing and repeats nothing when the server is killed under load', async () => {
    const { url } = await newDatabase()
    const journal = await openJournal(url, 'a')
    await journal.attach([])
    const kept = new Map<number, number>()
    let refused = 0
    let isOver = false
    const writers = Array.from({ length: 16 }, async (_, writer) => {
      for (let n = 0; !isOver; n++) {
        const id = writer * 1_000_000 + n
        try {
          kept.set(id, (await journal.append(entry('eq_1', id))).seq)
        } catch {
          refused += 1
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
      }
    })
    const more = (): Promise<unknown> => {
      const before = kept.size
      return until(() => kept.size > before + 300)
    }
    for (let times = 0; times < 3; times++) {
      await more()
      await server.kill()
      await new Promise((resolve) => setTimeout(resolve, times * 2000))
      await server.resume()
    }
    await more()
    isOver = true
    await Promise.all(writers)
    const found = await all(journal)
    const byId = new Map(found.map(({ data, seq }) => [data['n'], seq]))
    expect(byId.size).toBe(found.length)
    for (const [id, seq] of kept) expect(byId.get(id)).toBe(seq)
    expect(found.map(({ seq }) => seq)).toEqual(Array.from({ length: found.length }, (_, n) => n + 1))
    expect(kept.size).toBeGreaterThan(1000)
    expect(refused).toBeGreaterThan(0)
    expect(journal.failure).toBeUndefined()
  })
})

describe('a connection that is cut', () => {
  for (const how of ['before', 'after'] as const) {
    it(`${how} the answer loses nothing and repeats nothing`, async () => {
      const { url } = await newDatabase()
      const proxy = await DatabaseProxy.start(server.port)
      onTestFinished(() => proxy.close())
      const journal = await openJournal(url.replace(String(server.port), String(proxy.port)), 'a')
      await journal.attach([])
      const heard: number[] = []
      journal.appended.on(({ seq }) => heard.push(seq))
      let isOver = false
      const kept: (readonly [id: number, seq: number])[] = []
      const writers = Array.from({ length: 8 }, async (_, writer) => {
        for (let n = 0; !isOver; n++) {
          const id = writer * 1_000_000 + n
          await journal.append(entry('eq_1', id)).then(
            ({ seq }) => kept.push([id, seq]),
            () => {},
          )
        }
      })
      for (let times = 0; times < 10; times++) {
        await new Promise((resolve) => setTimeout(resolve, 100))
        await proxy.cut(how, 20 * times)
      }
      const before = kept.length
      await until(() => kept.length > before + 20)
      isOver = true
      await Promise.all(writers)
      const found = await all(journal)
      const ids = found.map(({ data }) => data['n'])
      expect(new Set(ids).size).toBe(ids.length)
      expect(kept.length).toBeGreaterThan(20)
      for (const [id, seq] of kept) expect(ids[seq - 1]).toBe(id)
      await expect.poll(() => heard).toEqual(found.map(({ seq }) => seq))
    })
  }

  it('for longer than callers wait is told to them, and passes by itself', async () => {
    const { url } = await newDatabase()
    const proxy = await DatabaseProxy.start(server.port)
    onTestFinished(() => proxy.close())
    const journal = await openJournal(url.replace(String(server.port), String(proxy.port)), 'a')
    await journal.attach([])
    const back = deferred<void>()
    const away = proxy.away(back.promise)
    const began = clock.now()
    await expect(journal.append(entry('eq_1', 1))).rejects.toBeInstanceOf(StoreUnavailable)
    const waited = clock.now() - began
    expect(waited).toBeGreaterThan(2000)
    expect(journal.failure).toBeInstanceOf(StoreUnavailable)
    // The next one does not wait as long again.
    const soon = clock.now()
    await expect(journal.append(entry('eq_1', 2))).rejects.toBeInstanceOf(StoreUnavailable)
    expect((clock.now() - soon) / waited).toBeLessThan(0.5)
    back.resolve()
    await away
    await expect.poll(() => journal.failure).toBeUndefined()
    expect((await journal.append(entry('eq_1', 3))).seq).toBe(1)
  })
})

describe('a database that', () => {
  it('is read-only for a time takes entries again afterwards', async () => {
    const { url, admin } = await newDatabase()
    const journal = await openJournal(url, 'a')
    await journal.attach([])
    const name = url.slice(url.lastIndexOf('/') + 1)
    await admin.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`)
    await admin.query(END_ALL, [name])
    await expect(journal.append(entry('eq_1', 1))).rejects.toBeInstanceOf(StoreUnavailable)
    await admin.query(
      `BEGIN READ WRITE; ALTER DATABASE ${name} SET default_transaction_read_only = off; COMMIT`,
    )
    await admin.query(END_ALL, [name])
    await expect
      .poll(() =>
        journal.append(entry('eq_1', 2)).then(
          ({ seq }) => seq,
          () => 0,
        ),
      )
      .toBe(1)
  })

  it.each(['journal', 'audit'] as const)(
    'has fewer entries of the %s than were read ends the process',
    async (name) => {
      const { url, admin } = await newDatabase()
      const broken: Error[] = []
      const journal = await openJournal(url, 'a', { name, onBroken: (error) => broken.push(error) })
      await journal.attach([])
      for (let n = 0; n < 3; n++) await journal.append(entry('eq_1', n))
      await admin.query(`DELETE FROM entry WHERE seq > 1; UPDATE head SET last = 1 WHERE journal = '${name}'`)
      await expect
        .poll(() => broken.map(({ message }) => message))
        .toEqual([`the ${name} ends with 1, and 3 was read before`])
      await expect(journal.append(entry('eq_1', 4))).rejects.toBeInstanceOf(StoreUnavailable)
    },
  )
})

describe('retention', () => {
  it('removes whole days, and keeps what a view needs of them', async () => {
    const { url, admin } = await newDatabase()
    const at = new Date(0).toISOString()
    // Two days that are long over: their entries came with this many numbers before today's.
    await admin.query(`SELECT add_portion('journal', '2020-01-01', 1), add_portion('journal', '2020-01-02', 4);
      INSERT INTO entry SELECT 'journal', CASE WHEN n < 4 THEN '2020-01-01'::date ELSE '2020-01-02'::date END, n,
        'e' || n, 'alarm', CASE n WHEN 5 THEN 'cleared' ELSE 'set' END, '', 0, '{}' FROM generate_series(1, 6) AS n;
      UPDATE entry SET key = 'e1' WHERE seq = 5;
      UPDATE head SET last = 6, day = '2020-01-02' WHERE journal = 'journal'`)
    const clockOfTest = new ManualClock()
    const journal = await openJournal(url, 'a', { hasSiteDuties: () => true, clock: clockOfTest })
    const view = new OpenAlarms()
    await journal.attach([view])
    const appended = journal.append(alarm('e7', 'set', at))
    const passed = (ms: number, of: () => number) => () => {
      clockOfTest.advance(ms)
      return of()
    }
    await expect.poll(passed(10, () => journal.last)).toBe(7)
    await appended
    expect([...view.open.keys()].sort()).toEqual(['e2', 'e3', 'e4', 'e6', 'e7'])
    for (let n = 0; n < 3; n++) {
      clockOfTest.advance(60_000)
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
    await expect.poll(passed(300, () => journal.first)).toBe(7)
    expect((await all(journal)).map(({ seq }) => seq)).toEqual([7])
    expect(
      (await Promise.all([1, 2, 3, 4, 5, 6].map((seq) => journal.get(seq)))).map((one) => one?.seq),
    ).toEqual([undefined, 2, 3, 4, undefined, 6])
    for (const forget of ['', 'DELETE FROM snapshot']) {
      await admin.query(forget || 'SELECT 1')
      const again = await openJournal(url, 'b')
      const same = new OpenAlarms()
      await again.attach([same])
      expect([...same.open.keys()].sort()).toEqual([...view.open.keys()].sort())
      expect(same.loaded > 0).toBe(forget === '')
    }
  })

  it('waits for what is held, up to higher limits', async () => {
    const { url, admin } = await newDatabase()
    const DAY = 24 * 60 * 60_000
    // Days that ended 45, 35 and 33 days ago.
    await admin.query(`SELECT add_portion('journal', (now() AT TIME ZONE 'UTC')::date - 46, 1),
        add_portion('journal', (now() AT TIME ZONE 'UTC')::date - 36, 4), add_portion('journal', (now() AT TIME ZONE 'UTC')::date - 34, 6);
      INSERT INTO entry SELECT 'journal', (now() AT TIME ZONE 'UTC')::date - CASE WHEN n < 4 THEN 46 WHEN n < 6 THEN 36 ELSE 34 END,
        n, 'e', 'alarm', 'set', '', 0, '{}' FROM generate_series(1, 8) AS n;
      UPDATE head SET last = 8, day = (now() AT TIME ZONE 'UTC')::date - 34 WHERE journal = 'journal'`)
    const clockOfTest = new ManualClock()
    const held = { maxAge: 10 * DAY, maxBytes: 0 }
    const parts = { hasSiteDuties: () => true, clock: clockOfTest, retention: { ...KEEP, held } }
    const journal = await openJournal(url, 'a', parts)
    let firstHeld = 2
    await journal.attach([], undefined, async () => firstHeld)
    const appended = journal.append(entry('e', 9))
    const passed = (ms: number, of: () => number) => () => {
      clockOfTest.advance(ms)
      return of()
    }
    await expect.poll(passed(10, () => journal.last)).toBe(9)
    await appended
    // The first day is beyond the higher limit, too.
    await expect.poll(passed(20_000, () => journal.first)).toBe(4)
    for (let n = 0; n < 5; n++) {
      clockOfTest.advance(60_000)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect(journal.first).toBe(4)
    // One of two entries of a day is held.
    firstHeld = 5
    for (let n = 0; n < 5; n++) {
      clockOfTest.advance(60_000)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect(journal.first).toBe(4)
    firstHeld = 6
    await expect.poll(passed(20_000, () => journal.first)).toBe(6)
    firstHeld = Number.POSITIVE_INFINITY
    await expect.poll(passed(20_000, () => journal.first)).toBe(9)
  })
})

it('a journal is closed, and rejects what waits, while the database is away', async () => {
  const { url } = await newDatabase()
  const proxy = await DatabaseProxy.start(server.port)
  onTestFinished(() => proxy.close())
  const journal = await openJournal(url.replace(String(server.port), String(proxy.port)), 'a')
  await journal.attach([])
  const back = deferred<void>()
  const away = proxy.away(back.promise)
  const waiting = expect(journal.append(entry('eq_1', 1))).rejects.toBeInstanceOf(StoreUnavailable)
  await new Promise((resolve) => setTimeout(resolve, 200))
  await journal.close()
  await waiting
  back.resolve()
  await away
})

it('a session that reads on a standby sees another history once that is a primary', async () => {
  const { url, admin } = await newDatabase()
  const standby = await server.standby()
  onTestFinished(() => standby.remove())
  const historyOf = async (database: Database): Promise<string | undefined> =>
    (await database.query<{ readonly history: string }>('SELECT secsctl_history() AS history'))[0]?.history
  const before = await historyOf(admin)
  await server.caughtUp()
  const other = new Database({ url: url.replace(String(server.port), String(standby.port)), name: 'other' })
  onTestFinished(() => other.close())
  const read = await historyOf(other)
  await standby.promote()
  const after = await historyOf(other)
  expect(new Set([before, read, after]).size).toBe(3)
  expect([await historyOf(admin), await historyOf(other)]).toEqual([before, after])
  // What is restored in place of the tables is another history, also for who was there before.
  await admin.query('ALTER TABLE head RENAME TO was; CREATE TABLE head (LIKE was)')
  expect(await historyOf(admin)).not.toBe(before)
})
