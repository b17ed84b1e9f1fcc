import type { JournalEntry, JournalExportQuery } from '../../contract/topics/journal.js'
import type { Journal } from '../../store/journal.js'
import type { Keys } from '../records/journal-page.js'
import { timeOf } from '../records/time-range.js'

/** Entries that are read at once, and their bytes on disk: an export keeps them in memory while its reader is slow. */
const PAGE = { limit: 512, bytes: 256 * 1024 }

/** The journal as it is kept, oldest first. */
export class KeptEntries {
  constructor(readonly journal: Journal) {}

  /**
   * The entries that there are now, oldest first, some at a time; ends early when `signal` aborts. Reads only when
   * asked for the next. An entry that retention removes meanwhile is left out. `keys`: the equipment, asked before each
   * read, since its labels may change; undefined for all.
   */
  entries(
    query: JournalExportQuery,
    signal: AbortSignal,
    keys: () => Keys | undefined,
  ): AsyncIterable<readonly JournalEntry[]> {
    const { journal } = this
    const from = timeOf(query.from)
    const to = timeOf(query.to)
    const matching = {
      ...(query.type && { kinds: query.type.map((type) => ({ type })) }),
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
      // Entries that are appended from now on are left out, so that the export ends.
      before: Math.min(query.before ?? Number.POSITIVE_INFINITY, journal.last + 1),
    }
    return pages(journal, matching, keys, query.after ?? 0, signal)
  }
}

async function* pages(
  journal: Journal,
  matching: Pick<Parameters<Journal['query']>[0], 'kinds' | 'from' | 'to' | 'before'>,
  keys: () => Keys | undefined,
  start: number,
  signal: AbortSignal,
): AsyncGenerator<readonly JournalEntry[]> {
  let after = start
  while (!signal.aborted) {
    const key = keys()
    const search = { ...matching, ...PAGE, ...(key !== undefined && { key }) }
    const { entries, readTo } = await journal.read({ ...search, after, order: 'asc' })
    if (entries.length === 0) return
    yield entries as readonly JournalEntry[]
    after = readTo
  }
}
