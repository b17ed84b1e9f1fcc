import { onTestFinished } from 'vitest'
import type { Database } from '../../src/store/postgres/database.js'

/** Whoever waits for a lock does so for longer than this many milliseconds. */
const LOOK_MS = 50

const BLOCKED = `WITH RECURSIVE blocked (query, blocker) AS (
    SELECT query, unnest(pg_blocking_pids(pid)) FROM pg_stat_activity WHERE query LIKE '%append%' AND wait_event_type = 'Lock'
    UNION SELECT blocked.query, unnest(pg_blocking_pids(blocker)) FROM blocked)
  SELECT DISTINCT blocked.query FROM blocked JOIN pg_stat_activity ON pid = blocker WHERE application_name = $1`

/**
 * From now on looks for appends that wait for a lock of the connection with this name, or for somebody who waits for it;
 * how long an append takes would tell of the machine. Ends with the statements that did.
 */
export function appendsBlockedBy(name: string, database: Database): () => Promise<readonly string[]> {
  const seen = new Set<string>()
  let isOver = false
  const looking = (async () => {
    while (!isOver) {
      for (const { query } of await database.query<{ readonly query: string }>(BLOCKED, [name]))
        seen.add(query)
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    }
  })()
  const end = async (): Promise<readonly string[]> => {
    isOver = true
    await looking
    return [...seen]
  }
  onTestFinished(() => end().then(() => {}))
  return end
}
