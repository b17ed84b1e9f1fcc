import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { migrateToDatabase, migrateToFolder } from '../../src/daemon/migrate-store.js'
import { folderContent } from '../../src/daemon/stored-records.js'
import { AUDIT_RETENTION } from '../../src/gateway/audit/audit.js'
import { newEquipmentRecord } from '../../src/gateway/records/equipment-record.js'
import { systemClock as clock } from '../../src/kit/clock.js'
import { shellWord } from '../../src/kit/shell-word.js'
import type { NewEntry } from '../../src/store/entry.js'
import { openStore } from '../../src/store/files/data-folder.js'
import { fillDatabase, readDatabase } from '../../src/store/migration/postgres-content.js'
import { type ContentForm, type JournalContent, NotTheSame } from '../../src/store/migration/site-content.js'
import { Database } from '../../src/store/postgres/database.js'
import { openPostgresStore } from '../../src/store/postgres/open-postgres.js'
import type { Store } from '../../src/store/store.js'
import { alarm, OpenAlarms } from '../store/open-alarms.js'
import { Secsctl } from '../support/secsctl.js'
import { until } from '../support/until.js'
import { PostgresServer } from './postgres-server.js'

let server: PostgresServer
beforeAll(async () => {
  server = await PostgresServer.start()
})
afterAll(() => server.remove())

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'secsctl-migrate-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'data')
}

const content = folderContent()
const DAY = 24 * 60 * 60_000
const message = (n: number, at: number): NewEntry => ({
  key: `eq_${n % 5}`,
  type: 'message',
  name: 'message_received',
  topic: 'S6F11',
  at: new Date(at).toISOString(),
  data: { n, text: 'Grüße \u0000 \u{1f600}', nested: { list: [1, 2.5, null] } },
})

/** A data folder with history of some days, of which retention has removed the oldest, and a record of each kind. */
async function filled(folder: string): Promise<void> {
  const begin = Date.now() - 5 * DAY
  const keep = { maxAge: 30 * DAY, maxBytes: 300_000 }
  const store = await openStore(folder, { clock, content, segmentBytes: 20_000, retention: keep })
  const users = await store.collection('users')
  const times = { created_at: new Date(begin).toISOString(), updated_at: new Date(begin).toISOString() }
  await store.secret('signing-key', 32)
  const equipment = await store.collection('equipment', { owned: true })
  for (let n = 0; n < 5; n++)
    await equipment.put(
      newEquipmentRecord(
        `eq_${n}aaaaaaaaa`,
        { name: `tool ${n}`, ip_address: '127.0.0.1', port: 5000 + n },
        times.created_at,
      ),
    )
  expect(await users.all()).toEqual([])
  await store.journal.attach([new OpenAlarms()])
  await store.journal.append(alarm('eq_1', 'set', times.created_at))
  for (let n = 0; n < 2000; n += 100) {
    await store.journal.appendAll(
      Array.from({ length: 100 }, (_, at) => message(n + at, begin + (n + at) * 200_000)),
    )
  }
  const audit = await store.furtherJournal('audit', AUDIT_RETENTION)
  await audit.attach([])
  for (let n = 0; n < 50; n++) await audit.append(message(n, begin + n * DAY * 0.05))
  expect(store.journal.first).toBeGreaterThan(1)
  await store.close()
}

async function seen(store: Store): Promise<unknown> {
  const view = new OpenAlarms()
  await store.journal.attach([view])
  const audit = await store.furtherJournal('audit', AUDIT_RETENTION)
  await audit.attach([])
  const all = { order: 'asc', limit: 10_000 } as const
  const found = {
    numbers: [store.journal.first, store.journal.last, audit.first, audit.last],
    entries: await store.journal.query(all),
    pinned: await store.journal.get(1),
    open: [...view.open],
    audit: await audit.query(all),
    equipment: await (await store.collection('equipment', { owned: true })).all(),
    secret: Buffer.from(await store.secret('signing-key', 32)).toString('hex'),
  }
  await store.close()
  return found
}

it('carries everything to a database and back, with the same numbers, and both go on', async () => {
  const folder = scratch()
  await filled(folder)
  const was = await seen(await openStore(folder, { clock, content }))
  const store = { url: await server.database(), sealKey: Buffer.alloc(32, 7) }
  const lines = await migrateToDatabase({ dataFolder: folder, store, clock })
  expect(lines).toHaveLength(2)
  const inDatabase = () =>
    openPostgresStore({
      ...store,
      nodeName: 'a',
      version: '1',
      checks: content.checks,
      migrations: content.migrations,
      clock,
    })
  expect(await seen(await inDatabase())).toEqual(was)
  await expect(migrateToDatabase({ dataFolder: folder, store, clock })).rejects.toThrow('has records already')

  const back = scratch()
  expect(await migrateToFolder({ dataFolder: back, store, clock })).toEqual(lines)
  expect(await seen(await openStore(back, { clock, content }))).toEqual(was)
  await expect(migrateToFolder({ dataFolder: back, store, clock })).rejects.toThrow('is not empty')

  for (const opened of [await inDatabase(), await openStore(back, { clock, content })]) {
    await opened.journal.attach([])
    expect((await opened.journal.append(message(1, Date.now()))).seq).toBe(2002)
    await opened.close()
  }
})

