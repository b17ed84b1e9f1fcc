import type { JsonObject } from '../../../kit/text/json.js'
import { instantText } from '../../../kit/time-text.js'
import type { Entry, Revive } from '../../entry.js'
import type { JournalQuery, JournalRead, NumberQuery } from '../../journal.js'
import type { Database } from '../database.js'

export interface EntryRow {
  readonly seq: string
  readonly key: string
  readonly type: string
  readonly name: string
  readonly topic: string
  readonly at: string
  readonly data: string
  /** Of the batch that it was appended with. */
  readonly mark: string | null
}

const COLUMNS = 'seq, key, type, name, topic, at, data, mark'

export function entryOf({ seq, key, type, name, topic, at, data }: EntryRow): Entry {
  const entry = {
    seq: Number(seq),
    key,
    type,
    name,
    at: instantText(Number(at)),
    data: JSON.parse(data) as JsonObject,
  }
  return topic === '' ? entry : { ...entry, topic }
}

/** Entries read at once, and the fewest where some of them may not be wanted. */
const MAX_PAGE = 1000
const MIN_PAGE = 100
/** Bytes of `data` read at once; one entry is always read. */
const PAGE_BYTES = 8 * 1024 * 1024
/** For so many keys or fewer, the entries of each are searched by themselves. */
const FEW_KEYS = 32

/** The days of a journal as far as this process knows them: there may be later ones. */
export interface Days {
  /** No entry with this number or a higher one is in an earlier day; undefined where no day is known. */
  earliestOf(seq: number): string | undefined
  /** No entry with this number or a lower one is in a later day; undefined where that is not certain. */
  latestOf(seq: number): string | undefined
}

type Condition = (parameter: (value: unknown) => string) => string

/** An index gives the entries of one value in the order of their numbers, and those of several by a sort. */
const isIn = (column: string, words: readonly string[], parameter: (value: unknown) => string): string => {
  const [only, ...others] = words
  return only !== undefined && others.length === 0
    ? `${column} = ${parameter(only)}`
    : `${column} = ANY (${parameter(words)}::text[])`
}

/** The conditions of a query, but for its range of numbers. */
function conditionsOf({ kinds, topics, from, to }: NumberQuery): Condition[] {
  const conditions: Condition[] = []
  if (kinds) {
    const whole = kinds.filter(({ name }) => name === undefined).map(({ type }) => type)
    const named = kinds.filter(({ name }) => name !== undefined)
    conditions.push((parameter) => {
      const types = isIn('type', [...new Set(kinds.map(({ type }) => type))], parameter)
      if (named.length === 0) return types
      const pairs = named.map(({ type, name }) => `(${parameter(type)}, ${parameter(name)})`).join(', ')
      const either = whole.length > 0 ? `${isIn('type', whole, parameter)} OR ` : ''
      return `${types} AND (${either}(type, name) IN (${pairs}))`
    })
  }
  if (topics) conditions.push((parameter) => isIn('topic', [...topics], parameter))
  if (from !== undefined) conditions.push((parameter) => `at >= ${parameter(Date.parse(from))}::bigint`)
  if (to !== undefined) conditions.push((parameter) => `at < ${parameter(Date.parse(to))}::bigint`)
  return conditions
}

interface Range {
  readonly after: number
  readonly before: number
  readonly limit: number
}

/** The entries of one page of a query, as a part of a statement. `after` and `before` are exclusive. */
function pageOf(
  journal: string,
  query: NumberQuery,
  range: Range,
  days: Days,
): { readonly page: string; readonly order: string; readonly values: readonly unknown[] } {
  const values: unknown[] = []
  const parameter = (value: unknown): string => `$${values.push(value)}`
  const bounds = [
    `journal = ${parameter(journal)}`,
    `seq > ${parameter(range.after)}::bigint`,
    `seq < ${parameter(range.before)}::bigint`,
    `seq >= (SELECT first FROM head WHERE journal = $1)`,
  ]
  // Days that cannot have any of these numbers are not looked into.
  const [oldest, newest] = [days.earliestOf(range.after + 1), days.latestOf(range.before - 1)]
  if (oldest !== undefined) bounds.push(`day >= ${parameter(oldest)}::date`)
  if (newest !== undefined) bounds.push(`day <= ${parameter(newest)}::date`)
  const conditions = [...bounds, ...conditionsOf(query).map((condition) => condition(parameter))]
  const order = `ORDER BY seq ${query.order === 'asc' ? 'ASC' : 'DESC'}`
  const tail = `${order} LIMIT ${parameter(range.limit)}::bigint`
  const select = (...more: readonly string[]): string =>
    `SELECT ${COLUMNS} FROM entry WHERE ${[...conditions, ...more].join(' AND ')} ${tail}`
  const page = ((): string => {
    const { key } = query
    if (key === undefined) return select()
    if (typeof key === 'string') return select(`key = ${parameter(key)}`)
    const keys = parameter([...key])
    if (key.size > FEW_KEYS) return select(`key = ANY (${keys}::text[])`)
    const each = select('key = one')
    return `SELECT found.* FROM unnest(${keys}::text[]) AS one CROSS JOIN LATERAL (${each}) AS found ${tail}`
  })()
  return { page, order, values }
}

