import { NUMBERS_LEFT_OUT } from '../../../src/store/gap.js'
import { MIGRATIONS } from '../../../src/store/postgres/migrations.js'
import { arrayOf } from './arrays.js'
import { pageOf, pageStatement } from './page.js'
import type { JournalTables, LeaseRow, NodeRow, StoredEntry, Tables } from './tables.js'

export type Row = Readonly<Record<string, unknown>>
type Values = readonly unknown[]

/** What a statement of the store does to the tables. */
export interface Statement {
  /** What it locks until its transaction is over. */
  readonly locks?: (values: Values) => readonly string[]
  /** Nothing in its transaction reads what it writes: it is carried out with the commit. */
  readonly isLate?: true
  readonly run: (tables: Tables, values: Values, now: number) => readonly Row[]
}

/** An error of the database. */
export class DatabaseError extends Error {
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message)
  }
}

const HOUR_MS = 60 * 60_000
/** Of all changes of leases and documents. */
const CHANGES = (): readonly string[] => ['changes']
const headOf = ([journal]: Values): readonly string[] => [`head of ${journal}`]

const journalOf = (tables: Tables, name: unknown): JournalTables => {
  const journal = tables.journals.get(String(name))
  if (!journal) throw new Error(`the model has no journal ${name}`)
  return journal
}

const texts = (value: unknown): readonly string[] => value as readonly string[]
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)
const isAlive = (tables: Tables, node: unknown): boolean => tables.nodes.get(String(node))?.hasEnded === false
const markOf = ({ renewal, hasEnded }: NodeRow): string =>
  `${renewal} ${hasEnded ? '1970-01-01 00:00:00+00' : '9999-01-01 00:00:00+00'}`

const entryRow = (entry: StoredEntry): Row => ({ ...entry, seq: String(entry.seq), at: String(entry.at) })

/** The same number for the same text. */
function hashOf(text: string): string {
  let [one, other] = [0x811c9dc5, 0x9e3779b9]
  for (let at = 0; at < text.length; at++) {
    one = Math.imul(one ^ text.charCodeAt(at), 0x01000193)
    other = Math.imul(other ^ text.charCodeAt(at), 0x85ebca6b)
  }
  return `${one >>> 0}${other >>> 0}`
}

function putLease(tables: Tables, row: LeaseRow): void {
  tables.leases.set(row.key, row)
}

function putNode(tables: Tables, id: unknown, change: Partial<NodeRow>): readonly Row[] {
  const node = tables.nodes.get(String(id))
  if (!node) return []
  tables.nodes.set(node.id, { ...node, ...change })
  return [{ id: node.id }]
}

function removeNode(tables: Tables, id: string): void {
  tables.nodes.delete(id)
  for (const lease of tables.leases.values())
    if (lease.owner === id) putLease(tables, { ...lease, owner: null })
  for (const { writers } of tables.journals.values()) writers.delete(id)
}

const nodeRows = (tables: Tables, now: number): readonly Row[] =>
  [...tables.nodes.values()]
    .filter(({ hasEnded, endedAt }) => !hasEnded || endedAt > now - HOUR_MS)
    .sort((one, other) =>
      one.name === other.name ? one.startedAt - other.startedAt : one.name < other.name ? -1 : 1,
    )
    .map((node) => ({
      id: node.id,
      name: node.name,
      url: node.url,
      version: node.version,
      started_at: new Date(node.startedAt),
      draining: node.draining,
      lease_ms: node.leaseMs,
      ended: node.hasEnded,
      mark: markOf(node),
      now,
      lag: String(journalOf(tables, 'journal').last - node.read),
    }))

function endNodes(tables: Tables, [ids, marks]: Values, now: number): readonly Row[] {
  const ended = texts(ids).filter((id, at) => {
    const node = tables.nodes.get(id)
    return node && !node.hasEnded && markOf(node) === texts(marks)[at]
  })
  for (const id of ended) putNode(tables, id, { hasEnded: true, endedAt: now })
  return ended.map((id) => ({ id }))
}

