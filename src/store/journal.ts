import type { Signal } from '../kit/signal.js'
import type { Entry, Kind, NewEntry, Revive } from './entry.js'
import type { FirstHeld } from './retention-policy.js'
import type { View } from './view.js'

export interface JournalQuery {
  /** Entries of any of these kinds; left out, of every kind. */
  readonly kinds?: readonly Kind[]
  /** Entries of this key, or of any of these. */
  readonly key?: string | ReadonlySet<string>
  /** Entries with any of these topics; the empty word finds those without one. */
  readonly topics?: ReadonlySet<string>
  /** Inclusive, ISO 8601 UTC. */
  readonly from?: string
  /** Exclusive, ISO 8601 UTC. */
  readonly to?: string
  /** Only entries with a higher sequence number. */
  readonly after?: number
  /** Only entries with a lower sequence number. */
  readonly before?: number
  readonly order: 'asc' | 'desc'
  readonly limit: number
  /** Stops with the entry that brings what was read to this many bytes on disk; one is always read. */
  readonly bytes?: number
  /** Applied to the entries that match all else. */
  readonly where?: (entry: Entry) => boolean
}

export type NumberQuery = Omit<JournalQuery, 'limit' | 'bytes' | 'where'>

/** What a query has found, and how far it has read: both of one state of the journal. */
export interface JournalRead {
  readonly entries: readonly Entry[]
  /** It has ended for its bytes: more may match. */
  readonly isCut: boolean
  /**
   * Among the entries are all that match from where the query began up to this number. Whoever reads on begins after it:
   * a position that is taken from elsewhere, as from `last`, may be past entries that the query has not seen.
   */
  readonly readTo: number
  /** The oldest number that was kept when it was read: what is before it, and was not read, is gone. */
  readonly first: number
}

/** The calls of `append` and `appendAll` whose entries are not on disk yet. */
export interface Backlog {
  readonly count: number
  /** For how long the oldest has waited, in milliseconds; 0 when none waits. */
  readonly ms: number
}

/** Append-only history. Nothing is visible, in a query or to a listener, before it is on disk. */
export interface Journal {
  /** The oldest sequence number that is kept; `last + 1` when there is none. Rises as retention takes what is before. */
  readonly first: number
  /** The newest sequence number that is on disk; 0 when there is none. */
  readonly last: number
  /** Entries in order, each once it is on disk. */
  readonly appended: Signal<Entry>
  /**
   * Resolves once the entry is on disk. Rejects with `StoreUnavailable` after the first I/O error, and from then on; with
   * `Unsettled` where the disk or the database takes too long, and may record the entry later.
   */
  append(entry: NewEntry): Promise<Entry>
  /** Several entries on disk together or not at all. */
  appendAll(entries: readonly NewEntry[]): Promise<readonly Entry[]>
  /** Undefined for an entry that is not kept. An entry that a view lists in `pinned` is kept, also before `first`. */
  get(seq: number): Promise<Entry | undefined>
  query(query: JournalQuery): Promise<readonly Entry[]>
  /** The same, for those who read on where they have stopped. */
  read(query: JournalQuery): Promise<JournalRead>
  /** The number of the first entry that matches all but `where`; no entry is read for it. */
  numberOf(query: NumberQuery): Promise<number | undefined>
  /**
   * Brings views up to date and keeps them so. Called once, before anything is appended, with all
   * views: from then on retention may delete entries that no view lists in `pinned`. `revive`: applied to each entry that
   * is read from disk. `firstHeld`: asked before each deletion; that entry and those after it are held.
   */
  attach(views: readonly View[], revive?: Revive, firstHeld?: FirstHeld): Promise<void>
  readonly backlog: Backlog
  /** Files in which something was read, since the journal was opened, that is not what was written, or that cannot be read. */
  readonly damagedFiles: number
  /** Why nothing is acknowledged any more; undefined while all is well. */
  readonly failure: Error | undefined
  /** Resolves once everything appended so far is on disk and its files are closed. */
  close(): Promise<void>
}

/** How far a query has read. `before` is at most the end of the journal. */
export function readTo(
  { order, limit, after = 0, before }: JournalQuery & { readonly before: number },
  { entries, isCut }: Pick<JournalRead, 'entries' | 'isCut'>,
): number {
  const last = entries.at(-1)
  if (last && (entries.length >= limit || isCut)) return last.seq
  return order === 'asc' ? Math.max(after, before - 1) : after + 1
}
