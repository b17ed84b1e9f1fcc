import type { JsonObject } from '../kit/json.js'
import type { Entry, Kind } from './journal.js'

/** What somebody makes of a journal's entries and keeps in memory. */
export interface View {
  /** Names its snapshot: small letters, digits and hyphens. */
  readonly name: string
  /** Version of its lines: a snapshot with another one is not read. */
  readonly version: number
  /** The entries that are shown to it. */
  readonly kinds: readonly Kind[]
  /** Takes one of the lines that it gave, in their order, before any entry. */
  load(line: JsonObject): void
  /** Takes an entry. Each comes once, in order, when it is on disk. */
  apply(entry: Entry): void
  /** All that it has made of the entries up to the last one it was shown: none of those is shown to it again. */
  lines(): Iterable<JsonObject>
  /**
   * Entries that stay readable whatever retention takes. Where there is no snapshot, the view is made again
   * from them and from what is kept. An entry that is not owed any more is never owed again.
   */
  owed(): Iterable<number>
}