function claimLeases(tables: Tables, [node, kept, most]: Values): readonly Row[] {
  if (!isAlive(tables, node)) return []
  tables.version += 1
  const isFree = ({ key, owner }: LeaseRow): boolean =>
    owner === null || !isAlive(tables, owner) || (owner === node && !texts(kept).includes(key))
  const free = [...tables.leases.values()].filter(isFree).sort((one, other) => {
    const isOther = Number(one.owner !== node) - Number(other.owner !== node)
    return isOther || (one.key < other.key ? -1 : 1)
  })
  return free.slice(0, Number(most)).map((lease) => {
    const epoch = lease.epoch + 1
    putLease(tables, { ...lease, owner: String(node), epoch, version: tables.version })
    return { key: lease.key, epoch: String(epoch) }
  })
}

function publish(tables: Tables, [keys, states, node]: Values): readonly Row[] {
  tables.version += 1
  for (const [at, key] of texts(keys).entries()) {
    const lease = tables.leases.get(key)
    if (lease && lease.owner === node)
      putLease(tables, { ...lease, state: texts(states)[at] as string, version: tables.version })
  }
  return []
}

function giveLeases(tables: Tables, [keys, node]: Values): readonly Row[] {
  for (const key of texts(keys)) {
    const lease = tables.leases.get(key)
    if (!lease || lease.owner !== node) continue
    tables.version += 1
    putLease(tables, { ...lease, owner: null, version: tables.version })
  }
  return []
}

function changeDocument(
  tables: Tables,
  [collection, givenId, givenRecord, known, node, owned]: Values,
): readonly Row[] {
  tables.version += 1
  const { version } = tables
  const [id, record] = [String(givenId), givenRecord as string | null]
  const before = tables.documents.get(`${collection} ${id}`)
  const versionBefore = before?.record == null ? 0 : before.version
  if (versionBefore !== known && (before?.record ?? null) !== record) return [{ refused: 'changed' }]
  if (owned) {
    const lease = tables.leases.get(id)
    if (lease && (lease.owner !== node || !isAlive(tables, node))) return [{ refused: 'owner' }]
    if (!lease && record !== null)
      putLease(tables, { key: id, owner: String(node), epoch: 1, state: null, version })
    else if (record === null) tables.leases.delete(id)
  }
  const added = before && before.record !== null ? before.added : version
  const row = { collection: String(collection), id, record, version, changedBy: String(node), added }
  tables.documents.set(`${collection} ${id}`, row)
  if (version % FORGETTING === 0) forgetDeleted(tables)
  return [{ refused: null }]
}

/** A process that is away for minutes misses fewer changes than these; the database itself keeps what was deleted. */
const REMEMBERED_CHANGES = 50_000
/** About once in so many changes older ones are forgotten. */
const FORGETTING = 100

function forgetDeleted({ documents, version }: Tables): void {
  for (const [key, row] of documents)
    if (row.record === null && row.version < version - REMEMBERED_CHANGES) documents.delete(key)
}

function takeTurn({ turns }: Tables, [collection]: Values): readonly Row[] {
  const number = (turns.get(String(collection)) ?? 0) + 1
  turns.set(String(collection), number)
  return [{ number: String(number) }]
}

function changeInTurn(tables: Tables, values: Values): readonly Row[] {
  const [collection, turn, history] = [values[0], values[6], values[7]]
  const isOver = turn !== null && Number(turn) !== tables.turns.get(String(collection))
  return isOver || history !== tables.history ? [{ refused: 'changed' }] : changeDocument(tables, values)
}

const documentsOf = (tables: Tables, collection: unknown): readonly Row[] =>
  [...tables.documents.values()]
    .filter((row) => row.collection === collection && row.record !== null)
    .sort((one, other) =>
      one.added === other.added ? (one.id < other.id ? -1 : 1) : one.added - other.added,
    )
    .map((row) => ({ ...row, version: String(row.version) }))

/** What was changed after a version, in the order of the versions. */
const changesAfter = <T extends { readonly version: number }>(
  rows: Iterable<T>,
  { version }: Tables,
  after: unknown,
): readonly T[] =>
  Number(after) >= version
    ? []
    : [...rows].filter((row) => row.version > Number(after)).sort((one, other) => one.version - other.version)

/** With the history of the database, which stands alone where nothing was changed. */
const withHistory = ({ history }: Tables, rows: readonly Row[]): readonly Row[] =>
  rows.length > 0 ? rows.map((row) => ({ ...row, history })) : [{ version: null, history }]

const documentsAfter = (tables: Tables, [after]: Values): readonly Row[] =>
  withHistory(
    tables,
    changesAfter(tables.documents.values(), tables, after).map(
      ({ collection, id, record, version, changedBy }) => ({
        collection,
        id,
        record,
        version: String(version),
        changed_by: changedBy,
      }),
    ),
  )

