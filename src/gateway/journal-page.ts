import { Problem } from '../contract/errors.js'
import { DEFAULT_LIMIT } from '../contract/schema.js'
import type { Entry, Journal, Kind } from '../store/journal.js'
import { decodeCursor, encodeCursor } from './cursor.js'
import { timeOf } from './time-range.js'

/** A page ends early with the entry that brings it to this many bytes: read and printed, it is many times as large. */
const PAGE_BYTES = 4 * 1024 * 1024

/** What every list over the journal is asked with. */
export interface PageQuery {
  readonly limit?: number
  readonly cursor?: string
  readonly order?: 'asc' | 'desc'
  readonly equipment_id?: string
  readonly from?: string
  readonly to?: string
}

export interface EntryPage {
  readonly entries: readonly Entry[]
  readonly next_cursor: string | null
}

/**
 * One page of the journal. The cursor is the last sequence number of the page before, so appends meanwhile
 * change nothing. Throws `invalid_cursor`, and `cursor_expired` when retention has removed what would follow.
 */
export async function readPage(
  journal: Journal,
  list: string,
  query: PageQuery,
  kinds: readonly Kind[],
  where?: (entry: Entry) => boolean,
): Promise<EntryPage> {
  const filters = { list, ...query }
  const order = query.order ?? 'desc'
  const limit = query.limit ?? DEFAULT_LIMIT
  const from = timeOf(query.from)
  const to = timeOf(query.to)
  const search = {
    kinds,
    order,
    ...(query.equipment_id !== undefined && { key: query.equipment_id }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(where && { where }),
  }
  const start =
    query.cursor === undefined ? {} : boundOf(journal, order, Number(decodeCursor(query.cursor, filters)))
  const entries = await journal.query({ ...search, ...start, limit, bytes: PAGE_BYTES })
  const last = entries.at(-1)
  if (!last) return { entries, next_cursor: null }
  const rest = order === 'asc' ? { after: last.seq } : { before: last.seq }
  const [further] = await journal.query({ ...search, ...rest, limit: 1 })
  return { entries, next_cursor: further ? encodeCursor(filters, String(last.seq)) : null }
}

function boundOf(
  journal: Journal,
  order: 'asc' | 'desc',
  position: number,
): { after: number } | { before: number } {
  const next = order === 'asc' ? position + 1 : position - 1
  if (next < journal.first) {
    throw new Problem(
      'cursor_expired',
      'Retention has removed what would follow. Start again without the cursor.',
    )
  }
  return order === 'asc' ? { after: position } : { before: position }
}