/** One page of a query, as a statement. */
function statementOf(
  journal: string,
  query: JournalQuery,
  range: Range,
  days: Days,
): { readonly text: string; readonly values: readonly unknown[] } {
  const { page, order, values } = pageOf(journal, query, range, days)
  const sized = `SELECT *, sum(octet_length(data)) OVER (${order}) - octet_length(data) AS bytes, count(*) OVER () AS rows FROM (${page}) AS page`
  // The bounds of the journal belong to the same snapshot as the entries, also where there are none.
  const text = `SELECT found.*, head.first AS kept_from, head.last AS kept_to FROM head
    LEFT JOIN (SELECT ${COLUMNS}, rows FROM (${sized}) AS sized WHERE bytes < ${PAGE_BYTES}) AS found ON true
    WHERE head.journal = $1 ${order}`
  return { text, values }
}

interface BoundsRow {
  /** The first and the last number of the journal. */
  readonly kept_from: string
  readonly kept_to: string
}

type FoundRow = EntryRow & BoundsRow & { readonly rows: string }

/**
 * As `statementOf` of a query without conditions, but for the bounds of the journal: there are many of these. The entries
 * come as one JSON text, each as an array of its words and its data: it takes half as long to read as rows of eight values.
 */
const FOLLOW = `SELECT string_agg(words || ',' || data, ',') AS page FROM (
    SELECT json_build_array(seq, key, type, name, topic, at, mark::text)::text AS words, data FROM (
      SELECT *, sum(octet_length(data)) OVER (ORDER BY seq ROWS UNBOUNDED PRECEDING) - octet_length(data) AS bytes FROM (
        SELECT ${COLUMNS} FROM entry WHERE journal = $1 AND seq > $2::bigint AND seq < $3::bigint
          AND seq >= (SELECT first FROM head WHERE journal = $1) AND day >= $4::date AND day <= $5::date
          ORDER BY seq ASC LIMIT $6::bigint) AS page
    ) AS sized WHERE bytes < ${PAGE_BYTES} ORDER BY seq
  ) AS ordered`

type FollowedWords = readonly [
  seq: number,
  key: string,
  type: string,
  name: string,
  topic: string,
  at: number,
  mark: string | null,
]

/** An entry, and the mark of the batch that it was appended with. */
export interface Followed {
  readonly entry: Entry
  readonly mark: string | null
}

/** Every entry from `from` to `to`, oldest first, as many as fit into a page. */
export async function readFollowed(
  database: Database,
  journal: string,
  { from, to }: { readonly from: number; readonly to: number },
  days: Days,
): Promise<readonly Followed[]> {
  const [oldest, newest] = [days.earliestOf(from) ?? '-infinity', days.latestOf(to) ?? 'infinity']
  const [row] = await database.query<{ readonly page: string | null }>(
    FOLLOW,
    [journal, from - 1, to + 1, oldest, newest, MAX_PAGE],
    'follow',
  )
  const values = JSON.parse(`[${row?.page ?? ''}]`) as (FollowedWords | JsonObject)[]
  const rows: Followed[] = []
  for (let at = 0; at < values.length; at += 2) {
    const [seq, key, type, name, topic, time, mark] = values[at] as FollowedWords
    const entry = { seq, key, type, name, at: instantText(time), data: values[at + 1] as JsonObject }
    rows.push({ entry: topic === '' ? entry : { ...entry, topic }, mark })
  }
  return rows
}

/** The number of the first entry of a query up to `last`. */
export async function queryNumber(
  database: Database,
  journal: string,
  query: NumberQuery,
  { last, days }: { readonly last: number; readonly days: Days },
): Promise<number | undefined> {
  const { after = 0, before = last + 1 } = query
  const range = { after, before: Math.min(before, last + 1), limit: 1 }
  const { page, values } = pageOf(journal, query, range, days)
  const [row] = await database.query<{ readonly seq: string }>(`SELECT seq FROM (${page}) AS page`, values)
  return row && Number(row.seq)
}

/** The entries of a query with numbers up to `last`. */
export async function queryEntries(
  database: Database,
  journal: string,
  query: JournalQuery,
  { last, days, revive }: { readonly last: number; readonly days: Days; readonly revive: Revive },
): Promise<JournalRead> {
  const { limit, bytes = Number.POSITIVE_INFINITY, where, order } = query
  const isRising = order === 'asc'
  let after = query.after ?? 0
  let before = Math.min(query.before ?? Number.POSITIVE_INFINITY, last + 1)
  const entries: Entry[] = []
  let read = 0
  let first = 0
  while (before - after > 1) {
    const missing = limit - entries.length
    const size = Math.min(MAX_PAGE, where ? Math.max(MIN_PAGE, missing) : missing)
    const { text, values } = statementOf(journal, query, { after, before, limit: size }, days)
    const found = await database.query<FoundRow | (BoundsRow & { readonly seq: null })>(text, values)
    first = Math.max(first, Number(found[0]?.kept_from))
    const rows = found.filter((row): row is FoundRow => row.seq !== null)
    for (const row of rows) {
      const entry = revive(entryOf(row))
      if (!where || where(entry)) entries.push(entry)
      read += row.data.length
      const isCut = read >= bytes && entries.length > 0
      if (entries.length === limit || isCut) return { entries, isCut, readTo: entry.seq, first }
    }
    const end = rows.at(-1)
    if (!end || (rows.length < size && rows.length === Number(end.rows))) {
      // Nothing else matches in the journal as it was when it was read.
      const readTo = isRising ? Math.min(before - 1, Number(found[0]?.kept_to)) : after + 1
      return { entries, isCut: false, readTo, first }
    }
    if (isRising) after = Number(end.seq)
    else before = Number(end.seq)
  }
  return { entries, isCut: false, readTo: isRising ? before - 1 : after + 1, first }
}
