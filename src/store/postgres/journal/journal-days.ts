import { limitsOf, type RetentionPolicy } from '../../retention-policy.js'
import { storeProblem } from '../database.js'
import type { JournalParts } from './journal-parts.js'
import type { Days } from './journal-query.js'
import type { JournalViews } from './journal-views.js'

interface JournalDay {
  /** ISO 8601, UTC. */
  readonly day: string
  readonly first: number
}

/** The end of a journal: its last number, and the mark of that entry. */
export interface Head {
  readonly last: number
  readonly mark: string | null
}

interface HeadRow {
  readonly last: string
  readonly first: string
  readonly mark: string | null
  readonly portions: readonly (readonly [day: string, first: number])[]
}

/** The last number, the first that is kept, and the days with their first numbers. */
const HEAD = `SELECT last, first, mark, (
    SELECT coalesce(json_agg(json_build_array(to_char(day, 'YYYY-MM-DD'), portion.first) ORDER BY day), '[]')
    FROM portion WHERE portion.journal = head.journal
  ) AS portions FROM head WHERE journal = $1`

const DAY_MS = 24 * 60 * 60 * 1000
/** Partitions are made for today and so many days after it. */
const DAYS_AHEAD = 2
/** Milliseconds for which one statement waits for those who read what is dropped; it is tried again. */
const DROP_TIMEOUT_MS = 5000

/** The partitions whose entries, as far as there were any, are removed. */
const REMOVED = `SELECT to_char(made.day, 'YYYY-MM-DD') AS day FROM partition AS made JOIN head USING (journal)
  WHERE journal = $1 AND made.day < head.day
    AND NOT EXISTS (SELECT FROM portion WHERE portion.journal = $1 AND portion.day = made.day)
  ORDER BY made.day`

/** The days of a journal, each a partition of the table of entries. */
export class JournalDays implements Days {
  #days: readonly JournalDay[] = []
  #first = 1

  constructor(readonly parts: JournalParts) {}

  get first(): number {
    return this.#first
  }

  earliestOf(seq: number): string | undefined {
    return this.#days.findLast(({ first }) => first <= seq)?.day
  }

  latestOf(seq: number): string | undefined {
    // Only where the next day has begun is it certain which numbers a day has.
    const next = this.#days.findIndex(({ first }) => first > seq)
    return next < 0 ? undefined : this.#days[next - 1]?.day
  }

  async refresh(): Promise<Head> {
    const { database, name } = this.parts
    const [head] = await database.query<HeadRow>(HEAD, [name])
    if (!head) throw new Error(`the database has no journal "${name}"`)
    this.#first = Number(head.first)
    this.#days = head.portions.map(([day, first]) => ({ day, first: Number(first) }))
    return { last: Number(head.last), mark: head.mark }
  }

  /** Makes the partitions of today and of the next days, so that no append has to. */
  async makeAhead(): Promise<void> {
    const { database, name, time } = this.parts
    const today = time.now()
    const days = Array.from({ length: DAYS_AHEAD + 1 }, (_, n) => dayOf(today + n * DAY_MS))
    const missing = await database.query<{ readonly day: string }>(
      `SELECT to_char(days.day, 'YYYY-MM-DD') AS day FROM unnest($2::date[]) AS days (day) JOIN head ON journal = $1
       WHERE days.day > head.day AND NOT EXISTS (SELECT FROM partition WHERE journal = $1 AND partition.day = days.day) ORDER BY days.day`,
      [name, days],
    )
    for (const { day } of missing) await database.query('SELECT add_partition($1, $2)', [name, day])
  }

  /**
   * Removes whole days, oldest first, that are older or larger than what is kept; what a view needs of them stays. The
   * entry `firstHeld` and those after it are held.
   */
  async retain(views: JournalViews, last: () => number, firstHeld: number): Promise<void> {
    await this.refresh()
    for (;;) {
      const [oldest, next] = this.#days
      if (!oldest || !next) return
      const why = await this.#isDue(oldest, next, limitsOf(this.parts.retention, next.first - 1, firstHeld))
      if (why === undefined) return
      if ((views.covered ?? 0) < next.first - 1) await views.write(last(), true)
      if ((views.covered ?? 0) < next.first - 1) return
      await this.#remove(oldest, next, views.pinned())
      const { name, info } = this.parts
      info(
        `retention removed entries ${oldest.first} to ${next.first - 1} of the ${name}, of ${oldest.day}: ${why}`,
      )
      await this.refresh()
    }
  }

