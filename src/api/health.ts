import type { FastifyInstance } from 'fastify'
import { Problem } from '../contract/errors.js'
import type { Gateway } from '../gateway/open-gateway.js'
import type { LogCounts } from './metrics/metrics.js'

/** Health checks for supervisors and probes, outside the version prefix and without a token. */
export function serveHealth(
  app: FastifyInstance,
  gateway: Pick<Gateway, 'ready' | 'standby' | 'damagedFiles'>,
  log: Pick<LogCounts, 'dropped'>,
): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async () => {
    if (!gateway.ready)
      throw new Problem('store_unavailable', 'Records do not reach the disk or the database.')
    return {
      status: 'ok',
      log_lines_dropped: log.dropped,
      damaged_files: gateway.damagedFiles,
      standby: gateway.standby,
    }
  })
}
