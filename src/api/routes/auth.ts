import type { FastifyInstance } from 'fastify'
import { endpoints } from '../../contract/endpoints.js'
import type { Gateway } from '../../gateway/gateway.js'
import { implement } from '../implement.js'
import { callerOf } from '../request/authenticate.js'

export function authRoutes(app: FastifyInstance, { accounts }: Gateway): void {
  implement(app, endpoints.login, ({ body }, request) => accounts.login(body, request.ip))
  implement(app, endpoints.refresh, (_, request) => accounts.refresh(callerOf(request)))
  implement(app, endpoints.logout, (_, request) => accounts.logout(callerOf(request)))
}
