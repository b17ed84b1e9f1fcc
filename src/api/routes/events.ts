import type { FastifyInstance } from 'fastify'
import { endpoints } from '../../contract/endpoints.js'
import type { Gateway } from '../../gateway/gateway.js'
import type { EventStreams } from '../answers/event-streams.js'
import { implement, implementStream } from '../implement.js'

export function eventRoutes(app: FastifyInstance, { events }: Gateway, streams: EventStreams): void {
  implement(app, endpoints.listEvents, ({ query }) => events.list(query))
  implementStream(app, endpoints.streamEvents, ({ query }, request, reply) =>
    streams.serve(query, request, reply),
  )
}
