import { GatewayClient } from '../../client/client.js'
import { type PersistentOptions, persistent } from '../../client/persistent.js'
import { endpoints } from '../../contract/endpoints.js'
import type { AuditEntry, AuditQuery } from '../../contract/topics/audit.js'
import { delay } from '../../kit/clock.js'

/** Milliseconds between two questions for new entries. */
const INTERVAL_MS = 1000
const MAX_PAGE = 1000

/** The entries after that of `query.after`, oldest first; then new ones as they come, until `signal` aborts. */
export function followAudit(
  options: PersistentOptions,
  query: AuditQuery,
  signal: AbortSignal,
): AsyncGenerator<AuditEntry> {
  let { after } = query
  return persistent(
    options,
    async function* (where, { opened, received }): AsyncGenerator<AuditEntry> {
      const client = new GatewayClient(where)
      while (!signal.aborted) {
        const wanted = {
          ...query,
          order: 'asc',
          limit: MAX_PAGE,
          ...(after !== undefined && { after }),
        } as const
        const { items } = await client.call(endpoints.listAudit, { query: wanted }, { signal })
        opened()
        received()
        for (const entry of items) {
          after = Number(entry.id)
          yield entry
        }
        if (items.length < MAX_PAGE) await delay(options.clock, INTERVAL_MS, signal)
      }
    },
    signal,
  )
}
