import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AnyEndpoint, Call } from '../contract/endpoint.js'
import { BASE_PATH, endpoints } from '../contract/endpoints.js'
import { isRefusedByLock } from '../contract/equipment-lock.js'
import { isRestricted, restrictedCall, restrictedParts } from '../gateway/accounts/restriction.js'
import type { SentCall } from '../gateway/audit/sent-call.js'
import { applyRights } from '../gateway/equipment/equipment-handlers.js'
import { Accepted, type Handlers, type RecordStream } from '../gateway/handler.js'
import type { CallResponse, KeyedRequest } from '../gateway/idempotency/idempotency.js'
import type { Gateway } from '../gateway/open-gateway.js'
import { etagOf, revisedBy } from '../gateway/records/revision.js'
import { foundUpToDate } from '../gateway/up-to-date.js'
import type { JsonObject } from '../kit/text/json.js'
import { nextTurn } from '../kit/turns.js'
import { audited } from './request/audited.js'
import { callerOf } from './request/authenticate.js'
import { RequestCall, StreamCall } from './request/call.js'
import { withEquipmentIds } from './request/equipment-in-query.js'
import { idempotent } from './request/idempotent.js'
import { accepted } from './request/media-type.js'
import { isKnown } from './request/revision.js'
import { callReader, type FurtherFaults } from './request/validation.js'
import type { JsonResponses } from './responses/json-responses.js'
import type { LongResponses } from './responses/long-responses.js'
import { RecordStreams } from './responses/record-streams.js'

type Rows = typeof endpoints

/** The endpoints whose responses are streams. */
export type StreamName = {
  [Name in keyof Rows]: 'application/json' extends Rows[Name]['media'][number] ? never : Name
}[keyof Rows]

export interface Served {
  readonly gateway: Gateway
  readonly handlers: Handlers<Rows>
  readonly json: JsonResponses
  /** The responses of each stream, which are limited in number. */
  readonly streams: { readonly [Name in StreamName]: LongResponses }
  readonly version: string
}

type Handle<Result> = (call: RequestCall, gateway: Gateway) => Promise<Result>

/** Puts every endpoint of the contract on the server. Validation, status and access all come from its row. */
export function serveEndpoints(app: FastifyInstance, served: Served): void {
  const streams = new RecordStreams(served.gateway.clock, () => served.gateway.ready)
  for (const name of Object.keys(endpoints) as (keyof Rows)[]) {
    const row: AnyEndpoint = endpoints[name]
    // The types of `Handlers` hold for each name; they are lost where all are served alike.
    const handle: unknown = served.handlers[name]
    const handler = Object.hasOwn(served.streams, name)
      ? streamed(
          row,
          handle as Handle<RecordStream<never>>,
          streams,
          served.streams[name as StreamName],
          served,
        )
      : once(name, row, handle as Handle<unknown>, served)
    app.route({
      method: row.method,
      url: BASE_PATH + row.path.replace(/\{(\w+)\}/g, ':$1'),
      bodyLimit: row.bodyLimit,
      ...(Object.hasOwn(served.streams, name) && { exposeHeadRoute: false }),
      config: { endpoint: row, operation: name },
      handler,
    })
  }
}

type RouteHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** All that is wrong with equipment is in one response. */
function furtherFaults(name: string, gateway: Gateway): FurtherFaults | undefined {
  const { equipment } = gateway
  if (name === 'createEquipment' || name === 'updateEquipment') return (body) => equipment.memberFaults(body)
  if (name !== 'applyEquipment') return undefined
  return (body, said, request) => {
    const { equipment: entries } = body as { readonly equipment?: unknown }
    if (!Array.isArray(entries)) return []
    const wrong = new Map<number, Set<string>>()
    for (const { pointer } of said) {
      const [, , at, member = ''] = pointer.split('/')
      wrong.set(Number(at), (wrong.get(Number(at)) ?? new Set()).add(member))
    }
    return equipment.listFaults(entries, wrong, applyRights(callerOf(request), gateway))
  }
}

