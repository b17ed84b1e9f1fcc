import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { endpoints } from '../contract/endpoints.js'
import { MAX_WIRE_LOGS } from '../contract/topics/wire.js'
import type { Handlers } from '../gateway/handler.js'
import { handlers } from '../gateway/handlers.js'
import type { Gateway } from '../gateway/open-gateway.js'
import type { Clock } from '../kit/clock.js'
import type { ApiOptions } from './api-options.js'
import { closeInOrder } from './closing.js'
import { type ConnectionLimits, Connections } from './connections.js'
import { ConfirmedChanges } from './forwarding/confirmed-changes.js'
import { Forwarding } from './forwarding/forwarding.js'
import { NodeClient } from './forwarding/node-client.js'
import { serveHealth } from './health.js'
import { refuseUnknown } from './methods.js'
import { serveMetrics } from './metrics/metrics.js'
import { serveDocs } from './openapi/docs.js'
import { authenticate } from './request/authenticate.js'
import { readBodies } from './request/body.js'
import { BoundedBodies } from './request/bounded-bodies.js'
import { allowOrigins } from './request/cors.js'
import { refuseNul, requireHost, requireOneKey, setHeaders } from './request/headers.js'
import { recognisePassedOn } from './request/passed-on.js'
import { refuseInStandby } from './request/standby.js'
import { logRequests, RequestLog } from './request-log.js'
import { compressResponses } from './responses/compression.js'
import { sendError } from './responses/errors.js'
import { JsonResponses } from './responses/json-responses.js'
import { type LongResponseLimits, LongResponses } from './responses/long-responses.js'
import { type Served, serveEndpoints } from './serve.js'
import { bareServer } from './server.js'
import { serveSignOn } from './sign-on.js'
import { serveWebPage, unknownPage } from './web-page.js'

const MAX_CONNECTIONS = 4096
const MAX_STREAMS = 2000
/** Each reader of a wire log may keep a few megabytes waiting. */
const WIRE_LOG_LIMITS = { all: 32, ofNetwork: 16, ofUser: MAX_WIRE_LOGS }

function streamLimits(maxConnections: number): LongResponseLimits {
  const all = Math.min(MAX_STREAMS, Math.ceil(maxConnections / 2))
  return { all, ofNetwork: Math.ceil(all / 4), ofUser: Math.ceil(all / 10) }
}

/** Each reads all of the disk that its filters leave. */
const EXPORT_LIMITS = { all: 4, ofNetwork: 3, ofUser: 2 }

/** Callers of a proxy have its address, and the proxy may use all connections. */
const connectionLimits = (all: number, { trustedProxies = [] }: ApiOptions): ConnectionLimits => ({
  all,
  ofNetwork: trustedProxies.length > 0 ? all : Math.ceil(all / 4),
})

const longResponses = ({ accounts }: Gateway, clock: Clock, maxConnections: number): Served['streams'] => ({
  streamEvents: new LongResponses(accounts, clock, streamLimits(maxConnections), 'event streams'),
  followWire: new LongResponses(accounts, clock, WIRE_LOG_LIMITS, 'wire logs'),
  exportJournal: new LongResponses(accounts, clock, EXPORT_LIMITS, 'exports of the journal'),
})

/** How many lines the log lacks, read when they are shown. */
const logCounts = (options: ApiOptions, requests: RequestLog) => ({
  get dropped() {
    return options.droppedLogLines?.() ?? 0
  },
  get suppressed() {
    return requests.suppressed
  },
})

/** Hooks that wait for nothing have no promise: a request goes through a dozen of them. */
function onRequest(app: FastifyInstance, work: (request: FastifyRequest, reply: FastifyReply) => void): void {
  app.addHook('onRequest', (request, reply, done) => {
    work(request, reply)
    done()
  })
}

/** The HTTP server with every endpoint on it, not listening yet. */
export async function buildApp(
  gateway: Gateway,
  options: ApiOptions,
  handled: Handlers<typeof endpoints> = handlers,
): Promise<FastifyInstance> {
  const { clock, logger } = options
  const maxConnections = Math.min(MAX_CONNECTIONS, options.maxConnections ?? MAX_CONNECTIONS)
  const requests = new RequestLog(clock, logger)
  const connections = new Connections(connectionLimits(maxConnections, options), clock, logger)
  const app = bareServer(options, requests, connections)
  const streams = longResponses(gateway, clock, maxConnections)
  app.decorateRequest('caller', null)
  app.setErrorHandler(sendError)
  logRequests(app, requests)
  onRequest(app, setHeaders)
  allowOrigins(app, options.corsOrigins ?? [])
  onRequest(app, (request) => {
    requireHost(request)
    requireOneKey(request)
    refuseNul(request)
  })
  const confirmed = new ConfirmedChanges(gateway)
  const forwarding = new Forwarding(gateway, new NodeClient(options.nodeCa), confirmed)
  const json = new JsonResponses(clock)
  const bodies = new BoundedBodies(clock)
  closeInOrder(app, () => {
    for (const responses of Object.values(streams)) responses.end()
    forwarding.endStreams()
    json.places.close()
    bodies.close()
  })
  refuseUnknown(app, options.page && unknownPage(options.page))
  recognisePassedOn(app, gateway.accounts.tokens)
  confirmed.serve(app)
  authenticate(app, gateway)
  readBodies(app)
  compressResponses(app)
  refuseInStandby(app, gateway)
  forwarding.serve(app)
  bodies.serve(app)
  confirmed.serveReads(app)

  app.decorate('json', { getter: () => json })
  serveEndpoints(app, { gateway, handlers: handled, json, streams, version: options.version })
  const log = logCounts(options, requests)
  serveHealth(app, gateway, log)
  serveMetrics(
    app,
    gateway,
    {
      streams: streams.streamEvents,
      watchers: streams.followWire,
      connections,
      log,
      forwarded: forwarding.counts,
      version: options.version,
      facts: options.facts,
    },
    options.metricsToken,
  )
  serveSignOn(app, gateway)
  serveDocs(app, options.version, options.page !== undefined)
  if (options.page) serveWebPage(app, options.page)

  await app.ready()
  return app
}
