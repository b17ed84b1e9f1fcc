import type { FastifyInstance } from 'fastify'
import { endpoints } from '../../contract/endpoints.js'
import type { Gateway } from '../../gateway/gateway.js'
import { implement } from '../implement.js'
import { callerOf } from '../request/authenticate.js'

export function alarmRoutes(app: FastifyInstance, { alarms }: Gateway): void {
  implement(app, endpoints.listAlarms, ({ query }) => alarms.list(query))
  implement(app, endpoints.acknowledgeAlarm, ({ params, body }, request) =>
    alarms.acknowledge(params.id, callerOf(request), body),
  )
}