const leasesAfter = (tables: Tables, [after]: Values): readonly Row[] =>
  withHistory(
    tables,
    changesAfter(tables.leases.values(), tables, after).map((lease) => ({
      ...lease,
      epoch: String(lease.epoch),
      version: String(lease.version),
    })),
  )

function append(tables: Tables, values: Values, now: number): readonly Row[] {
  const [
    name,
    node,
    batch,
    owned,
    epochs,
    keys,
    types,
    names,
    topics,
    ats,
    datas,
    refers,
    members,
    referred,
  ] = values.map(arrayOf)
  const journal = journalOf(tables, name)
  if ((journal.writers.get(String(node))?.batch ?? -1) >= Number(batch))
    throw new DatabaseError(`batch ${batch} was given up`, 'SE001')
  const stale = isAlive(tables, node)
    ? texts(owned).filter((key, at) => {
        const lease = tables.leases.get(key)
        return lease && (lease.owner !== node || lease.epoch !== (epochs as readonly number[])[at])
      })
    : texts(owned)
  if (stale.length > 0) return [{ first: null, stale, mark: null, mark_before: null }]
  const before = journal.mark
  const mark = hashOf(`${node} ${batch}`)
  if (journal.history !== tables.history) {
    if (journal.history !== null) journal.last += NUMBERS_LEFT_OUT
    journal.history = tables.history
  }
  const first = journal.last + 1
  beginDay(journal, String(name), now)
  const more = new Map<number, string>()
  for (const [at, entry] of (refers as readonly number[]).entries()) {
    const number = (referred as readonly number[])[at] as number
    const seq = number < 0 ? -number : journal.last + number
    more.set(entry, `${more.get(entry) ?? ''},"${texts(members)[at]}":"${seq}"`)
  }
  for (const [at, key] of texts(keys).entries()) {
    const [type, entryName, topic] = [types, names, topics].map((column) => texts(column)[at] as string)
    const data = withMembers(texts(datas)[at] as string, more.get(at + 1))
    journal.entries.push({
      day: journal.day,
      seq: first + at,
      key,
      type: type as string,
      name: entryName as string,
      topic: topic as string,
      at: (ats as readonly number[])[at] as number,
      data,
      mark,
    })
  }
  journal.last += texts(keys).length
  journal.mark = mark
  journal.writers.set(String(node), { batch: Number(batch), first })
  return [{ first: String(first), stale: null, mark, mark_before: before }]
}

const withMembers = (data: string, more: string | undefined): string => {
  if (more === undefined) return data
  return data === '{}' ? `{${more.slice(1)}}` : `${data.slice(0, -1)}${more}}`
}

/** Entries go into the newest partition whose day has come. */
function beginDay(journal: JournalTables, name: string, now: number): void {
  const today = dayOf(now)
  if (today <= journal.day) return
  const days = [...journal.partitions].filter((day) => day >= journal.day).sort()
  const day = days.findLast((one) => one <= today) ?? days[0]
  if (day === undefined) throw new DatabaseError(`the journal ${name} has no partition`, 'P0001')
  if (day <= journal.day) return
  journal.portions = [...journal.portions, { day, first: journal.last + 1 }]
  journal.day = day
}

function appendUnless(tables: Tables, values: Values, now: number): readonly Row[] {
  const { entries } = journalOf(tables, values[0])
  const [keys, types, names, lasts] = values.slice(14).map(arrayOf)
  let overtaken = 0
  for (const [at, key] of texts(keys).entries()) {
    const last = (lasts as readonly number[])[at] as number
    for (let place = entries.length - 1; place >= 0 && (entries[place] as StoredEntry).seq > last; place--) {
      const entry = entries[place] as StoredEntry
      if (entry.key === key && entry.type === texts(types)[at] && entry.name === texts(names)[at])
        overtaken = Math.max(overtaken, entry.seq)
    }
  }
  if (overtaken > 0)
    return [{ first: null, stale: null, overtaken: String(overtaken), mark: null, mark_before: null }]
  return append(tables, values.slice(0, 14), now).map((row) => ({ ...row, overtaken: null }))
}

function lookUp(tables: Tables, [name, node, batch]: Values): readonly Row[] {
  const { writers } = journalOf(tables, name)
  const known = writers.get(String(node))
  if (known && known.batch >= Number(batch))
    return [{ first: known.batch === batch && known.first !== null ? String(known.first) : null }]
  writers.set(String(node), { batch: Number(batch), first: null })
  return [{ first: null }]
}

