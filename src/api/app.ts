import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import { BODY_LIMIT } from '../contract/endpoints.js'
import type { Gateway } from '../gateway/gateway.js'
import type { Clock } from '../kit/clock.js'
import { serveHealth } from './around.js'
import { authenticate } from './authenticate.js'
import { readBodies } from './body.js'
import { closeInOrder } from './closing.js'
import { serveDocs } from './docs.js'
import { refuseConnection, sendError } from './errors.js'
import { dress, requestId } from './headers.js'
import { refuseUnknown } from './methods.js'
import { serveMetrics } from './metrics.js'
import { alarmRoutes } from './routes/alarms.js'
import { authRoutes } from './routes/auth.js'
import { equipmentRoutes } from './routes/equipment.js'
import { eventRoutes } from './routes/events.js'
import { messageRoutes } from './routes/messages.js'
import { userRoutes } from './routes/users.js'
import { EventStreams } from './stream.js'

export interface ApiOptions {
  readonly clock: Clock
  /** Version of the program, for the OpenAPI document. */
  readonly version: string
  /** Gets one line a request, and failures with their cause. Silent when left out. */
  readonly logger?: FastifyBaseLogger
  /** Certificate chain and private key, PEM. Clear text when left out. */
  readonly tls?: { readonly cert: string; readonly key: string }
  /** What `/metrics` wants as its bearer token. Open when left out. */
  readonly metricsToken?: string
}

/** Milliseconds that a caller has for the header, and for all of a request: 24 MiB over a slow line. */
const HEADER_TIME = 15_000
const REQUEST_TIME = 120_000
/** Longer than a load balancer keeps a connection, so that it is not ours that closes first. */
const IDLE_TIME = 75_000
const MOST_CONNECTIONS = 4096

function bareServer({ logger, tls }: ApiOptions): FastifyInstance {
  const limits = { headersTimeout: HEADER_TIME }
  const options: FastifyServerOptions & { http?: object; https?: object } = {
    ...(logger && { loggerInstance: logger }),
    ...(tls ? { https: { ...tls, ...limits, minVersion: 'TLSv1.2' } } : { http: limits }),
    bodyLimit: BODY_LIMIT,
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    genReqId: requestId,
    requestTimeout: REQUEST_TIME,
    keepAliveTimeout: IDLE_TIME,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: sendError,
    clientErrorHandler: refuseConnection,
  }
  return Fastify(options)
}

function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        request_id: request.id,
        method: request.method,
        path: request.url.split('?', 1)[0],
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        from: request.ip,
        user: request.caller?.email,
      },
      'request',
    )
  })
}

/** The HTTP server with every endpoint on it, not listening yet. */
export async function buildApp(gateway: Gateway, options: ApiOptions): Promise<FastifyInstance> {
  const app = bareServer(options)
  const streams = new EventStreams(gateway.events, gateway.accounts, options.clock)
  app.server.maxConnections = MOST_CONNECTIONS
  app.decorate('idempotency', { getter: () => gateway.idempotency })
  app.decorateRequest('caller', null)
  app.setErrorHandler(sendError)
  logRequests(app)
  app.addHook('onRequest', async (request, reply) => dress(request, reply))
  closeInOrder(app, () => streams.end())
  refuseUnknown(app)
  app.addHook('onRequest', authenticate(gateway.accounts))
  readBodies(app)

  authRoutes(app, gateway)
  equipmentRoutes(app, gateway)
  messageRoutes(app, gateway)
  alarmRoutes(app, gateway)
  eventRoutes(app, gateway, streams)
  userRoutes(app, gateway)
  serveHealth(app, gateway)
  serveMetrics(app, gateway.equipment, streams, options.metricsToken)
  serveDocs(app, options.version)

  await app.ready()
  return app
}
