import type pg from 'pg'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { systemClock as clock } from '../../src/kit/clock.js'
import { deferred } from '../../src/kit/deferred.js'
import type { Entry, NewEntry } from '../../src/store/entry.js'
import { NUMBERS_LEFT_OUT } from '../../src/store/gap.js'
import type { Journal } from '../../src/store/journal.js'
import { Changes } from '../../src/store/postgres/changes.js'
import { Database } from '../../src/store/postgres/database.js'
import { NO_FENCE } from '../../src/store/postgres/fence.js'
import type { JournalParts } from '../../src/store/postgres/journal/journal-parts.js'
import { PostgresJournal } from '../../src/store/postgres/journal/postgres-journal.js'
import { migrate } from '../../src/store/postgres/migrate.js'
import { TrustedTime } from '../../src/store/postgres/trusted-time.js'
import { ManualClock } from '../support/manual-clock.js'
import { appendsBlockedBy } from './blocked-appends.js'
import { PostgresServer } from './postgres-server.js'

let server: PostgresServer
beforeAll(async () => {
  server = await PostgresServer.start()
})
afterAll(() => server.remove())

const DAY = 24 * 60 * 60_000
const KEEP = { maxAge: 30 * DAY, maxBytes: 2 * 1024 ** 3 }

/** A database whose time the test sets. */
async function newDatabase(of = server) {
  const url = await of.database()
  const admin = new Database({ url, name: 'test' })
  onTestFinished(() => admin.close())
  await migrate(admin)
  const setTime = (iso: string): Promise<unknown> =>
    admin.query(
      `CREATE OR REPLACE FUNCTION secsctl_now() RETURNS timestamptz LANGUAGE sql AS 'SELECT ''${iso}''::timestamptz'`,
    )
  return { url, admin, setTime }
}

async function openJournal(url: string, node: string, more: Partial<JournalParts> = {}) {
  const database = new Database({ url, name: node })
  await database.query(
    `INSERT INTO node (id, name, version, expires_at) VALUES ($1, $1, '1', 'infinity') ON CONFLICT DO NOTHING`,
    [node],
  )
  const changes = new Changes(database, clock)
  const broken: Error[] = []
  const warnings: string[] = []
  const journal = await PostgresJournal.open({
    database,
    name: 'journal',
    node,
    fence: NO_FENCE,
    changes,
    clock,
    retention: KEEP,
    time: { now: () => Date.parse('2026-05-10T12:00:00Z'), save: async () => {} },
    hasSiteDuties: () => false,
    hasFollowers: () => true,
    onBroken: (error) => broken.push(error),
    warn: (text) => warnings.push(text),
    info: () => {},
    ...more,
  })
  onTestFinished(async () => {
    await journal.close()
    await changes.close()
    await database.close()
    expect(warnings).toEqual([])
  })
  return { journal, broken }
}

const entry = (n: number, key = 'eq_1'): NewEntry => ({
  key,
  type: 'message',
  name: 'received',
  at: new Date(Date.parse('2026-05-10T12:00:00Z') + n).toISOString(),
  data: { n },
})

/** What `of` gives once the clock has moved on. */
const after =
  <R>(manual: ManualClock, ms: number, of: () => R) =>
  (): R => {
    manual.advance(ms)
    return of()
  }

const all = (journal: Journal): Promise<readonly Entry[]> => journal.query({ order: 'asc', limit: 100_000 })

it('a reader sees every entry of a new day, also while appends never pause', async () => {
  const { url, setTime } = await newDatabase()
  await setTime('2026-05-10T23:59:59.900Z')
  const { journal } = await openJournal(url, 'a')
  await journal.attach([])
  let isOver = false
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let n = 0; !isOver; n++) await journal.append(entry(n, `eq_${writer}`))
  })
  const seen: number[] = []
  let position = 0
  const read = async (): Promise<void> => {
    const page = await journal.read({ after: position, order: 'asc', limit: 50 })
    seen.push(...page.entries.map(({ seq }) => seq))
    position = page.readTo
  }
  for (let n = 0; n < 5; n++) await read()
  await setTime('2026-05-11T00:00:00.100Z')
  for (let n = 0; n < 20; n++) await read()
  isOver = true
  await Promise.all(writers)
  while (position < journal.last) await read()
  expect(seen).toEqual(Array.from({ length: journal.last }, (_, n) => n + 1))
})

