import { createHash } from 'node:crypto'
import type { Entry } from '../entry.js'
import type { Migration } from '../store.js'

/** One journal of a store, to be read once. */
export interface JournalContent {
  readonly name: 'journal' | 'audit'
  /** The oldest number that is kept, and the newest that was given. */
  readonly first: number
  readonly last: number
  /** Entries before `first` that a view needs, then those from it on, each oldest first, in chunks of bounded size. */
  pinned(): AsyncIterable<readonly Entry[]>
  entries(): AsyncIterable<readonly Entry[]>
}

export type Identified = { readonly id: string }

/** Everything that a store has. */
export interface SiteContent {
  readonly journals: readonly JournalContent[]
  /** By the name of the collection. */
  readonly collections: ReadonlyMap<string, readonly Identified[]>
  readonly secrets: ReadonlyMap<string, Uint8Array>
}

/** What a store is to have. */
export interface ContentForm {
  readonly collections: readonly string[]
  /** How their records of an earlier version become those of now. */
  readonly migrations: Readonly<Record<string, readonly Migration[]>>
  /** Those of them whose records have owners. */
  readonly owned: readonly string[]
  /** The secrets, each with its length in bytes. */
  readonly secrets: Readonly<Record<string, number>>
}

/** Counts entries, and says by a digest whether others are the same. */
export class EntryDigest {
  readonly #hash = createHash('sha256')
  count = 0

  add(entries: readonly Entry[]): void {
    for (const { seq, key, type, name, topic = '', at, data } of entries) {
      this.#hash.update(JSON.stringify([seq, key, type, name, topic, at, data]))
      this.count += 1
    }
  }

  get value(): string {
    return `${this.count} entries, SHA-256 ${this.#hash.copy().digest('hex')}`
  }
}

/** What was written is not what was read: nothing of it is kept. */
export class NotTheSame extends Error {
  override readonly name = 'NotTheSame'
}

/** The target has records already, or the source is in use. */
export class CannotMigrate extends Error {
  override readonly name = 'CannotMigrate'
}

/** All entries of a journal, counted. */
export async function digestOf(journal: JournalContent): Promise<string> {
  const digest = new EntryDigest()
  for await (const entries of journal.pinned()) digest.add(entries)
  for await (const entries of journal.entries()) digest.add(entries)
  return digest.value
}
