import type { FastifyInstance } from 'fastify'
import { endpoints } from '../../contract/endpoints.js'
import type { Gateway } from '../../gateway/gateway.js'
import { Answer } from '../answers/answer.js'
import { implement } from '../implement.js'

export function messageRoutes(app: FastifyInstance, { messages }: Gateway): void {
  implement(app, endpoints.listMessages, ({ query }) => messages.list(query))
  implement(app, endpoints.getMessage, ({ params }) => messages.get(params.id))
  implement(app, endpoints.sendMessage, async ({ params, query, body }) => {
    const { result, waited } = await messages.send(params.id, body, query.timeout)
    return new Answer(waited ? 200 : 202, result)
  })
}