it('keeps numbers that were given up as a gap', async () => {
  const store = { url: await server.database() }
  const opened = await openPostgresStore({
    ...store,
    nodeName: 'a',
    version: '1',
    checks: content.checks,
    migrations: content.migrations,
    clock,
  })
  await opened.secret('signing-key', 32)
  await opened.journal.attach([])
  for (let n = 0; n < 9; n++) await opened.journal.append(message(n, Date.now()))
  await opened.close()
  const database = new Database({ url: store.url, name: 'test' })
  await database.query('DELETE FROM entry WHERE seq IN (4, 5, 8, 9)')
  await database.close()
  const folder = scratch()
  await migrateToFolder({ dataFolder: folder, store, clock })
  const files = await openStore(folder, { clock, content })
  await files.journal.attach([])
  expect(files.gaps).toMatchObject([
    { first: 4, last: 5 },
    { first: 8, last: 9 },
  ])
  expect((await files.journal.query({ order: 'asc', limit: 20 })).map(({ seq }) => seq)).toEqual([
    1, 2, 3, 6, 7,
  ])
  expect((await files.journal.append(message(1, Date.now()))).seq).toBe(10)
  await files.close()
})

it('writes records in the form of today, brings those of an earlier one up to it, and refuses a newer one', async () => {
  const database = new Database({ url: await server.database(), name: 'test' })
  onTestFinished(() => database.close())
  const marked = (mark: string) => (records: readonly unknown[]) =>
    records.map((record) => ({ ...(record as object), [mark]: true }))
  const form: ContentForm = {
    collections: ['things', 'others'],
    owned: ['things'],
    migrations: { things: [marked('second'), marked('third')] },
    secrets: {},
  }
  const collections = new Map([
    ['things', [{ id: 'b' }, { id: 'a' }]],
    ['others', [{ id: 'c' }]],
  ])
  await fillDatabase(database, { journals: [], collections, secrets: new Map() }, form, undefined)
  const things = async () => {
    const site = await database.transaction((client) => readDatabase(database, client, form, undefined))
    return site.collections.get('things')
  }
  const ofNow = [
    { id: 'b', second: true, third: true },
    { id: 'a', second: true, third: true },
  ]
  expect(await things()).toEqual(ofNow)
  // What has no lease of its own could never be taken by a daemon.
  expect(await database.query("SELECT key FROM lease WHERE key <> 'site' ORDER BY key")).toEqual([
    { key: 'a' },
    { key: 'b' },
  ])
  await database.query("UPDATE collection SET form = 2 WHERE name = 'things'")
  expect(await things()).toEqual(ofNow)
  await database.query("UPDATE collection SET form = 4 WHERE name = 'things'")
  await expect(things()).rejects.toThrow()
})

const NOTHING: ContentForm = { collections: [], owned: [], migrations: {}, secrets: {} }
const journalOf = (first: number, at: readonly number[], pinned: readonly number[] = []): JournalContent => {
  const entries = at.map((time, n) => ({ ...message(n, time), at: new Date(time).toISOString(), seq: n + 1 }))
  const kept = pinned.map((time, n) => ({
    ...message(n, time),
    at: new Date(time).toISOString(),
    seq: n + 1,
  }))
  return {
    name: 'journal',
    first,
    last: at.length,
    pinned: async function* () {
      if (kept.length > 0) yield kept
    },
    entries: async function* () {
      yield entries
    },
  }
}

it('is refused while a daemon works on the database, and not after one that has stopped without a word', async () => {
  const store = { url: await server.database() }
  const options = { ...store, nodeName: 'busy', version: '1', checks: content.checks, clock }
  const opened = await openPostgresStore({ ...options, leaseMs: 8000 })
  await opened.secret('signing-key', 32)
  await opened.ownership.start(undefined)
  const folder = scratch()
  await filled(folder)
  const refused = 'a daemon works on the database: busy'
  await expect(migrateToDatabase({ dataFolder: folder, store, clock })).rejects.toThrow(refused)
  await expect(migrateToFolder({ dataFolder: scratch(), store, clock })).rejects.toThrow(refused)
  await opened.close()
  const database = new Database({ url: store.url, name: 'test' })
  onTestFinished(() => database.close())
  await database.query(
    "INSERT INTO node (id, name, version, expires_at, lease_ms) VALUES ('d', 'dead', '1', now() + interval '1 h', 500)",
  )
  expect(await migrateToFolder({ dataFolder: scratch(), store, clock })).toHaveLength(2)
})

