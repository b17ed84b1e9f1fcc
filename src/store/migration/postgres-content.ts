import type pg from 'pg'
import { delay, systemClock } from '../../kit/clock.js'
import { readInstant } from '../../kit/time-text.js'
import type { Entry } from '../entry.js'
import { refuseNewer } from '../failure.js'
import type { Database } from '../postgres/database.js'
import { type EntryRow, entryOf } from '../postgres/journal/journal-query.js'
import { migrate } from '../postgres/migrate.js'
import { openedSecret, sealedSecret } from '../postgres/secrets.js'
import { ofNow } from '../store.js'
import {
  CannotMigrate,
  type ContentForm,
  digestOf,
  EntryDigest,
  type Identified,
  type JournalContent,
  NotTheSame,
  type SiteContent,
} from './site-content.js'

const PAGE = 500
const COLUMNS = 'seq, key, type, name, topic, at, data'

type Client = Pick<pg.ClientBase, 'query'>

/** What a database has. Throws `CannotMigrate` while a daemon works on it. */
export async function readDatabase(
  database: Database,
  client: Client,
  form: ContentForm,
  sealKey: Uint8Array | undefined,
): Promise<SiteContent> {
  await migrate(database)
  const atWork = await namesAtWork(database)
  if (atWork.length > 0) throw new CannotMigrate(`a daemon works on the database: ${atWork.join(', ')}`)
  const collections = new Map<string, readonly Identified[]>()
  for (const name of form.collections) {
    const kept = await client.query<{ readonly form: number }>(
      'SELECT form FROM collection WHERE name = $1',
      [name],
    )
    const migrations = form.migrations[name] ?? []
    const version = kept.rows[0]?.form ?? 1
    refuseNewer(`the collection ${name}`, version, migrations.length + 1)
    const { rows } = await client.query<{ readonly record: string }>(
      'SELECT record FROM document WHERE collection = $1 AND record IS NOT NULL ORDER BY added, id',
      [name],
    )
    const records = rows.map(({ record }) => JSON.parse(record) as unknown)
    collections.set(name, ofNow(records, migrations) as readonly Identified[])
  }
  const secrets = new Map<string, Uint8Array>()
  for (const name of Object.keys(form.secrets)) {
    const { rows } = await client.query('SELECT sealed, content FROM secret WHERE name = $1', [name])
    secrets.set(name, openedSecret(name, rows[0], sealKey))
  }
  const journals = [await journalIn(client, 'journal'), await journalIn(client, 'audit')]
  return { journals, collections, secrets }
}

interface CountRow {
  readonly id: string
  readonly name: string
  readonly mark: string
  readonly lease_ms: number
}

/** Milliseconds between two looks at the counts of daemons. */
const LOOK_MS = 200

/** The daemons that renew their leases. One that has stopped without a word is known by a count that stands still. */
async function namesAtWork(database: Database): Promise<readonly string[]> {
  const read = (): Promise<readonly CountRow[]> =>
    database.query<CountRow>(
      `SELECT id, name, renewal || ' ' || expires_at AS mark, coalesce(lease_ms, 10000) AS lease_ms
       FROM node WHERE ended_at IS NULL`,
    )
  const first = await read()
  const marks = new Map(first.map(({ id, mark }) => [id, mark]))
  const until = systemClock.now() + Math.max(0, ...first.map(({ lease_ms }) => lease_ms))
  let rising: readonly CountRow[] = []
  while (rising.length === 0 && systemClock.now() < until) {
    await delay(systemClock, LOOK_MS)
    rising = (await read()).filter(({ id, mark }) => marks.get(id) !== mark)
  }
  return rising.map(({ name }) => name)
}

async function journalIn(client: Client, name: JournalContent['name']): Promise<JournalContent> {
  const { rows } = await client.query<{ readonly first: string; readonly last: string }>(
    'SELECT first, last FROM head WHERE journal = $1',
    [name],
  )
  const [first, last] = [Number(rows[0]?.first), Number(rows[0]?.last)]
  async function* pages(table: 'entry' | 'pinned', from: number): AsyncGenerator<readonly Entry[]> {
    for (let after = from; ; ) {
      const page = await client.query<EntryRow>(
        `SELECT ${COLUMNS} FROM ${table} WHERE journal = $1 AND seq > $2 ORDER BY seq LIMIT ${PAGE}`,
        [name, after],
      )
      const entries = page.rows.map(entryOf)
      const end = entries.at(-1)
      if (!end) return
      yield entries
      after = end.seq
    }
  }
  return { name, first, last, pinned: () => pages('pinned', 0), entries: () => pages('entry', first - 1) }
}

