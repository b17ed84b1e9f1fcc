import type { JsonObject } from '../kit/json.js'
import type { Signal } from '../kit/signal.js'

/** What is appended. The journal knows no domain: `key`, `type` and `name` are words it can search by. */
export interface NewEntry {
  /** Whom it is about; entries of one key are found without reading the others. */
  readonly key: string
  readonly type: string
  readonly name: string
  /** ISO 8601, UTC, milliseconds. May be earlier than the entry before it: clocks are set back. */
  readonly at: string
  readonly data: JsonObject
}

export interface Entry extends NewEntry {
  /** Rises by one with every entry, from 1, for as long as the data folder lives. */
  readonly seq: number
}

/** One kind of entry: a type, or a name within a type. */
export interface Kind {
  readonly type: string
  readonly name?: string
}

export interface JournalQuery {
  /** Entries of any of these kinds; left out, of every kind. */
  readonly kinds?: readonly Kind[]
  readonly key?: string
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
  /** A last look at entries that match all else. */
  readonly where?: (entry: Entry) => boolean
}

/** Append-only history. Nothing is visible, in a query or to a listener, before it is on disk. */
export interface Journal {
  /** The oldest sequence number that is kept; `last + 1` when there is none. */
  readonly first: number
  /** The newest sequence number that is on disk; 0 when there is none. */
  readonly last: number
  /** Entries in order, each once it is on disk. */
  readonly appended: Signal<Entry>
  /** Resolves once the entry is on disk. Rejects with `StoreUnavailable` after the first I/O error, for good. */
  append(entry: NewEntry): Promise<Entry>
  /** Several entries on disk together or not at all. `make` is told the sequence number of the first. */
  appendAll(make: (first: number) => readonly NewEntry[]): Promise<readonly Entry[]>
  get(seq: number): Promise<Entry | undefined>
  query(query: JournalQuery): Promise<readonly Entry[]>
  /** Why nothing is acknowledged any more; undefined while all is well. */
  readonly failure: Error | undefined
  /** Resolves once everything appended so far is on disk and its files are closed. */
  close(): Promise<void>
}
