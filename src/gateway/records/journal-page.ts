import { Problem } from '../../contract/errors.js'
import { DEFAULT_LIMIT } from '../../contract/schema.js'
import type { Entry } from '../../store/entry.js'
import type { Journal, JournalQuery } from '../../store/journal.js'
import { decodeEntryCursor, encodeCursor, invalidCursor } from './cursor.js'
import { timeOf } from './time-range.js'

/** A page ends early with the entry that reaches this many bytes on disk: as JSON it is many times as large. */
const PAGE_BYTES = 4 * 1024 * 1024

/** The parameters that all lists over the journal have. */
export interface PageQuery {
  readonly limit?: number
  readonly cursor?: string
  readonly order?: 'asc' | 'desc'
  readonly equipment_id?: string | readonly string[]
  readonly from?: string
  readonly to?: string
}

/** The ids of equipment by which the journal is searched. */
export type Keys = string | ReadonlySet<string>

export const keysOf = (ids: string | readonly string[]): Keys =>
  typeof ids === 'string' ? ids : new Set(ids)

/** Whether equipment is among them; undefined for all equipment. */
export const reaching =
  (keys: Keys | undefined) =>
  (id: string): boolean =>
    keys === undefined || (typeof keys === 'string' ? keys === id : keys.has(id))

export interface EntryPage {
  readonly entries: readonly Entry[]
  readonly next_cursor: string | null
}

/**
 * One page of the journal. The cursor is the sequence number of the entry that the next page begins with, so
 * appends meanwhile change nothing. Throws `invalid_cursor`, and `cursor_expired` when retention has removed that
 * entry. `keys`: the equipment, where the query alone does not say it.
 */
export async function readPage(
  journal: Journal,
  list: string,
  query: PageQuery,
  matching: Pick<JournalQuery, 'kinds' | 'topics' | 'where' | 'after'>,
  keys: Keys | undefined = query.equipment_id && keysOf(query.equipment_id),
): Promise<EntryPage> {
  const filters = { list, ...query }
  const order = query.order ?? 'desc'
  const limit = query.limit ?? DEFAULT_LIMIT
  const from = timeOf(query.from)
  const to = timeOf(query.to)
  const search = {
    order,
    ...matching,
    ...(keys !== undefined && { key: keys }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  } as const
  const { cursor } = query
  const begin = cursor === undefined ? undefined : decodeEntryCursor(cursor, filters, journal.last)
  const start = begin === undefined ? {} : order === 'asc' ? { after: begin - 1 } : { before: begin + 1 }
  // Includes the first entry of the next page, where it fits.
  const page = await journal.read({ limit: limit + 1, bytes: PAGE_BYTES, ...search, ...start })
  const read = page.entries
  const entries = read.length > limit ? read.slice(0, limit) : read
  if (begin !== undefined && begin < page.first) throw cursorExpired()
  // A cursor of another history: of what was recorded after the backup that was restored.
  if (begin !== undefined && read[0]?.seq !== begin && !(await journal.get(begin))) throw invalidCursor()
  const last = entries.at(-1)
  if (!last) return { entries, next_cursor: null }
  const rest = order === 'asc' ? { after: last.seq } : { before: last.seq }
  // Where the page was cut, the next one begins with an entry that may not match.
  const further =
    read[limit]?.seq ?? (page.isCut ? await journal.numberOf({ ...search, ...rest }) : undefined)
  return { entries, next_cursor: further === undefined ? null : encodeCursor(filters, String(further)) }
}

/** Entries that one page of `readSifted` looks at, and how many at once. */
const MAX_LOOKED_AT = 10_000
const LOOKED_AT_ONCE = 1000

/**
 * One page of the journal's entries that `sift` lets through. It looks at a limited number of entries, so a page may have
 * fewer than were asked for, or none, and still a cursor.
 */
export async function readSifted(
  journal: Journal,
  list: string,
  query: PageQuery,
  matching: Pick<JournalQuery, 'kinds' | 'topics' | 'where' | 'after'>,
  keys: Keys | undefined,
  sift: (entries: readonly Entry[]) => Promise<readonly Entry[]>,
): Promise<EntryPage> {
  const filters = { list, ...query }
  const wanted = query.limit ?? DEFAULT_LIMIT
  const found: Entry[] = []
  let cursor = query.cursor
  for (let looked = 0; looked < MAX_LOOKED_AT; ) {
    const page = await readPage(
      journal,
      list,
      { ...query, limit: LOOKED_AT_ONCE, ...(cursor !== undefined && { cursor }) },
      matching,
      keys,
    )
    const passed = await sift(page.entries)
    const room = wanted - found.length
    found.push(...passed.slice(0, room))
    const further = passed[room]
    if (further) return { entries: found, next_cursor: encodeCursor(filters, String(further.seq)) }
    if (page.next_cursor === null) return { entries: found, next_cursor: null }
    cursor = page.next_cursor
    looked += Math.max(page.entries.length, 1)
    if (found.length === wanted) break
  }
  return { entries: found, next_cursor: cursor ?? null }
}

export const cursorExpired = (): Problem =>
  new Problem('cursor_expired', 'Retention has removed what would follow. Start again without the cursor.')
