import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { Problem } from '../../contract/errors.js'
import type { Gateway } from '../../gateway/open-gateway.js'
import type { Passing } from '../forwarding/forwarding.js'
import { bearerToken } from '../request/authenticate.js'
import { activityMetrics, equipmentMetrics, sinkMetrics } from './gateway-metrics.js'
import { hsmsMetrics } from './hsms-metrics.js'
import { nodeMetrics } from './node-metrics.js'
import { prometheusText, single } from './prometheus-text.js'
import { RequestCounts } from './request-counts.js'

/** Lines that the log does not hold, since the process started. */
export interface LogCounts {
  /** Lines that could not be written. */
  readonly dropped: number
  /** Requests without a valid token that were too many to be logged. */
  readonly suppressed: number
}

interface Sized {
  readonly size: number
}

const NEEDED =
  'Send the token of /metrics as "Authorization: Bearer <token>": the one that the daemon was started with. A login gives another.'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Counts what the server does, and serves it at `/metrics`, which is protected by `token` where there is one. */
export function serveMetrics(
  app: FastifyInstance,
  {
    equipment,
    traffic,
    activity,
    nodes,
    sinks,
  }: Pick<Gateway, 'equipment' | 'traffic' | 'activity' | 'nodes' | 'sinks'>,
  {
    streams,
    watchers,
    connections,
    log,
    forwarded,
  }: {
    readonly streams: Sized
    readonly watchers: Sized
    readonly connections: Sized & { readonly closed: number }
    readonly log: LogCounts
    /** Requests that were passed on to other daemons. */
    readonly forwarded: ReadonlyMap<Passing, number>
  },
  token?: string,
): void {
  const ofProcess = new Registry()
  collectDefaultMetrics({ register: ofProcess })
  const requests = new RequestCounts()
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
    const counted = prometheusText([
      single('gauge', 'http_streams', 'Event streams being served.', streams.size),
      single('gauge', 'wire_logs', 'Wire logs being served.', watchers.size),
      single('gauge', 'http_connections', 'Connections that are open.', connections.size),
      ...requests.metrics(),
      single(
        'counter',
        'http_connections_closed_total',
        'Connections that were closed because too many were open.',
        connections.closed,
      ),
      ...equipmentMetrics(items),
      ...activityMetrics(activity),
      ...sinkMetrics((await sinks.list({ limit: 1000 })).items),
      ...hsmsMetrics(traffic),
      ...nodeMetrics({ nodes }, forwarded),
      single(
        'counter',
        'log_lines_dropped_total',
        'Lines of the log that could not be written.',
        log.dropped,
      ),
      single(
        'counter',
        'log_requests_suppressed_total',
        'Requests without a valid token that were not logged, being too many.',
        log.suppressed,
      ),
    ])
    return reply.type(ofProcess.contentType).send(`${await ofProcess.metrics()}\n${counted}`)
  })
}
