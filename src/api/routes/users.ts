import type { FastifyInstance } from 'fastify'
import { endpoints } from '../../contract/endpoints.js'
import type { Gateway } from '../../gateway/gateway.js'
import { implement } from '../implement.js'
import { callerOf } from '../request/authenticate.js'

export function userRoutes(app: FastifyInstance, { accounts }: Gateway): void {
  implement(app, endpoints.listUsers, ({ query }) => accounts.list(query))
  implement(app, endpoints.getOwnUser, (_, request) => accounts.get(callerOf(request).id))
  implement(app, endpoints.changeOwnPassword, ({ body }, request) =>
    accounts.changePassword(callerOf(request), body, request.ip),
  )
  implement(app, endpoints.getUser, ({ params }) => accounts.get(params.id))
  implement(app, endpoints.createUser, ({ body }, request) => accounts.create(body, callerOf(request)))
  implement(app, endpoints.updateUser, ({ params, body }, request) =>
    accounts.update(params.id, body, callerOf(request)),
  )
  implement(app, endpoints.deleteUser, ({ params }, request) => accounts.delete(params.id, callerOf(request)))
}