/** Responds with one JSON document. */
function once(
  name: string,
  row: AnyEndpoint,
  handle: Handle<unknown>,
  { gateway, json }: Served,
): RouteHandler {
  const read = callReader(row, furtherFaults(name, gateway))
  const [status] = row.status
  const refusedByLock = isRefusedByLock(row)
  const respond = async (call: RequestCall): Promise<CallResponse> => {
    // Here, so that a refusal is in the audit, and the response to a repeat by its key is that of the first request.
    if (refusedByLock)
      gateway.equipment.refuseLocked((call.params as { readonly id: string }).id, call.caller)
    const result = await foundUpToDate(gateway, () => handle(call, gateway))
    return result instanceof Accepted
      ? { status: 202, body: result.body as JsonObject }
      : { status, body: (result ?? null) as JsonObject | null }
  }
  const carriedOut = (call: Call<AnyEndpoint>, request: FastifyRequest, keyed?: KeyedRequest) => {
    const work = (sent?: SentCall): Promise<CallResponse> =>
      respond(new RequestCall(call, request, row, keyed, sent))
    return row.isSafe ? work() : audited(name, row, gateway, call, request, work)
  }
  let isFirst = true
  return async (request, reply) => {
    accepted(request, row.media)
    // V8 compiles all that the first call runs, and its schemas are made into functions: in turns of their own.
    const isSlow = isFirst
    isFirst = false
    if (isSlow) await nextTurn()
    const given = read(request)
    if (isSlow) await nextTurn()
    const { caller } = request
    let call = await withEquipmentIds(given, caller, gateway)
    if (isRestricted(caller)) {
      try {
        const whole = call
        call = await foundUpToDate(gateway, () => restrictedCall(row, whole, caller, gateway))
      } catch (problem) {
        // Refused calls are recorded too.
        const refused = call
        if (!row.isSafe) await audited(name, row, gateway, refused, request, () => Promise.reject(problem))
        throw problem
      }
    }
    if (row.isSafe) return sendPlaced(row, () => carriedOut(call, request), reply, json)
    if (!row.idempotent) return send(row, await carriedOut(call, request), reply, json)
    const response = await idempotent(request, call.query as object, gateway.idempotency, (keyed) =>
      carriedOut(call, request, keyed),
    )
    if (response.replayed) reply.header('idempotency-replayed', 'true')
    return send(row, response, reply, json)
  }
}

/** The path and query of the page that `cursor` begins. */
function nextPage(url: string, cursor: string): string {
  const [path = '', query = ''] = url.split('?', 2)
  const parameters = new URLSearchParams(query)
  parameters.set('cursor', cursor)
  return `${path}?${parameters}`
}

/** Sends what `read` gives. What keeps much memory, and has to wait for its place, is not kept meanwhile but read again. */
async function sendPlaced(
  row: AnyEndpoint,
  read: () => Promise<CallResponse>,
  reply: FastifyReply,
  json: JsonResponses,
): Promise<FastifyReply> {
  const attempt = async (): Promise<boolean> => {
    const response = await read()
    if (!json.admits(response.body, reply)) return false
    send(row, response, reply, json)
    return true
  }
  if (await attempt()) return reply
  await json.waitForPlace(reply)
  // The client may have left meanwhile.
  if (!reply.raw.closed) await attempt()
  return reply
}

function send(row: AnyEndpoint, { status, body }: CallResponse, reply: FastifyReply, json: JsonResponses) {
  reply.code(status)
  if (body === null) return reply.send()
  if (status >= 400) return reply.type('application/problem+json; charset=utf-8').send(JSON.stringify(body))
  const next = body['next_cursor']
  if (typeof next === 'string') reply.header('link', `<${nextPage(reply.request.url, next)}>; rel="next"`)
  const revised = revisedBy(row.reply)
  if (revised) {
    const etag = etagOf(revised, body)
    reply.header('etag', etag)
    if (isKnown(reply.request, etag)) return reply.code(304).send()
  }
  if (status === 201) reply.header('location', `${BASE_PATH}${row.path}/${String(body['id'])}`)
  return json.send(body, reply.type('application/json; charset=utf-8'))
}

/** Responds with the records of a stream. */
function streamed(
  row: AnyEndpoint,
  handle: Handle<RecordStream<never>>,
  streams: RecordStreams,
  responses: LongResponses,
  { gateway, version }: Served,
): RouteHandler {
  const read = callReader(row)
  return async (request, reply) => {
    const media = accepted(request, row.media)
    const { caller } = request
    const given = await withEquipmentIds(read(request), caller, gateway)
    const call = isRestricted(caller)
      ? await foundUpToDate(gateway, () => restrictedCall(row, given, caller, gateway))
      : given
    const open = async (signal: AbortSignal): Promise<RecordStream<never>> => {
      const streamCall = new StreamCall(call, request, row, media, `secsctl ${version}`, signal)
      const stream = await foundUpToDate(gateway, () => handle(streamCall, gateway))
      if (!isRestricted(caller)) return stream
      return { ...stream, parts: restrictedParts(stream.parts, row, call, caller, gateway) }
    }
    await streams.serve(open, media, responses, request, reply)
    return reply
  }
}
