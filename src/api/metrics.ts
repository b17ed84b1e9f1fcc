import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Equipment } from '../contract/equipment.js'
import { Problem } from '../contract/errors.js'
import type { Registry as EquipmentRegistry } from '../gateway/gateway.js'
import { bearerToken } from './authenticate.js'

/** For every equipment, by name, whether it is wanted and whether it is there. */
function measureEquipment(equipment: Pick<EquipmentRegistry, 'list'>, registry: Registry): void {
  const measure = (name: string, help: string, holds: (record: Equipment) => boolean): void => {
    new Gauge({
      name,
      help,
      labelNames: ['equipment'] as const,
      registers: [registry],
      async collect() {
        const { items } = await equipment.list({})
        this.reset()
        for (const record of items) this.set({ equipment: record.name }, holds(record) ? 1 : 0)
      },
    })
  }
  measure('secsctl_equipment_enabled', '1 where it is wanted to be connected.', ({ enabled }) => enabled)
  measure(
    'secsctl_equipment_communicating',
    '1 where messages can be exchanged with it.',
    ({ communication_state }) => communication_state === 'COMMUNICATING',
  )
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Counts what the server does, and serves it at `/metrics`, behind `token` where there is one. */
export function serveMetrics(
  app: FastifyInstance,
  equipment: Pick<EquipmentRegistry, 'list'>,
  streams: { readonly size: number },
  token?: string,
): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  measureEquipment(equipment, registry)
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