const head = (tables: Tables, [name]: Values): readonly Row[] => {
  const { last, first, mark, portions } = journalOf(tables, name)
  return [
    { last: String(last), first: String(first), mark, portions: portions.map((one) => [one.day, one.first]) },
  ]
}

/** What a process reads of the others, as one text. */
function follow(text: string): Statement {
  const statement = pageStatement(text)
  const textOf = ({ seq, key, type, name, topic, at, mark, data }: StoredEntry): string =>
    `${JSON.stringify([seq, key, type, name, topic, at, mark])},${data}`
  return {
    run: (tables, values) => {
      const { entries, first } = journalOf(tables, values[0])
      const { rows } = pageOf(entries, first, statement, values)
      return [{ page: rows.length > 0 ? rows.map(textOf).join(',') : null }]
    },
  }
}

function numberOf(text: string): Statement {
  const statement = pageStatement(text)
  return {
    run: (tables, values) => {
      const { entries, first } = journalOf(tables, values[0])
      return pageOf(entries, first, statement, values).rows.map(({ seq }) => ({ seq: String(seq) }))
    },
  }
}

function page(text: string): Statement {
  const statement = pageStatement(text)
  return {
    run: (tables, values) => {
      const { entries, first, last } = journalOf(tables, values[0])
      const { rows, count } = pageOf(entries, first, statement, values)
      const kept = { kept_from: String(first), kept_to: String(last) }
      if (rows.length === 0) return [{ seq: null, ...kept }]
      return rows.map((entry) => ({ ...entryRow(entry), rows: String(count), ...kept }))
    },
  }
}

const missingDays = (tables: Tables, [name, days]: Values): readonly Row[] => {
  const journal = journalOf(tables, name)
  return [...texts(days)]
    .sort()
    .filter((day) => day > journal.day && !journal.partitions.has(day))
    .map((day) => ({ day }))
}

const removedDays = (tables: Tables, [name]: Values): readonly Row[] => {
  const { partitions, portions, day } = journalOf(tables, name)
  const isKept = (one: string): boolean => portions.some((portion) => portion.day === one)
  return [...partitions]
    .sort()
    .filter((one) => one < day && !isKept(one))
    .map((one) => ({ day: one }))
}

function dropDay(tables: Tables, journal: string, compactDay: string): readonly Row[] {
  const { entries } = journalOf(tables, journal)
  const kept = entries.filter(({ day }) => day.replaceAll('-', '') !== compactDay)
  entries.splice(0, entries.length, ...kept)
  return []
}

const latestOf = (tables: Tables, [name, day]: Values): readonly Row[] => {
  const { entries } = journalOf(tables, name)
  const latest = entries.findLast((entry) => entry.day === day)
  return [{ latest: latest ? String(latest.at) : null, bytes: String(entries.length * 500) }]
}

function pin(tables: Tables, [name, day, seqs]: Values): readonly Row[] {
  const { entries, pinned } = journalOf(tables, name)
  const wanted = new Set(seqs as readonly number[])
  for (const entry of entries) if (entry.day === day && wanted.has(entry.seq)) pinned.set(entry.seq, entry)
  return []
}

function unpin(tables: Tables, [name, before, kept]: Values): readonly Row[] {
  const { pinned } = journalOf(tables, name)
  for (const seq of [...pinned.keys()])
    if (seq < Number(before) && !(kept as readonly number[]).includes(seq)) pinned.delete(seq)
  return []
}

function writeSnapshot(tables: Tables, [name, view, version, seq, lines]: Values): readonly Row[] {
  const { snapshots } = journalOf(tables, name)
  const known = snapshots.get(String(view))
  if (!known || known.seq < Number(seq) || known.version !== version)
    snapshots.set(String(view), { version: Number(version), seq: Number(seq), lines: [...texts(lines)] })
  return []
}

const nothing: Statement = { run: () => [] }

