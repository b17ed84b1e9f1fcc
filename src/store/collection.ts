import type { Signal } from '../kit/signal.js'

/** A small set of records, each with an id. A change survives any crash once its promise has resolved. */
export interface Collection<T extends { readonly id: string }> {
  /** Emits the id of a record that another process has changed or removed, once `all` and `get` know it. */
  readonly changed: Signal<string>
  all(): Promise<readonly T[]>
  get(id: string): Promise<T | undefined>
  /** Adds the record, or takes the place of the one with its id. */
  put(record: T): Promise<void>
  /**
   * The same for several records, together or not at all. `elsewhere`: the ids of those which another process owns; they
   * are written nevertheless.
   */
  putAll(records: readonly T[], elsewhere?: ReadonlySet<string>): Promise<void>
  /** Removes the records with these ids together or not at all. False when there was none. */
  delete(...ids: readonly string[]): Promise<boolean>
  /**
   * Runs `work` while nobody else, in this process or another, does the same with this collection, and with the changes
   * of all others known: what it has checked still holds when it writes. Not to be called within `work`.
   */
  exclusively<R>(work: () => Promise<R>): Promise<R>
}