/**
 * Fills an empty database in one transaction, so that it is filled whole or not at all. Throws `CannotMigrate` and
 * `NotTheSame`. Resolves with a line about each journal.
 */
export async function fillDatabase(
  database: Database,
  site: SiteContent,
  form: ContentForm,
  sealKey: Uint8Array | undefined,
): Promise<readonly string[]> {
  await migrate(database)
  const atWork = await namesAtWork(database)
  if (atWork.length > 0) throw new CannotMigrate(`a daemon works on the database: ${atWork.join(', ')}`)
  return database.transaction(async (client) => {
    await client.query('SELECT FROM head ORDER BY journal FOR UPDATE')
    const { rows } = await client.query<{ readonly used: boolean }>(
      `SELECT EXISTS (SELECT FROM head WHERE last > 0) OR EXISTS (SELECT FROM document)
         OR EXISTS (SELECT FROM secret) AS used`,
    )
    if (rows[0]?.used !== false)
      throw new CannotMigrate('the database has records already, or a daemon works on it')
    for (const [name, records] of site.collections) await fillCollection(client, name, records, form)
    for (const [name, secret] of site.secrets) {
      const content = sealKey ? sealedSecret(secret, sealKey) : secret
      await client.query('INSERT INTO secret VALUES ($1, $2, $3)', [name, sealKey !== undefined, content])
    }
    const lines: string[] = []
    for (const journal of site.journals) {
      const was = await fillJournal(client, journal)
      const is = await digestOf(await journalIn(client, journal.name))
      if (was !== is) throw new NotTheSame(`${journal.name} was ${was}, and is ${is}`)
      lines.push(`${journal.name}: ${was}`)
    }
    return lines
  })
}

async function fillCollection(
  client: Client,
  name: string,
  records: readonly Identified[],
  { owned, migrations }: ContentForm,
): Promise<void> {
  const version = (migrations[name]?.length ?? 0) + 1
  await client.query('INSERT INTO collection VALUES ($1, $2)', [name, version])
  for (const record of records) {
    await client.query(
      `INSERT INTO document (collection, id, record, version, changed_by, added)
       SELECT $1, $2, $3, version, '', version FROM (SELECT next_version() AS version) AS next`,
      [name, record.id, JSON.stringify(record)],
    )
    if (owned.includes(name))
      await client.query('INSERT INTO lease (key, version) VALUES ($1, next_version())', [record.id])
  }
}

async function fillJournal(client: Client, journal: JournalContent): Promise<string> {
  const { name, first, last } = journal
  const digest = new EntryDigest()
  const { rows } = await client.query<{ readonly today: string }>(
    `SELECT to_char(secsctl_now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS today`,
  )
  const today = rows[0]?.today ?? ''
  let day = ''
  const insert = async (table: 'entry' | 'pinned', entries: readonly Entry[]): Promise<void> => {
    digest.add(entries)
    const days: string[] = []
    for (const { at, seq } of entries) {
      // Days never fall with rising numbers, and none is in the future: clocks may have been wrong.
      const own = at.slice(0, 10) > today ? today : at.slice(0, 10)
      const isNew = table === 'entry' && own > day
      if (isNew) await client.query('SELECT add_portion($1, $2, $3)', [name, own, seq])
      if (isNew) day = own
      days.push(table === 'entry' ? day : own)
    }
    await client.query(
      `INSERT INTO ${table} SELECT $1, * FROM unnest($2::date[], $3::bigint[], $4::text[], $5::text[], $6::text[],
        $7::text[], $8::bigint[], $9::text[])`,
      [
        name,
        days,
        entries.map(({ seq }) => seq),
        entries.map(({ key }) => key),
        entries.map(({ type }) => type),
        entries.map((entry) => entry.name),
        entries.map(({ topic = '' }) => topic),
        entries.map(({ at }) => readInstant(at) ?? 0),
        entries.map(({ data }) => JSON.stringify(data)),
      ],
    )
  }
  for await (const entries of journal.pinned()) await insert('pinned', entries)
  for await (const entries of journal.entries()) await insert('entry', entries)
  await client.query(
    'UPDATE head SET first = $2, last = $3, day = coalesce($4::date, day) WHERE journal = $1',
    [name, first, last, day === '' ? null : day],
  )
  return digest.value
}
