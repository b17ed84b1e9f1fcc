import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { systemClock as clock } from '../../src/kit/clock.js'
import { type Entry, EntryNumber, type NewEntry } from '../../src/store/entry.js'
import { Changes } from '../../src/store/postgres/changes.js'
import { Database } from '../../src/store/postgres/database.js'
import { type Fence, NO_FENCE } from '../../src/store/postgres/fence.js'
import type { JournalParts } from '../../src/store/postgres/journal/journal-parts.js'
import { PostgresJournal } from '../../src/store/postgres/journal/postgres-journal.js'
import { MIGRATIONS } from '../../src/store/postgres/migrations.js'
import { PostgresServer } from '../support/postgres-server.js'

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
    warn: () => {},
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
    for (let times = 0; times < 3; times++) {
      await new Promise((resolve) => setTimeout(resolve, 500))
      await server.kill()
      await new Promise((resolve) => setTimeout(resolve, times * 2000))
      await server.resume()
    }
    await new Promise((resolve) => setTimeout(resolve, 2000))
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
