import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { AnyEndpoint, Call } from '../contract/endpoint.js'
import { BASE_PATH } from '../contract/endpoints.js'
import type { Answered, Idempotency } from '../gateway/idempotency/idempotency.js'
import type { JsonObject } from '../kit/text/json.js'
import { Answer } from './answers/answer.js'
import type { JsonAnswers } from './answers/json-answers.js'
import { idempotent } from './request/idempotent.js'
import { accepted } from './request/media-type.js'
import { etagOf } from './request/revision.js'
import { readCall } from './request/validation.js'

declare module 'fastify' {
  interface FastifyInstance {
    readonly idempotency: Idempotency
    readonly json: JsonAnswers
  }
}

/** The contract's reply, or nothing where the reply has no members. */
type Result<E extends AnyEndpoint> = keyof Static<E['reply']> extends never
  ? Promise<void>
  : Promise<Static<E['reply']> | Answer<Static<E['reply']>>>

export type Handler<E extends AnyEndpoint> = (call: Call<E>, request: FastifyRequest) => Result<E>

/** Handles a call that answers by itself, in parts, for as long as it likes, as the media type that was chosen. */
export type StreamHandler<E extends AnyEndpoint> = (
  call: Call<E>,
  request: FastifyRequest,
  reply: FastifyReply,
  media: string,
) => Promise<void>

const urlOf = (endpoint: AnyEndpoint): string => BASE_PATH + endpoint.path.replace(/\{(\w+)\}/g, ':$1')

function answeredBy(endpoint: AnyEndpoint, result: unknown): Answered {
  const [status, body] =
    result instanceof Answer ? [result.status, result.body] : [endpoint.status[0], result]
  return { status, body: (body ?? null) as JsonObject | null }
}

function send(endpoint: AnyEndpoint, { status, body }: Answered, reply: FastifyReply): FastifyReply {
  reply.code(status)
  if (body === null) return reply.send()
  if (status >= 400) return reply.type('application/problem+json; charset=utf-8').send(JSON.stringify(body))
  if (typeof body['revision'] === 'number') reply.header('etag', etagOf(body['revision']))
  if (status === 201) reply.header('location', `${BASE_PATH}${endpoint.path}/${String(body['id'])}`)
  return reply.server.json.send(body, reply.type('application/json; charset=utf-8'))
}

/** Puts one endpoint of the contract on the server. Validation, status and access all come from the contract. */
export function implement<E extends AnyEndpoint>(
  app: FastifyInstance,
  endpoint: E,
  handle: Handler<E>,
): void {
  app.route({
    method: endpoint.method,
    url: urlOf(endpoint),
    bodyLimit: endpoint.bodyLimit,
    config: { endpoint },
    async handler(request, reply) {
      accepted(request, endpoint.media)
      const call = readCall(endpoint, request)
      if (!endpoint.idempotent)
        return send(endpoint, answeredBy(endpoint, await handle(call, request)), reply)
      const work = async (): Promise<Answered> => answeredBy(endpoint, await handle(call, request))
      const answer = await idempotent(request, call.query as object, app.idempotency, work)
      if (answer.replayed) reply.header('idempotency-replayed', 'true')
      return send(endpoint, answer, reply)
    },
  })
}

/** Puts an endpoint on the server whose answer is a stream. */
export function implementStream<E extends AnyEndpoint>(
  app: FastifyInstance,
  endpoint: E,
  handle: StreamHandler<E>,
): void {
  app.route({
    method: endpoint.method,
    url: urlOf(endpoint),
    exposeHeadRoute: false,
    config: { endpoint },
    async handler(request, reply) {
      const media = accepted(request, endpoint.media)
      await handle(readCall(endpoint, request), request, reply, media)
      return reply
    },
  })
}
