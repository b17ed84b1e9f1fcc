import type { Entry } from './entry.js'
import type { JournalQuery } from './journal.js'
import type { ReadingProgress } from './reading-progress.js'
import type { View } from './view.js'

/** Entries read at once, and their bytes. */
const PAGE = { limit: 1000, bytes: 4 * 1024 * 1024 }

export interface ReadingOn {
  readonly first: number
  readonly last: number
  query(query: JournalQuery): Promise<readonly Entry[]>
}

/** Shows a view the entries after number `start`. */
export async function readOn(
  view: View,
  history: ReadingOn,
  start: number,
  progress: ReadingProgress,
): Promise<void> {
  const { kinds, topics } = view
  const matching = { kinds, ...(topics && { topics }) }
  for (let after = start; ; ) {
    const entries = await history.query({ ...matching, after, order: 'asc', ...PAGE })
    for (const entry of entries) view.apply(entry)
    const last = entries.at(-1)
    if (!last) return
    after = last.seq
    const all = history.last - history.first + 1
    progress(`reading the history for ${view.name}`, after - history.first + 1, all)
  }
}

/** What the first of these views that has to reads of an entry in advance; undefined for most entries. */
export function readAhead(entry: Entry, views: readonly View[]): Generator<void, void> | undefined {
  for (const view of views) {
    const steps = view.ahead?.(entry)
    if (steps) return steps
  }
  return undefined
}

export const isFor = ({ kinds, topics }: View, entry: Entry): boolean =>
  (topics?.has(entry.topic ?? '') ?? true) &&
  kinds.some(({ type, name }) => type === entry.type && (name === undefined || name === entry.name))