/** The statements of the store by their beginnings. */
const STATEMENTS: readonly (readonly [beginning: string, statement: Statement])[] = [
  ['SELECT * FROM append(', { locks: headOf, run: append }],
  ['SELECT * FROM append_unless(', { locks: headOf, run: appendUnless }],
  ['SELECT look_up(', { locks: headOf, run: lookUp }],
  ['SELECT last, first, mark, (', { run: head }],
  ['SELECT collection, id, record, version, changed_by, now.history', { run: documentsAfter }],
  ['SELECT key, owner, epoch, state, version, now.history', { run: leasesAfter }],
  ['SELECT id, name, url, version, started_at', { run: (tables, _, now) => nodeRows(tables, now) }],
  [
    'UPDATE node SET renewal =',
    {
      run: (tables, [id, leaseMs, url, read]) => {
        const renewal = (tables.nodes.get(String(id))?.renewal ?? 0) + 1
        const given = { leaseMs: Number(leaseMs), url: url as string | null, read: Number(read) }
        putNode(tables, id, { renewal, hasEnded: false, ...given })
        return []
      },
    },
  ],
  ['UPDATE node SET ended_at', { run: endNodes }],
  [
    'UPDATE node SET draining',
    { run: (tables, [id, draining]) => putNode(tables, id, { draining: draining === true }) },
  ],
  [
    'DELETE FROM node WHERE ended_at',
    {
      run: (tables, _, now) => {
        for (const { id, hasEnded, endedAt } of [...tables.nodes.values()])
          if (hasEnded && endedAt < now - HOUR_MS) removeNode(tables, id)
        return []
      },
    },
  ],
  [
    'DELETE FROM node WHERE id',
    {
      run: (tables, [id]) => {
        removeNode(tables, String(id))
        return []
      },
    },
  ],
  [
    'INSERT INTO node',
    {
      run: (tables, [given, name, version], now) => {
        const id = String(given)
        if (tables.nodes.has(id)) return []
        tables.nodes.set(id, {
          id,
          name: String(name),
          version: String(version),
          url: null,
          startedAt: now,
          hasEnded: false,
          endedAt: 0,
          read: 0,
          renewal: 0,
          leaseMs: null,
          draining: false,
        })
        return []
      },
    },
  ],
  ['SELECT * FROM claim_leases(', { locks: () => ['head of journal', 'changes'], run: claimLeases }],
  ['UPDATE lease SET state', { locks: CHANGES, run: publish }],
  ['UPDATE lease SET owner = NULL', { locks: CHANGES, run: giveLeases }],
  ['SELECT take_turn(', { locks: CHANGES, run: takeTurn }],
  ['SELECT CASE WHEN secsctl_history()', { locks: CHANGES, run: changeInTurn }],
  ['SELECT id, record, version FROM document', { run: (tables, [name]) => documentsOf(tables, name) }],
  ['SELECT id, record FROM document', { run: (tables, [name]) => documentsOf(tables, name) }],
  [
    'INSERT INTO collection',
    {
      locks: ([name]) => [`collection ${name}`],
      run: (tables, [name, form]) => {
        if (!tables.collections.has(String(name))) tables.collections.set(String(name), Number(form))
        return []
      },
    },
  ],
  [
    'SELECT form FROM collection',
    {
      locks: ([name]) => [`collection ${name}`],
      run: (tables, [name]) => [{ form: tables.collections.get(String(name)) }],
    },
  ],
  [
    'UPDATE collection SET form',
    {
      isLate: true,
      run: (tables, [name, form]) => {
        tables.collections.set(String(name), Number(form))
        return []
      },
    },
  ],
  [
    'UPDATE document SET record = $3, version = next_version()',
    {
      locks: CHANGES,
      run: (tables, [collection, id, record]) => {
        const key = `${collection} ${id}`
        const before = tables.documents.get(key)
        tables.version += 1
        if (before) tables.documents.set(key, { ...before, record: String(record), version: tables.version })
        return []
      },
    },
  ],
  [
    'SELECT secsctl_history() AS history FROM collection',
    { locks: ([name]) => [`collection ${name}`], run: ({ history }) => [{ history }] },
  ],
  ['SELECT found.*, head.first', nothing],
  [
    'SELECT * FROM pinned WHERE journal = $1 AND seq',
    {
      run: (tables, [name, seq]) => {
        const found = journalOf(tables, name).pinned.get(Number(seq))
        return found ? [entryRow(found)] : []
      },
    },
  ],
  [
    'SELECT * FROM pinned',
    {
      run: (tables, [name]) =>
        [...journalOf(tables, name).pinned.values()].sort((one, other) => one.seq - other.seq).map(entryRow),
    },
  ],
  ['INSERT INTO snapshot', { run: writeSnapshot }],
  [
    'SELECT version, seq, lines FROM snapshot',
    {
      run: (tables, [name, view]) => {
        const found = journalOf(tables, name).snapshots.get(String(view))
        return found ? [{ ...found, seq: String(found.seq) }] : []
      },
    },
  ],
  ["SELECT to_char(days.day, 'YYYY-MM-DD') AS day FROM unnest(", { run: missingDays }],
  [
    'SELECT add_partition(',
    {
      run: (tables, [name, day]) => {
        journalOf(tables, name).partitions.add(String(day))
        return []
      },
    },
  ],
  ["SELECT to_char(made.day, 'YYYY-MM-DD') AS day FROM partition", { run: removedDays }],
  ['SELECT (SELECT at FROM entry', { run: latestOf }],
  ['INSERT INTO pinned', { isLate: true, run: pin }],
  ['DELETE FROM pinned', { isLate: true, run: unpin }],
  [
    'DELETE FROM portion',
    {
      isLate: true,
      run: (tables, [name, day]) => {
        const journal = journalOf(tables, name)
        journal.portions = journal.portions.filter((one) => one.day !== day)
        return []
      },
    },
  ],
  [
    'UPDATE head SET first',
    {
      isLate: true,
      locks: headOf,
      run: (tables, [name, first]) => {
        journalOf(tables, name).first = Number(first)
        return []
      },
    },
  ],
  // Of partitions that were removed only the entries are left, and none is attached.
  ['SELECT inhdetachpending', nothing],
  [
    'DELETE FROM partition',
    {
      run: (tables, [name, day]) => {
        journalOf(tables, name).partitions.delete(String(day))
        return []
      },
    },
  ],
  [
    'INSERT INTO secret',
    {
      run: (tables, [name, sealed, content]) => {
        if (!tables.secrets.has(String(name)))
          tables.secrets.set(String(name), {
            sealed: sealed === true,
            content: Buffer.from(content as Uint8Array),
          })
        return []
      },
    },
  ],
  [
    'SELECT sealed, content FROM secret',
    {
      run: (tables, [name]) => [tables.secrets.get(String(name)) ?? []].flat(),
    },
  ],
  [
    'SELECT extract(epoch FROM believed)',
    {
      run: ({ trustedTime }, _, now) => [
        { believed: trustedTime?.believed ?? null, wall: trustedTime?.saved ?? null, now },
      ],
    },
  ],
  [
    'WITH saved AS',
    {
      run: (tables, [believed], now) => {
        tables.trustedTime = { believed: Number(believed), saved: now }
        return []
      },
    },
  ],
  ['SELECT version FROM secsctl_version', { run: ({ schema }) => [{ version: schema }] }],
  [
    'INSERT INTO secsctl_version',
    {
      isLate: true,
      run: (tables, [schema]) => {
        tables.schema = Number(schema)
        return []
      },
    },
  ],
  // The model has the newest tables always.
  ...MIGRATIONS.map((text) => [plainOf(text), nothing] as const),
  ['SELECT pg_advisory_xact_lock', { locks: () => ['migration'], run: () => [] }],
  ['SELECT 1', { run: () => [{ '?column?': 1 }] }],
  ...[
    'CREATE TABLE IF NOT EXISTS secsctl_version',
    'DELETE FROM secsctl_version',
    'SET ',
    'LISTEN ',
    'NOTIFY ',
  ].map((beginning) => [beginning, nothing] as const),
]

const known = new Map<string, Statement>()

/** Throws for a statement that the model does not know. */
export function statementOf(text: string): Statement {
  const found = known.get(text) ?? read(text)
  known.set(text, found)
  return found
}

function plainOf(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function read(text: string): Statement {
  const plain = plainOf(text)
  if (plain.startsWith('SELECT found.*, head.first')) return page(plain)
  if (plain.startsWith('SELECT string_agg(words')) return follow(plain)
  if (plain.startsWith('SELECT seq FROM (SELECT')) return numberOf(plain)
  const [, journal, day] = /^DROP TABLE IF EXISTS entry_(\w+)_(\d{8})$/.exec(plain) ?? []
  if (journal !== undefined && day !== undefined) return { run: (tables) => dropDay(tables, journal, day) }
  const found = STATEMENTS.find(([beginning]) => plain.startsWith(beginning))
  if (!found) throw new Error(`the model does not know the statement: ${plain}`)
  return found[1]
}
