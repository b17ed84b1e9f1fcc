import type { Clock } from '../../kit/clock.js'
import { believedNow, RetentionClock, toleranceOf } from '../retention-clock.js'
import { DEFAULT_RETENTION, type RetentionPolicy } from '../retention-policy.js'
import type { Database } from './database.js'

interface SavedRow {
  readonly believed: number | null
  readonly wall: number | null
  readonly now: number
}

const MS = (time: string): string => `extract(epoch FROM ${time})::float8 * 1000`
const SAVED = `SELECT ${MS('believed')} AS believed, ${MS('saved_at')} AS wall, ${MS('secsctl_now()')} AS now
  FROM (SELECT 1) AS one LEFT JOIN trusted_time ON true`

/**
 * The time by which records get old: the database's, but not while its clock is ahead of the time that has passed. It is
 * kept in the database, so that a process that starts meanwhile does not believe the clock either.
 */
export class TrustedTime {
  readonly #time: RetentionClock

  private constructor(
    readonly database: Database,
    clock: Clock,
    known: number | undefined,
    tolerance: number,
  ) {
    this.#time = new RetentionClock(clock, known, tolerance)
  }

  /** `now`: the time of the database as this process knows it. */
  static async open(
    database: Database,
    clock: Clock,
    now: () => number,
    retention: RetentionPolicy = DEFAULT_RETENTION,
  ): Promise<TrustedTime> {
    const tolerance = toleranceOf(retention)
    const [row] = await database.query<SavedRow>(SAVED)
    const { believed = null, wall: then = null } = row ?? {}
    const known =
      row && believed !== null && then !== null
        ? believedNow({ believed, wall: then }, row.now, tolerance)
        : undefined
    const wall: Clock = {
      now: () => clock.now(),
      date: () => new Date(now()),
      at: (at, run) => clock.at(at, run),
    }
    const time = new TrustedTime(database, wall, known, tolerance)
    if (believed === null) await time.save()
    return time
  }

  /** In milliseconds since 1970. */
  now(): number {
    return this.#time.now()
  }

  async save(): Promise<void> {
    await this.database.query(
      `WITH saved AS (
         UPDATE trusted_time SET believed = to_timestamp($1 / 1000.0), saved_at = secsctl_now() RETURNING 1
       ) INSERT INTO trusted_time SELECT to_timestamp($1 / 1000.0), secsctl_now() WHERE NOT EXISTS (SELECT FROM saved)`,
      [this.now()],
    )
  }
}
