import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { Problem } from '../../contract/errors.js'
import type { Gateway } from '../../gateway/gateway.js'
import { bearerToken } from '../request/authenticate.js'
import { activityMetrics, equipmentMetrics } from './gateway-metrics.js'
import { hsmsMetrics } from './hsms-metrics.js'
import { type LogCounts, logMetrics } from './log-metrics.js'
import { prometheusText } from './prometheus-text.js'
import { RequestCounts } from './request-counts.js'

interface Sized {
  readonly size: number
}

function measureSize(of: Sized, name: string, help: string, registry: Registry): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(of.size)
    },
  })
}

const NEEDED =
  'Send the token of /metrics as "Authorization: Bearer <token>": the one that the daemon was started with. A login gives another.'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Counts what the server does, and serves it at `/metrics`, behind `token` where there is one. */
export function serveMetrics(
  app: FastifyInstance,
  { equipment, traffic, activity }: Pick<Gateway, 'equipment' | 'traffic' | 'activity'>,
  {
    streams,
    watchers,
    connections,
    log,
  }: {
    readonly streams: Sized
    readonly watchers: Sized
    readonly connections: Sized & { readonly closed: number }
    readonly log: LogCounts
  },
  token?: string,
): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new RequestCounts()
  measureSize(streams, 'secsctl_http_streams', 'Event streams being served.', registry)
  measureSize(watchers, 'secsctl_wire_logs', 'Wire logs being served.', registry)
  measureSize(connections, 'secsctl_http_connections', 'Connections that are open.', registry)
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    requests.count(request.method, route, reply.statusCode, reply.elapsedTime / 1000)
    done()
  })
  app.get('/metrics', async (request, reply) => {
    if (token !== undefined && !timingSafeEqual(digest(bearerToken(request, NEEDED)), digest(token))) {
      throw new Problem('unauthenticated', 'This is not the token of /metrics.')
    }
    const { items } = await equipment.list({})
    const counted = [
      ...requests.metrics(),
      {
        name: 'secsctl_http_connections_closed_total',
        help: 'Connections that were closed because too many were open.',
        type: 'counter' as const,
        samples: [{ labels: {}, value: connections.closed }],
      },
      ...equipmentMetrics(items),
      ...activityMetrics(activity),
      ...hsmsMetrics(traffic),
      ...logMetrics(log),
    ]
    return reply.type(registry.contentType).send(`${await registry.metrics()}\n${prometheusText(counted)}`)
  })
  return registry
}