  /** Drops the partitions of what was removed. Neither waits for readers for long, nor keeps anybody waiting. */
  async dropRemoved(): Promise<void> {
    const { database, name } = this.parts
    const removed = await database.query<{ readonly day: string }>(REMOVED, [name])
    if (removed.length === 0) return
    const connection = await database.connect()
    try {
      await connection.query(`SET statement_timeout = ${DROP_TIMEOUT_MS}`)
      for (const { day } of removed) {
        const table = partitionOf(name, day)
        const { rows } = await connection.query<{ readonly pending: boolean }>(
          'SELECT inhdetachpending AS pending FROM pg_inherits WHERE inhrelid = to_regclass($1)',
          [table],
        )
        // In steps that append and read go on beside; each is taken up again where it was cut off.
        const [attached] = rows
        if (attached)
          await connection.query(
            `ALTER TABLE entry_${name} DETACH PARTITION ${table} ${attached.pending ? 'FINALIZE' : 'CONCURRENTLY'}`,
          )
        await connection.query(`DROP TABLE IF EXISTS ${table}`)
        await connection.query('DELETE FROM partition WHERE journal = $1 AND day = $2', [name, day])
      }
    } catch (error) {
      throw storeProblem(error)
    } finally {
      await connection.end().catch(() => {})
    }
  }

  /** Why the oldest day is removed; undefined where it stays. */
  async #isDue(
    { day }: JournalDay,
    next: JournalDay,
    { maxAge, maxBytes }: Pick<RetentionPolicy, 'maxAge' | 'maxBytes'>,
  ): Promise<string | undefined> {
    const { database, name, time } = this.parts
    const [row] = await database.query<{ readonly latest: string | null; readonly bytes: string }>(
      `SELECT (SELECT at FROM entry WHERE journal = $1 AND day = $2::date ORDER BY seq DESC LIMIT 1) AS latest,
         (SELECT coalesce(sum(pg_total_relation_size(to_regclass('entry_' || $1 || '_' || to_char(day, 'YYYYMMDD')))), 0)
          FROM portion WHERE journal = $1) AS bytes`,
      [name, day],
    )
    // Where the next day came late, entries were added after the end of this one; their times are those of the daemons.
    const end = Math.max(endOf(day), Math.min(Number(row?.latest), endOf(next.day)))
    if (time.now() - end > maxAge) return `they are older than ${maxAge / DAY_MS} days`
    if (Number(row?.bytes) > maxBytes) return `the history is larger than ${maxBytes} bytes`
    return undefined
  }

  async #remove({ day, first }: JournalDay, next: JournalDay, pinned: ReadonlySet<number>): Promise<void> {
    const { database, name } = this.parts
    const kept = [...pinned].filter((seq) => seq >= first && seq < next.first)
    await database.transaction(async (client) => {
      await client.query(
        `INSERT INTO pinned SELECT * FROM entry WHERE journal = $1 AND day = $2 AND seq = ANY ($3::bigint[])
         ON CONFLICT DO NOTHING`,
        [name, day, kept],
      )
      await client.query(
        'DELETE FROM pinned WHERE journal = $1 AND seq < $2 AND NOT seq = ANY ($3::bigint[])',
        [name, next.first, [...pinned]],
      )
      await client.query('DELETE FROM portion WHERE journal = $1 AND day = $2', [name, day])
      await client.query('UPDATE head SET first = $2 WHERE journal = $1', [name, next.first])
    })
  }
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** When a day is over, in milliseconds since 1970. */
const endOf = (day: string): number => Date.parse(day) + DAY_MS

const partitionOf = (journal: string, day: string): string => `entry_${journal}_${day.replaceAll('-', '')}`
