import Fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import { BODY_LIMIT } from '../contract/body-limit.js'
import type { ApiOptions } from './api-options.js'
import { MIN_TLS, requireCertificate } from './certificate.js'
import type { Connections } from './connections.js'
import { answerExpectations } from './expectations.js'
import { serveInOrder } from './pipelining.js'
import { requestId } from './request/headers.js'
import type { RequestLog } from './request-log.js'
import { requestLogger } from './request-logger.js'
import { refuseConnection, sendError } from './responses/errors.js'

/** Milliseconds that a client has for TLS, for the header, and for a whole request: 24 MiB over a slow line. */
const HANDSHAKE_TIMEOUT_MS = 15_000
const HEADER_TIMEOUT_MS = 15_000
const REQUEST_TIMEOUT_MS = 120_000
/** How often requests that take too long are looked for. */
const CHECK_INTERVAL_MS = 5000
/** Longer than a load balancer keeps a connection, so that the server is not the one that closes it. */
const IDLE_TIMEOUT_MS = 75_000
/** Longer than any call may wait; a client that has not read its response by then is disconnected. */
const SILENT_TIMEOUT_MS = 15 * 60_000
/** Those that are just being closed, beside the ones that `Connections` lets in. */
const CLOSING_CONNECTIONS = 64
/** Characters of a part of a path as it is written: a PPID of 256 characters, percent-encoded. */
const MAX_PARAMETER_LENGTH = 4096

/** An HTTP server, with or without TLS, on which nothing is served yet. */
export function bareServer(
  { logger, tls, trustedProxies }: ApiOptions,
  requests: RequestLog,
  connections: Connections,
): FastifyInstance {
  if (tls) requireCertificate(tls)
  const http = {
    headersTimeout: HEADER_TIMEOUT_MS,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    // Looked for in `headers.ts`: Node's own response is no problem document.
    requireHostHeader: false,
  }
  const options: FastifyServerOptions & { http?: object; https?: object } = {
    ...(logger && { loggerInstance: logger }),
    ...(tls
      ? { https: { ...tls, ...http, minVersion: MIN_TLS, handshakeTimeout: HANDSHAKE_TIMEOUT_MS } }
      : { http }),
    ...(trustedProxies && { trustProxy: [...trustedProxies] }),
    bodyLimit: BODY_LIMIT,
    routerOptions: {
      maxParamLength: MAX_PARAMETER_LENGTH,
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
    },
    childLoggerFactory: requestLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    requestIdHeader: false,
    genReqId: requestId,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: SILENT_TIMEOUT_MS,
    keepAliveTimeout: IDLE_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: sendError,
    clientErrorHandler: (error, socket) =>
      connections.afterResponses(socket, () => refuseConnection(error, socket, requests)),
  }
  const app = Fastify(options)
  app.server.maxConnections = connections.limits.all + CLOSING_CONNECTIONS
  // The header's bytes are limited. Node would ignore the fields after the 2,000th, such as an Idempotency-Key.
  app.server.maxHeadersCount = 0
  connections.watch(app.server)
  serveInOrder(app)
  answerExpectations(app)
  return app
}
