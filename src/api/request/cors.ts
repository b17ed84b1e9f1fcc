import type { FastifyInstance } from 'fastify'

/** Response headers that a page of another origin may read, beside the few that every page may. */
const EXPOSED =
  'Allow, ETag, Idempotency-Replayed, Link, Location, Retry-After, WWW-Authenticate, X-Request-Id'
/** Request headers and methods that such a page may use. */
const TAKEN_HEADERS =
  'Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Traceparent, Tracestate, X-Request-Id'
const TAKEN_METHODS = 'GET, HEAD, POST, PUT, DELETE'
/** Seconds for which a browser may cache the response to a preflight request. */
const MAX_AGE_SECONDS = 600

/**
 * Allows pages of these origins to call the server; no origins, no pages. Cookies are never taken: a page needs a
 * token. Has to be called before the hooks that may refuse a call, so that a page can read why.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return
  app.addHook('onRequest', async ({ method, headers }, reply) => {
    reply.header('vary', 'Origin')
    const { origin } = headers
    if (origin === undefined || !origins.includes(origin)) return
    reply.header('access-control-allow-origin', origin)
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) {
      reply.header('access-control-expose-headers', EXPOSED)
      return
    }
    reply.headers({
      'access-control-allow-methods': TAKEN_METHODS,
      'access-control-allow-headers': TAKEN_HEADERS,
      'access-control-max-age': MAX_AGE_SECONDS,
    })
  })
}
