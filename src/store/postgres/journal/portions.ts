import { limitsOf, type RetentionPolicy } from '../../retention-policy.js'
import { storeProblem } from '../database.js'
import type { JournalParts } from './journal-parts.js'
import type { Days } from './journal-query.js'
import type { JournalViews } from './journal-views.js'

interface Portion {
  /** ISO 8601, UTC. */
  readonly day: string
  readonly first: number
}

interface HeadRow {
  readonly last: string
  readonly first: string
  readonly portions: readonly (readonly [day: string, first: number])[]
}

/** The last number, the first that is kept, and the days with their first numbers. */
const HEAD = `SELECT last, first, (
    SELECT coalesce(json_agg(json_build_array(to_char(day, 'YYYY-MM-DD'), portion.first) ORDER BY day), '[]')
    FROM portion WHERE portion.journal = head.journal
  ) AS portions FROM head WHERE journal = $1`

/** Milliseconds for which the removal of a day waits for those who read, and holds up those who write. */
const LOCK_TIMEOUT_MS = 1000

/** The days of a journal, each a partition of the table of entries. */
export class Portions implements Days {
  #portions: readonly Portion[] = []
  #first = 1

  constructor(readonly parts: JournalParts) {}

  get first(): number {
    return this.#first
  }

  dayOf(seq: number): string | undefined {
    return this.#portions.findLast(({ first }) => first <= seq)?.day
  }

  /** Resolves with the last number of the journal. */
  async refresh(): Promise<number> {
    const { database, name } = this.parts
    const [head] = await database.query<HeadRow>(HEAD, [name])
    if (!head) throw new Error(`the database has no journal "${name}"`)
    this.#first = Number(head.first)
    this.#portions = head.portions.map(([day, first]) => ({ day, first: Number(first) }))
    return Number(head.last)
  }

  /**
   * Removes whole days, oldest first, that are older or larger than what is kept; what a view needs of them stays. The
   * entry `firstHeld` and those after it are held.
   */
  async retain(views: JournalViews, last: () => number, firstHeld: number): Promise<void> {
    await this.refresh()
    for (;;) {
      const [oldest, next] = this.#portions
      if (
        !oldest ||
        !next ||
        !(await this.#isDue(oldest, limitsOf(this.parts.retention, next.first - 1, firstHeld)))
      )
        return
      if ((views.covered ?? 0) < next.first - 1) await views.write(last(), true)
      if ((views.covered ?? 0) < next.first - 1) return
      await this.#remove(oldest, next, views.pinned())
      await this.refresh()
    }
  }

  async #isDue(
    { day }: Portion,
    { maxAge, maxBytes }: Pick<RetentionPolicy, 'maxAge' | 'maxBytes'>,
  ): Promise<boolean> {
    const { database, name } = this.parts
    const [row] = await database.query<{ readonly age: string; readonly bytes: string }>(
      `SELECT extract(epoch FROM clock_timestamp() - ($2::date + 1)::timestamp AT TIME ZONE 'UTC') * 1000 AS age,
         (SELECT coalesce(sum(pg_total_relation_size(inhrelid)), 0) FROM pg_inherits WHERE inhparent = ('entry_' || $1)::regclass) AS bytes`,
      [name, day],
    )
    return Number(row?.age) > maxAge || Number(row?.bytes) > maxBytes
  }

  async #remove({ day, first }: Portion, next: Portion, pinned: ReadonlySet<number>): Promise<void> {
    const { database, name } = this.parts
    const kept = [...pinned].filter((seq) => seq >= first && seq < next.first)
    const connection = await database.connect()
    try {
      await connection.query('BEGIN')
      await connection.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`)
      await connection.query(
        `INSERT INTO pinned SELECT * FROM entry WHERE journal = $1 AND day = $2 AND seq = ANY ($3::bigint[])
         ON CONFLICT DO NOTHING`,
        [name, day, kept],
      )
      await connection.query(
        'DELETE FROM pinned WHERE journal = $1 AND seq < $2 AND NOT seq = ANY ($3::bigint[])',
        [name, next.first, [...pinned]],
      )
      // In the order in which a batch takes its locks.
      await connection.query('SELECT FROM head WHERE journal = $1 FOR UPDATE', [name])
      await connection.query(`DROP TABLE ${partitionOf(name, day)}`)
      await connection.query('DELETE FROM portion WHERE journal = $1 AND day = $2', [name, day])
      await connection.query('UPDATE head SET first = $2 WHERE journal = $1', [name, next.first])
      await connection.query('COMMIT')
    } catch (error) {
      throw storeProblem(error)
    } finally {
      await connection.end().catch(() => {})
    }
  }
}

const partitionOf = (journal: string, day: string): string => `entry_${journal}_${day.replaceAll('-', '')}`
