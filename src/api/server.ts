import Fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import { BODY_LIMIT } from '../contract/endpoint.js'
import { refuseConnection, sendError } from './answers/errors.js'
import type { ApiOptions } from './api-options.js'
import { MIN_TLS, requireCertificate } from './certificate.js'
import { requestId } from './request/headers.js'
import type { RequestLog } from './request-log.js'

/** Milliseconds that a caller has for TLS, for the header, and for all of a request: 24 MiB over a slow line. */
const HANDSHAKE_TIME = 15_000
const HEADER_TIME = 15_000
const REQUEST_TIME = 120_000
/** How often requests that take too long are looked for. */
const CHECK_TIME = 5000
/** Longer than a load balancer keeps a connection, so that it is not ours that closes first. */
const IDLE_TIME = 75_000
/** Longer than any call may wait; a caller that has not taken its answer by then is hung up on. */
const SILENT_TIME = 15 * 60_000
/** Those that are just being closed, beside the ones that `Connections` lets in. */
const CLOSING_CONNECTIONS = 64
/** Characters of a part of a path as it is written: a PPID of 256 characters, percent-encoded. */
const MAX_PARAMETER_LENGTH = 4096

/** An HTTP server, with or without TLS, on which nothing is served yet. */
export function bareServer(
  { logger, tls, trustedProxies }: ApiOptions,
  requests: RequestLog,
  maxConnections: number,
): FastifyInstance {
  if (tls) requireCertificate(tls)
  const http = {
    headersTimeout: HEADER_TIME,
    connectionsCheckingInterval: CHECK_TIME,
    // Looked for in `headers.ts`: Node's own answer is no problem document.
    requireHostHeader: false,
  }
  const options: FastifyServerOptions & { http?: object; https?: object } = {
    ...(logger && { loggerInstance: logger }),
    ...(tls
      ? { https: { ...tls, ...http, minVersion: MIN_TLS, handshakeTimeout: HANDSHAKE_TIME } }
      : { http }),
    ...(trustedProxies && { trustProxy: [...trustedProxies] }),
    bodyLimit: BODY_LIMIT,
    routerOptions: {
      maxParamLength: MAX_PARAMETER_LENGTH,
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
    },
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    requestIdHeader: false,
    genReqId: requestId,
    requestTimeout: REQUEST_TIME,
    connectionTimeout: SILENT_TIME,
    keepAliveTimeout: IDLE_TIME,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: sendError,
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, requests),
  }
  const app = Fastify(options)
  app.server.maxConnections = maxConnections + CLOSING_CONNECTIONS
  // The header's bytes are limited. Node would drop the 2,001st field without a word, as an Idempotency-Key.
  app.server.maxHeadersCount = 0
  // An expectation that is not known may be passed over (RFC 9110); Node would answer 417 without a word.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  return app
}