it('a reader learns from what it reads that another process has removed what it has not read', async () => {
  const { url, admin, setTime } = await newDatabase()
  await setTime('2026-05-10T12:00:00Z')
  const { journal } = await openJournal(url, 'a')
  await journal.attach([])
  for (let n = 0; n < 3; n++) await journal.append(entry(n))
  await setTime('2026-05-11T12:00:00Z')
  await journal.append(entry(4))
  await admin.query(
    `DELETE FROM portion WHERE day = '2026-05-10'; UPDATE head SET first = 4 WHERE journal = 'journal'`,
  )
  const page = await journal.read({ after: 1, order: 'asc', limit: 50 })
  expect(page.first).toBe(4)
  expect(page.entries.map(({ seq }) => seq)).toEqual([4])
})

it('a database whose clock was far ahead for a time removes nothing, and goes on in the days that there are', async () => {
  const { url, admin, setTime } = await newDatabase()
  await setTime('2026-05-10T12:00:00Z')
  let databaseTime = Date.parse('2026-05-10T12:00:00Z')
  const manual = new ManualClock()
  const time = await TrustedTime.open(admin, manual, () => databaseTime)
  const told: string[] = []
  const parts = { time, clock: manual, hasSiteDuties: () => true, info: (text: string) => told.push(text) }
  const { journal } = await openJournal(url, 'a', parts)
  await journal.attach([])
  const append = async (n: number): Promise<void> => {
    const appended = journal.append(entry(n))
    await expect.poll(after(manual, 1, () => journal.last)).toBe(n)
    await appended
  }
  const duties = async (): Promise<void> => {
    manual.advance(60_000)
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
  await append(1)
  await setTime('2026-06-19T12:00:00Z')
  databaseTime += 40 * DAY
  await append(2)
  for (let n = 0; n < 3; n++) await duties()
  // One that starts now does not believe the clock either.
  const later = await TrustedTime.open(admin, new ManualClock(), () => databaseTime)
  expect(later.now() - Date.parse('2026-05-10T12:00:00Z')).toBeLessThan(DAY)
  await setTime('2026-05-10T12:04:00Z')
  databaseTime -= 40 * DAY
  await append(3)
  await duties()
  expect((await all(journal)).map(({ seq }) => seq)).toEqual([1, 2, 3])
  expect(told).toEqual([])
  // The clock is right again: as time really passes, days are removed, and that is said.
  for (const days of [33, 3]) {
    manual.advance(days * DAY)
    databaseTime += days * DAY
    await setTime(new Date(databaseTime).toISOString())
    await duties()
    await append(days === 33 ? 4 : 5)
  }
  await expect.poll(after(manual, 60_000, () => journal.first)).toBe(4)
  expect(told.join()).toContain('entries 1')
  await expect
    .poll(async () => {
      manual.advance(60_000)
      const rows = await admin.query(
        `SELECT FROM pg_inherits WHERE inhparent = 'entry_journal'::regclass AND inhrelid::regclass::text < 'entry_journal_20260601'`,
      )
      return rows.length
    })
    .toBe(0)
})

it('a server whose clock is set 40 days ahead for a time removes nothing, also where daemons start meanwhile', async () => {
  const moved = await PostgresServer.start({}, { hasOwnTime: true })
  onTestFinished(() => moved.remove())
  const { url, admin } = await newDatabase(moved)
  const day = `(current_date - 20)`
  await admin.query(`SELECT add_portion('journal', ${day}, 1);
    INSERT INTO entry SELECT 'journal', ${day}, n, 'e', 'alarm', 'set', '', 0, '{}' FROM generate_series(1, 5) AS n;
    UPDATE head SET last = 5, day = ${day} WHERE journal = 'journal'`)
  const manual = new ManualClock()
  let databaseTime = 0
  const readTime = async (): Promise<void> => {
    const asked = 'SELECT extract(epoch FROM secsctl_now())::float8 * 1000 AS now'
    const [row] = await admin.query<{ readonly now: number }>(asked)
    databaseTime = row?.now ?? 0
  }
  const told: string[] = []
  let onDuty = ''
  /** One more, which has the duties of the site from now on. */
  const openMore = async (node: string) => {
    onDuty = node
    await readTime()
    const time = await TrustedTime.open(admin, manual, () => databaseTime)
    const hasSiteDuties = (): boolean => onDuty === node
    const parts = { time, clock: manual, hasSiteDuties, info: (text: string) => told.push(text) }
    const { journal } = await openJournal(url, node, parts)
    await journal.attach([])
    return journal
  }
  const duties = async (): Promise<void> => {
    for (let n = 0; n < 3; n++) {
      await readTime()
      manual.advance(60_000)
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
  }
  const first = await openMore('a')
  await first.append(entry(6))
  moved.setClock((40 * DAY) / 1000)
  await first.append(entry(7))
  await duties()
  for (const node of ['b', 'c']) {
    const journal = await openMore(node)
    await journal.append(entry(8))
    await duties()
  }
  moved.setClock(0)
  const last = await openMore('d')
  await last.append(entry(10))
  await duties()
  expect((await all(last)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  expect(told).toEqual([])
  moved.setClock((11 * DAY) / 1000)
  await readTime()
  manual.advance(11 * DAY)
  await expect.poll(async () => duties().then(() => last.first)).toBe(6)
})

it('appends do not wait for one who reads the whole database for long, over midnight and while days are removed', async () => {
  const { url, admin, setTime } = await newDatabase()
  await setTime('2026-05-10T23:59:00Z')
  await admin.query(`SELECT add_portion('journal', '2026-01-01', 1);
    INSERT INTO entry SELECT 'journal', '2026-01-01', n, 'e', 'alarm', 'set', '', 0, '{}' FROM generate_series(1, 5) AS n;
    UPDATE head SET last = 5, day = '2026-01-01' WHERE journal = 'journal'`)
  const manual = new ManualClock()
  const { journal } = await openJournal(url, 'a', { hasSiteDuties: () => true, clock: manual })
  await journal.attach([])
  const dump = await new Database({ url, name: 'dump' }).connect()
  onTestFinished(() => dump.end())
  // As pg_dump does.
  await dump.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
  await dump.query('LOCK TABLE entry, head, portion, partition, document IN ACCESS SHARE MODE')
  await dump.query('SELECT count(*) FROM entry')
  await setTime('2026-05-11T00:00:01Z')
  const blocked = appendsBlockedBy('secsctl dump', admin)
  for (let n = 6; n < 40; n++) {
    await journal.append(entry(n))
    manual.advance(60_000)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  expect(await blocked()).toEqual([])
  await expect.poll(after(manual, 60_000, () => journal.first)).toBe(6)
  await dump.query('COMMIT')
  const oldDay = `SELECT FROM pg_class WHERE relname = 'entry_journal_20260101'`
  await expect.poll(after(manual, 60_000, async () => (await admin.query(oldDay)).length)).toBe(0)
  expect((await all(journal)).length).toBe(34)
})

it('a journal that is told of changes while it opens misses none of its entries', async () => {
  const { url, setTime } = await newDatabase()
  await setTime('2026-05-10T12:00:00Z')
  const { journal: earlier } = await openJournal(url, 'a')
  for (let n = 1; n <= 5; n++) await earlier.append(entry(n))
  const opened = deferred<void>()
  let reads = 0
  /** Tells of a change before the end of the journal is read, and gives entries that are read then only when it is known. */
  class Told extends Database {
    override async query<R extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) {
      const isBefore = text.includes('unnest($2::date[])')
      if (isBefore) changes.noticed.emit()
      const rows = await super.query<R>(text, values)
      // So long that a look at the change would have begun to read.
      if (isBefore) for (let turn = 0; turn < 50; turn++) await super.query('SELECT 1')
      if (text.includes('FROM entry')) {
        reads += 1
        await opened.promise
      }
      return rows
    }
  }
  const database = new Told({ url, name: 'b' })
  const changes = new Changes(database, clock)
  const { journal, broken } = await openJournal(url, 'b', { database, changes })
  // It does not know yet where to read from.
  expect(reads).toBe(0)
  opened.resolve()
  onTestFinished(async () => {
    await changes.close()
    await database.close()
  })
  await earlier.append(entry(6))
  await expect.poll(() => journal.last).toBe(6)
  expect(broken).toEqual([])
})

it('a journal that went back in time ends the process, under load and whoever has written meanwhile', async () => {
  for (const others of [0, 1, 5]) {
    const { url, admin, setTime } = await newDatabase()
    await setTime('2026-05-10T12:00:00Z')
    const { journal, broken } = await openJournal(url, 'a')
    const { journal: other } = await openJournal(url, 'b')
    await journal.attach([])
    for (let n = 0; n < 5; n++) await journal.append(entry(n))
    const lastMark = `(SELECT mark FROM entry WHERE seq = 3)`
    // As a standby that has not got the last entries.
    await admin.query(`BEGIN; DELETE FROM entry WHERE seq > 3;
      UPDATE head SET last = 3, mark = ${lastMark} WHERE journal = 'journal'; COMMIT`)
    const overtaking = await openJournal(url, 'c')
    await overtaking.journal.attach([])
    for (let n = 0; n < others; n++) await overtaking.journal.append(entry(100 + n))
    // The process is never idle.
    let isOver = false
    const writers = Array.from({ length: 4 }, async () => {
      while (!isOver && broken.length === 0) await journal.append(entry(7)).catch(() => {})
    })
    await expect.poll(() => broken.length).toBeGreaterThan(0)
    isOver = true
    await Promise.all(writers)
    expect(broken[0]?.message).toMatch(/journal/)
    await expect(journal.append(entry(8))).rejects.toThrow()
    expect(other.last).toBeGreaterThanOrEqual(0)
  }
})

it.each([
  ['with fewer entries', 'last = last'],
  ['which others have continued', 'last = last + 1000000000000'],
])('a journal that went back, %s, while a batch waits to be shown ends the process', async (_, more) => {
  const { url, admin } = await newDatabase()
  const database = new Database({ url, name: 'held' })
  onTestFinished(() => database.close())
  const { journal, broken } = await openJournal(url, 'a', { database })
  const { journal: other } = await openJournal(url, 'b', { hasFollowers: () => false })
  for (const one of [journal, other]) await one.attach([])
  await journal.append(entry(1))
  // What others append is not read until the database has gone back.
  const [asked, wentBack] = [deferred<void>(), deferred<void>()]
  const query = database.query.bind(database)
  database.query = async (text, values) => {
    if (text.includes('FROM entry')) {
      asked.resolve()
      await wentBack.promise
    }
    return query(text, values)
  }
  await other.append(entry(2))
  const appended = journal.append(entry(3)).catch((error: Error) => error)
  await asked.promise
  // A look of the journal may have asked before its own batch was there: without that, nothing that it has would be gone.
  await expect.poll(async () => (await admin.query('SELECT FROM entry')).length).toBe(3)
  await admin.query(`BEGIN; DELETE FROM entry WHERE seq > 1;
    UPDATE head SET last = 1, mark = (SELECT mark FROM entry WHERE seq = 1) WHERE journal = 'journal';
    UPDATE head SET ${more}; COMMIT`)
  wentBack.resolve()
  await expect.poll(() => broken.length).toBeGreaterThan(0)
  expect(await appended).toBeInstanceOf(Error)
})

it('a database with another history leaves out numbers, which end whoever has seen one of them and nobody else', async () => {
  const { url, admin } = await newDatabase()
  const { journal, broken } = await openJournal(url, 'a')
  await journal.attach([])
  for (let n = 1; n <= 6; n++) await journal.append(entry(n))
  const behind = await openJournal(url, 'b', { hasFollowers: () => false })
  const ahead = await openJournal(url, 'c')
  for (const one of [behind, ahead]) await one.journal.attach([])
  expect(ahead.journal.last).toBe(6)
  // It loses its last two entries, as a standby does that was behind.
  await admin.query('DELETE FROM entry WHERE seq > 4')
  await admin.query(`UPDATE head SET last = 4, mark = (SELECT mark FROM entry WHERE seq = 4), history = 'another'
    WHERE journal = 'journal'`)
  const later = await openJournal(url, 'd')
  await later.journal.attach([])
  for (let n = 1; n <= 3; n++) await later.journal.append(entry(n))
  const first = 4 + NUMBERS_LEFT_OUT + 1
  const seqs = (await all(later.journal)).map(({ seq }) => seq)
  expect(seqs).toEqual([1, 2, 3, 4, first, first + 1, first + 2])
  await expect.poll(() => ahead.broken.join()).toContain('6 was read before')
  await expect.poll(() => broken.join()).toContain('6 was read before')
  expect([later.broken, later.journal.last]).toEqual([[], first + 2])
  await later.journal.append(entry(4))
  expect(later.journal.last).toBe(first + 3)
})

it('a daemon that follows goes on over numbers that were left out, and so does one that appends', async () => {
  const { url, admin } = await newDatabase()
  const [a, b] = [await openJournal(url, 'a'), await openJournal(url, 'b')]
  for (const { journal } of [a, b]) await journal.attach([])
  await a.journal.append(entry(1))
  await expect.poll(() => b.journal.last).toBe(1)
  await admin.query(`UPDATE head SET history = 'another'`)
  const { seq } = await b.journal.append(entry(2))
  expect(seq).toBe(NUMBERS_LEFT_OUT + 2)
  await expect.poll(() => a.journal.last).toBe(seq)
  expect([...a.broken, ...b.broken]).toEqual([])
})
