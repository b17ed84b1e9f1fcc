/** A small set of records, each with an id. A change survives any crash once its promise has resolved. */
export interface Collection<T extends { readonly id: string }> {
  all(): Promise<readonly T[]>
  get(id: string): Promise<T | undefined>
  /** Adds the record, or takes the place of the one with its id. */
  put(record: T): Promise<void>
  /** Removes the records with these ids together or not at all. False when there was none. */
  delete(...ids: readonly string[]): Promise<boolean>
}
