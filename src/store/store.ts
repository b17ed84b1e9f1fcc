import type { Collection } from './collection.js'
import type { Gap } from './gap.js'
import type { Journal } from './journal.js'
import type { Ownership } from './ownership.js'
import type { RetentionPolicy } from './retention-policy.js'

/**
 * How far a process has read what all processes have written: a number of the records that rises with each change, and then
 * the number of the last entry of each journal.
 */
export type Position = readonly number[]

/** Everything that has to survive. */
export interface Store {
  readonly journal: Journal
  readonly ownership: Ownership
  /** Numbers that no entry has, since a person gave up what was lost. */
  readonly gaps: readonly Gap[]
  /** Time by which records get old, in milliseconds since 1970: not that of a clock that has just jumped ahead. */
  readonly time: { now(): number }
  /** Resolves when the process has to end, since nothing can be written any more; never rejects. */
  readonly failed: Promise<Error>
  /** A collection by name. */
  collection<T extends { readonly id: string }>(
    name: string,
    options?: CollectionForm,
  ): Promise<Collection<T>>
  /** A further journal, which keeps its entries as long as `retention` says. Opened once. */
  furtherJournal(name: FurtherJournal, retention: RetentionPolicy): Promise<Journal>
  /** `length` random bytes, the same at every call. */
  secret(name: string, length: number): Promise<Uint8Array>
  /**
   * Reads what other processes have written until now: all at once for those who wait. Left out where no other process can
   * have written.
   */
  readonly catchUp?: () => Promise<void>
  /** How far that is read. Left out with it. */
  readonly position?: () => Position
  /** Resolves once everything is on disk, and another process may open the store. */
  close(): Promise<void>
}

export interface CollectionForm {
  /** For records of an older version: the first leads from version 1 to 2, and so on. */
  readonly migrations?: readonly Migration[]
  /** Only the process that owns the id of a record changes it; the one that adds it owns it. */
  readonly owned?: boolean
}

/**
 * Brings records of one version to the next. A record of that version, or a later one, stays as it is: of a collection that
 * processes of two versions write, some are of either.
 */
export type Migration = (records: readonly unknown[]) => readonly unknown[]

/** Records of any earlier version in the form of now. */
export const ofNow = (records: readonly unknown[], migrations: readonly Migration[]): readonly unknown[] =>
  migrations.reduce((before, migration) => migration(before), records)

/** Journals beside the main one. */
export const FURTHER_JOURNALS = ['audit'] as const
export type FurtherJournal = (typeof FURTHER_JOURNALS)[number]
