import type { JsonObject } from '../../../kit/text/json.js'
import type { Entry, Revive } from '../../entry.js'
import { isFor, type ReadingOn, readAhead, readOn } from '../../reading-on.js'
import { readingProgress } from '../../reading-progress.js'
import type { View } from '../../view.js'
import type { JournalParts } from './journal-parts.js'
import { type EntryRow, entryOf } from './journal-query.js'

/** The entries that views are brought up to date from. */
interface History extends ReadingOn {
  readonly revive: Revive
}

interface SnapshotRow {
  readonly version: number
  readonly seq: string
  readonly lines: readonly string[]
}

/** So many entries after the last snapshot make the next worthwhile. */
const WORTH = 5000

/** The views of a journal, and their snapshots in the database. */
export class JournalViews {
  #views: readonly View[] | undefined
  /** Every view has a snapshot up to this entry. */
  #written = 0

  constructor(readonly parts: JournalParts) {}

  /** Up to here a new process need not read entries; undefined until the views are known. */
  get covered(): number | undefined {
    if (!this.#views) return undefined
    return this.#views.length === 0 ? Number.POSITIVE_INFINITY : this.#written
  }

  async attach(views: readonly View[], history: History): Promise<void> {
    if (this.#views) throw new Error('The views of a journal are attached once.')
    let written = Number.POSITIVE_INFINITY
    for (const view of views) written = Math.min(written, await this.#restore(view, history))
    this.#written = views.length === 0 ? 0 : written
    this.#views = views
  }

  /** What a view reads of it in advance. */
  ahead(entry: Entry): Generator<void, void> | undefined {
    return readAhead(
      entry,
      (this.#views ?? []).filter((view) => view.ahead && isFor(view, entry)),
    )
  }

  apply(entry: Entry): void {
    for (const view of this.#views ?? []) if (isFor(view, entry)) view.apply(entry)
  }

  pinned(): ReadonlySet<number> {
    return new Set((this.#views ?? []).flatMap((view) => [...view.pinned()]))
  }

  /** Writes the state of the views after entry `seq`, where it is worthwhile. */
  async write(seq: number, isDue = seq - this.#written >= WORTH): Promise<void> {
    if (!this.#views || !isDue || seq === this.#written) return
    const { database, name } = this.parts
    const snapshots = this.#views.map((view) => ({
      view,
      lines: [...view.lines()].map((line) => JSON.stringify(line)),
    }))
    for (const { view, lines } of snapshots) {
      await database.query(
        `INSERT INTO snapshot VALUES ($1, $2, $3, $4, $5) ON CONFLICT (journal, view) DO UPDATE
         SET version = excluded.version, seq = excluded.seq, lines = excluded.lines
         WHERE snapshot.seq < excluded.seq OR snapshot.version <> excluded.version`,
        [name, view.name, view.version, seq, lines],
      )
    }
    this.#written = seq
  }

  /** Resolves with the last entry that its snapshot knows; 0 where it has none. */
  async #restore(view: View, history: History): Promise<number> {
    const { database, name } = this.parts
    const [row] = await database.query<SnapshotRow>(
      'SELECT version, seq, lines FROM snapshot WHERE journal = $1 AND view = $2',
      [name, view.name],
    )
    const seq = Number(row?.seq)
    const isGood = row?.version === view.version && seq >= history.first - 1 && seq <= history.last
    if (isGood) for (const line of row.lines) view.load(JSON.parse(line) as JsonObject)
    else await this.#applyPinned(view, history)
    const { clock, info } = this.parts
    await readOn(view, history, isGood ? seq : history.first - 1, readingProgress(clock, info))
    return isGood ? seq : 0
  }

  async #applyPinned(view: View, { revive }: History): Promise<void> {
    const { database, name } = this.parts
    const rows = await database.query<EntryRow>('SELECT * FROM pinned WHERE journal = $1 ORDER BY seq', [
      name,
    ])
    for (const row of rows) {
      const entry = revive(entryOf(row))
      if (isFor(view, entry)) view.apply(entry)
    }
  }
}
