import type { JsonObject } from '../kit/text/json.js'
import type { Entry, Kind } from './entry.js'

/**
 * In-memory state that is computed from a journal's entries; its owner bounds its size. The state has to be the same
 * whether it is computed from every entry, or loaded from its own snapshot lines and the entries after them.
 *
 * A view that is new to a journal, or has a new version, has no snapshot: it is computed from all entries that are
 * kept, before anything is appended; `topics` limits what is read. Until two of its snapshots are on disk, retention
 * deletes nothing.
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
  /**
   * Reads a long entry in steps, so that `apply`, which follows, takes little time; it may be called without this, too.
   * Undefined where there is nothing to read in advance.
   */
  ahead?(entry: Entry): Generator<void, void> | undefined
  /** Takes an entry. Each comes once, in order, when it is on disk. What this throws ends all acknowledging. */
  apply(entry: Entry): void
  /**
   * The state after the last applied entry, as lines of a snapshot; `apply` is not called again for these entries.
   * The lines are taken at once and written in steps while further entries are applied, so they must not change.
   */
  lines(): Iterable<JsonObject>
  /**
   * Sequence numbers of entries that retention has to keep readable. Without a snapshot the view is computed from them
   * and from the other entries that are kept. An entry that was left out once must not be listed again.
   */
  pinned(): Iterable<number>
}