it('leaves out records that were deleted', async () => {
  const database = new Database({ url: await server.database(), name: 'test' })
  onTestFinished(() => database.close())
  const form = { ...NOTHING, collections: ['things'] }
  const collections = new Map([['things', [{ id: 'a' }, { id: 'b' }]]])
  await fillDatabase(database, { journals: [], collections, secrets: new Map() }, form, undefined)
  await database.query("UPDATE document SET record = NULL WHERE id = 'a'")
  const site = await database.transaction((client) => readDatabase(database, client, form, undefined))
  expect(site.collections.get('things')).toEqual([{ id: 'b' }])
})

it('nothing is kept in a database that does not give back what it got', async () => {
  const database = new Database({ url: await server.database(), name: 'test' })
  onTestFinished(() => database.close())
  const now = Date.now()
  // The first entry is before the oldest one that is kept.
  const site = { journals: [journalOf(2, [now, now])], collections: new Map(), secrets: new Map() }
  await expect(fillDatabase(database, site, NOTHING, undefined)).rejects.toThrow(NotTheSame)
  expect(await database.query('SELECT seq FROM entry')).toEqual([])
})

it('puts entries into days that never fall and are not after today, whatever clocks have said', async () => {
  const database = new Database({ url: await server.database(), name: 'test' })
  onTestFinished(() => database.close())
  const now = Date.now()
  const at = [now - 2 * DAY, now - 3 * DAY, now - DAY, now + 40 * DAY, now - DAY]
  const site = {
    journals: [journalOf(1, at, [now - 4 * DAY, now + 40 * DAY])],
    collections: new Map(),
    secrets: new Map(),
  }
  await fillDatabase(database, site, NOTHING, undefined)
  const day = (time: number): string => new Date(time).toISOString().slice(0, 10)
  const days = async (table: string, order: string): Promise<readonly string[]> =>
    (await database.query<{ readonly day: string }>(`SELECT day::text FROM ${table} ORDER BY ${order}`)).map(
      (row) => row.day,
    )
  const [today = ''] = await days("head WHERE journal = 'journal'", 'day')
  // The next day may have begun since.
  expect([day(now), day(Date.now())]).toContain(today)
  const ago = (...all: readonly number[]): readonly string[] => all.map((one) => day(now - one * DAY))
  expect(await days('entry', 'seq')).toEqual([...ago(2, 2, 1), today, today])
  expect(await days('pinned', 'seq')).toEqual([...ago(4), today])
  expect(await days('portion', 'day')).toEqual([...ago(2, 1), today])
})

it('leaves nothing where it fails', async () => {
  const folder = scratch()
  await filled(folder)
  const url = await server.database()
  const { DatabaseProxy } = await import('../../stress/cluster/cluster-proxy.js')
  const proxy = await DatabaseProxy.start(server.port)
  onTestFinished(() => proxy.close())
  const through = { url: url.replace(String(server.port), String(proxy.port)) }
  const failing = migrateToDatabase({ dataFolder: folder, store: through, clock })
  const ended = expect(failing).rejects.toThrow()
  // In the midst of the entries.
  await until(() => proxy.carried > 50_000)
  await proxy.cut('now')
  await ended
  await migrateToDatabase({ dataFolder: folder, store: { url }, clock })
  const back = scratch()
  await expect(migrateToFolder({ dataFolder: back, store: { url: `${url}_none` }, clock })).rejects.toThrow()
  expect(() => readdirSync(back)).toThrow()
})

it('says what a person is to do: the password, the flags of the daemon, the folder that is not empty, the key', async () => {
  const secsctl = new Secsctl()
  onTestFinished(() => secsctl.remove())
  await filled(join(secsctl.home, 'data'))
  const [, store = '', ...password] = server.flags(`${await server.database()}?sslmode=disable`)
  const keyFile = (name: string, byte: string): string => {
    const path = join(secsctl.home, name)
    writeFileSync(path, byte.repeat(32), { mode: 0o600 })
    return path
  }
  const key = ['--store-key-file', keyFile('a key', 'ab')]

  const without = await secsctl.run(['daemon', 'migrate', '--to', store])
  expect(without).toMatchObject({ code: 4, stderr: expect.stringContaining('--store-password-file') })
  expect(without.stderr).not.toMatch(/SASL|cannot be used now/)

  const carried = await secsctl.run(['daemon', 'migrate', '--to', store, ...password, ...key])
  expect(carried.code).toBe(0)
  const start = ['secsctl', 'daemon', 'start', '--store', store, ...password, ...key].map(shellWord).join(' ')
  expect(carried.stderr).toContain(`Next: ${start}`)

  const back = await secsctl.run(['daemon', 'migrate', '--from', store, ...password, ...key])
  expect(back).toMatchObject({ code: 5, stderr: expect.stringContaining('is not empty') })
  expect(back.stderr).not.toContain('cannot be used now')

  const other = ['--store-key-file', keyFile('other', 'cd')]
  for (const wrong of [other, []]) {
    const { code, stderr } = await secsctl.run(['daemon', 'run', '--store', store, ...password, ...wrong])
    expect({ code, stderr }).toEqual({
      code: 9,
      stderr: expect.stringMatching(/key-file of the other daemons/),
    })
    expect(stderr).not.toContain('--accept')
  }
})
