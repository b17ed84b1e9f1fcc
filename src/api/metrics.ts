import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { Problem } from '../contract/errors.js'
import { bearerToken } from './authenticate.js'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Counts what the server does, and serves it at `/metrics`, behind `token` where there is one. */
export function serveMetrics(
  app: FastifyInstance,
  streams: { readonly size: number },
  token?: string,
): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const labelNames = ['method', 'route', 'status'] as const
  const requests = new Counter({
    name: 'secsctl_http_requests_total',
    help: 'HTTP requests answered.',
    labelNames,
    registers: [registry],
  })
  const seconds = new Histogram({
    name: 'secsctl_http_request_duration_seconds',
    help: 'Time from a request to its answer.',
    labelNames: ['method', 'route'] as const,
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 45, 120],
    registers: [registry],
  })
  new Gauge({
    name: 'secsctl_http_streams',
    help: 'Event streams being served.',
    registers: [registry],
    collect() {
      this.set(streams.size)
    },
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    requests.inc({ method: request.method, route, status: reply.statusCode })
    seconds.observe({ method: request.method, route }, reply.elapsedTime / 1000)
  })
  app.get('/metrics', async (request, reply) => {
    if (token !== undefined && !timingSafeEqual(digest(bearerToken(request)), digest(token))) {
      throw new Problem('unauthenticated', 'This is not the token of /metrics.')
    }
    return reply.type(registry.contentType).send(await registry.metrics())
  })
  return registry
}
