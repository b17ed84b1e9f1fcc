import type { Database } from './database.js'

/** How far the changes of a table have been read. */
export interface ReadUntil {
  /** Of the database, as `secsctl_history()` names it: another one after a failover or a restore. */
  readonly history: string | undefined
  readonly version: number
}

/** Before the version of every row. */
const NOTHING = -1

interface ChangedRow {
  readonly version: string
}

export interface Changed<Row> {
  readonly rows: readonly Row[]
  readonly until: ReadUntil
  /** The history is another one: these are all rows of the table, and what is not among them is gone. */
  readonly isWhole: boolean
}

/**
 * The rows that were changed after what has been read, in the order of the changes. After a failover to a standby that was
 * behind, changes that have been read may be gone and their versions may mean others, so the whole table is read then.
 */
export async function changedRows<Row extends ChangedRow>(
  database: Database,
  table: 'document' | 'lease',
  columns: string,
  { history, version }: ReadUntil,
): Promise<Changed<Row>> {
  const text = `SELECT ${columns}, now.history FROM (SELECT secsctl_history() AS history) AS now
    LEFT JOIN ${table} AS changed ON changed.version > $1 ORDER BY changed.version`
  const read = async (after: number): Promise<Changed<Row>> => {
    const found = await database.query<Row & { readonly history: string }>(text, [after])
    // Where there are none, one row has the history alone.
    const rows = found.filter((row) => row.version !== null)
    const last = Number(rows.at(-1)?.version ?? Math.max(0, after))
    return { rows, until: { history: found[0]?.history, version: last }, isWhole: after === NOTHING }
  }
  const changed = await read(version)
  return changed.until.history === history ? changed : read(NOTHING)
}
