import type { JsonObject } from '../kit/text/json.js'
import type { Entry, Kind } from './entry.js'

/**
 * What somebody makes of a journal's entries and keeps in memory, bounded by its owner. It has to come to the
 * same whether it is shown every entry, or given its own lines and shown what followed.
 *
 * One that is new to a journal, or whose version rose, has no snapshot: it is made from all that is kept, before
 * anything is appended. With `topics` that reads no more than the entries that it wants. Until two snapshots of
 * it are on disk, retention takes nothing.
 */
export interface View {
  /** Names its snapshot: small letters, digits and hyphens. */
  readonly name: string
  /** Version of its lines: a snapshot with another one is not read. */
  readonly version: number
  /** The entries that are shown to it. */
  readonly kinds: readonly Kind[]
  /** Of those only the ones with any of these topics; the empty word finds those without one. */
  readonly topics?: ReadonlySet<string>
  /** Takes one of the lines that it gave, in their order, before any entry. */
  load(line: JsonObject): void
  /** Takes an entry. Each comes once, in order, when it is on disk. What this throws ends all acknowledging. */
  apply(entry: Entry): void
  /**
   * All that it has made of the entries up to the last one it was shown: none of those is shown to it again.
   * Taken at once, and written little by little while further entries are applied: what it gave must not change.
   */
  lines(): Iterable<JsonObject>
  /**
   * Entries that stay readable whatever retention takes. Where there is no snapshot, the view is made again
   * from them and from what is kept. An entry that is not owed any more is never owed again.
   */
  owed(): Iterable<number>
}
