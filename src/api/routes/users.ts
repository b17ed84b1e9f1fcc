import type { FastifyInstance } from 'fastify'
import { endpoints } from '../../contract/endpoints.js'
import type { Gateway } from '../../gateway/gateway.js'
import { callerOf } from '../authenticate.js'
import { implement } from '../implement.js'

export function userRoutes(app: FastifyInstance, { accounts }: Gateway): void {
  implement(app, endpoints.listUsers, ({ query }) => accounts.list(query))
  implement(app, endpoints.getOwnUser, (_, request) => accounts.get(callerOf(request).id))
  implement(app, endpoints.getUser, ({ params }) => accounts.get(params.id))
  implement(app, endpoints.createUser, ({ body }) => accounts.create(body))
  implement(app, endpoints.updateUser, ({ params, body }) => accounts.update(params.id, body))
  implement(app, endpoints.deleteUser, ({ params }) => accounts.delete(params.id))
}
