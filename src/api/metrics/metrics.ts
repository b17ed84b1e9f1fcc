import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Equipment } from '../../contract/equipment.js'
import { Problem } from '../../contract/errors.js'
import type { Sink } from '../../contract/topics/sinks/sink.js'
import type { Gateway } from '../../gateway/open-gateway.js'
import { withTimeout } from '../../kit/clock.js'
import { SharedRun } from '../../kit/shared-run.js'
import { chunksOf } from '../../kit/turns.js'
import type { ForwardResult } from '../forwarding/forwarding.js'
import { bearerToken } from '../request/authenticate.js'
import { type DaemonFacts, daemonMetrics, tapProcessMetrics } from './daemon-metrics.js'
import { activityMetrics, equipmentMetrics, sinkMetrics } from './gateway-metrics.js'
import { hsmsMetrics } from './hsms-metrics.js'
import { nodeMetrics } from './node-metrics.js'
import { type Metric, prometheusParts, single } from './prometheus-text.js'
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
  'Send a token as "Authorization: Bearer <token>": that of /metrics, which the daemon was started with, or an API key.'

/** How long the store is waited for. */
const STORE_TIMEOUT_MS = 2000

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** The token of `/metrics`, or of a user or key that sees all equipment. Throws `unauthenticated` and `forbidden`. */
async function requireReader(given: string, token: string, accounts: Gateway['accounts']): Promise<void> {
  if (timingSafeEqual(digest(given), digest(token))) return
  const { selector, email } = await accounts.authenticate(given)
  if (selector) throw new Problem('forbidden', `/metrics shows all equipment, and ${email} sees only some.`)
}

type Measured = Pick<
  Gateway,
  | 'equipment'
  | 'traffic'
  | 'activity'
  | 'alarms'
  | 'nodes'
  | 'sinks'
  | 'accounts'
  | 'ready'
  | 'damagedFiles'
  | 'standby'
  | 'clock'
>

interface MeasuredDaemon {
  readonly streams: Sized
  readonly watchers: Sized
  readonly connections: Sized & { readonly closed: number }
  readonly log: LogCounts
  /** Requests that were forwarded to other daemons. */
  readonly forwarded: ReadonlyMap<ForwardResult, number>
  readonly version: string
  readonly facts: DaemonFacts | undefined
}

/** Counts what the server does, and serves it at `/metrics`, which is protected by `token` where there is one. */
export function serveMetrics(
  app: FastifyInstance,
  gateway: Measured,
  daemon: MeasuredDaemon,
  token?: string,
): void {
  const { equipment, sinks, clock } = gateway
  const ofProcess = new Registry()
  collectDefaultMetrics({ register: ofProcess })
  for (const what of ['resources', 'handles', 'requests']) {
    // Gauges with the suffix of a counter; the same numbers are there by kind, without it.
    ofProcess.removeSingleMetric(`nodejs_active_${what}_total`)
  }
  const requests = new RequestCounts()
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    requests.count(request.method, route, reply.statusCode, reply.elapsedTime / 1000)
    done()
  })
  /** Their lag is read from the store: without it, all else is still measured. */
  const knownSinks = async (): Promise<readonly Sink[]> => {
    const listed = sinks.list({ limit: 1000 })
    const page = await withTimeout(clock, STORE_TIMEOUT_MS, listed).catch(() => undefined)
    return page?.items ?? []
  }
  /** None while the daemon is cut off from its store, and their states are not known. */
  const knownEquipment = (): Promise<readonly Equipment[]> =>
    equipment.list({}).then(
      ({ items }) => items,
      () => [],
    )
  /** All who ask while one text is made share the next: that of a thousand tools has 6 MB, and takes half a second. */
  const texts = new SharedRun(async () => {
    const known = await knownEquipment()
    const metrics = [
      ...connectionMetrics(daemon, requests),
      ...(await daemonMetrics(
        {
          version: daemon.version,
          ready: gateway.ready,
          standby: gateway.standby,
          damagedFiles: gateway.damagedFiles,
        },
        daemon.facts,
      )),
      ...equipmentMetrics(known, gateway.alarms.counts()),
      ...tapProcessMetrics(await daemon.facts?.taps?.(), hasTaps(known, gateway.nodes)),
      ...activityMetrics(gateway.activity),
      ...sinkMetrics(await knownSinks()),
      ...hsmsMetrics(await gateway.traffic.all(), gateway.traffic.ports),
      ...nodeMetrics(gateway, daemon.forwarded),
      ...logMetrics(daemon.log),
    ]
    const chunks = [Buffer.from(`${await ofProcess.metrics()}\n`)]
    for await (const chunk of chunksOf(prometheusParts(metrics), clock)) chunks.push(Buffer.from(chunk))
    return Buffer.concat(chunks)
  })
  app.get('/metrics', async (request, reply) => {
    if (token !== undefined) await requireReader(bearerToken(request, NEEDED), token, gateway.accounts)
    return reply.type(ofProcess.contentType).send(await texts.run())
  })
}

/** Some of this daemon's equipment has a tap that should be open. */
function hasTaps(equipment: readonly Equipment[], nodes: Pick<Gateway['nodes'], 'list'>): boolean {
  const here = nodes.list().find(({ self }) => self)?.name
  return equipment.some(({ tap, enabled, node }) => tap && enabled && (node === null || node === here))
}

const connectionMetrics = (
  { streams, watchers, connections }: MeasuredDaemon,
  requests: RequestCounts,
): readonly Metric[] => [
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
]

const logMetrics = ({ dropped, suppressed }: LogCounts): readonly Metric[] => [
  single('counter', 'log_lines_dropped_total', 'Lines of the log that could not be written.', dropped),
  single(
    'counter',
    'log_requests_suppressed_total',
    'Requests without a valid token that were not logged, being too many.',
    suppressed,
  ),
]
