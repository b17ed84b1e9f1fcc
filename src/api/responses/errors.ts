import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { BODY_LIMIT, bodyTooLarge } from '../../contract/body-limit.js'
import { ERRORS, type ErrorCode, Problem } from '../../contract/errors.js'
import type { ProblemBody } from '../../contract/problem-body.js'
import { problemOf } from '../../gateway/store-problem.js'
import { responseHeaders, setHeaders } from '../request/headers.js'
import type { RequestLog } from '../request-log.js'
import type {} from './json-responses.js'
import { isStillSent, whileReadingOn } from './reading-on.js'

/** What fastify refuses by itself, in the contract's words. */
const OF_FASTIFY: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'unsupported_media_type',
    'A body has to be JSON: send Content-Type: application/json.',
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['invalid_request', 'The body is not as long as Content-Length says.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['invalid_json', 'The body cannot be read as JSON.'],
  FST_ERR_BAD_URL: ['invalid_request', 'The path holds a percent sign that encodes nothing.'],
  FST_ERR_MAX_PARAM_LENGTH: ['not_found', 'There is nothing at this path.'],
}

/** A body that cannot be read, such as that of a client that hangs up. */
const CUT_OFF = ['invalid_request', 'The body cannot be read to its end.'] as const

/** Fastify marks what is wrong with a request, and not with the server. */
const isOfRequest = (error: unknown): boolean =>
  error instanceof Error &&
  'statusCode' in error &&
  Number(error.statusCode) >= 400 &&
  Number(error.statusCode) < 500

/** Errors of Node's HTTP parser, which come before there is a request. */
const OF_NODE: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  HPE_HEADER_OVERFLOW: ['header_too_large', 'The header is larger than 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time.'],
}

const wordOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

type FailedRequest = {
  readonly id: string
  readonly routeOptions: { readonly bodyLimit?: number | undefined }
}

/** The problem to send to the client. An unexpected error becomes `internal_error`, without internal details. */
export function problemFor(error: unknown, { id: requestId, routeOptions }: FailedRequest): Problem {
  const problem = problemOf(error)
  if (problem) return problem
  if (wordOf(error) === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Problem('body_too_large', bodyTooLarge(routeOptions.bodyLimit ?? BODY_LIMIT), {}, error)
  const known = OF_FASTIFY[wordOf(error)] ?? (isOfRequest(error) ? CUT_OFF : undefined)
  if (known) return new Problem(known[0], known[1], {}, error)
  return new Problem(
    'internal_error',
    `The gateway failed in a way that was not foreseen; its log has the cause under the request id ${requestId}.`,
    {},
    error,
  )
}

export function problemBody(problem: Problem, instance: string, requestId?: string): ProblemBody {
  const { retry_after: _, ...extra } = problem.extra
  return {
    type: 'about:blank',
    title: ERRORS[problem.code].title,
    status: problem.status,
    detail: problem.message,
    instance,
    code: problem.code,
    ...(requestId !== undefined && { request_id: requestId }),
    ...extra,
    ...(extra.errors && { errors: [...extra.errors] }),
  } as ProblemBody
}

const pathOf = (url: string): string => url.split('?', 1)[0] ?? ''

/** What is logged of failures of the gateway, at the level error. */
const LOGGED: { readonly [Code in ErrorCode]?: string } = {
  internal_error: 'unforeseen failure',
  history_damaged: 'damaged history',
  store_unavailable: 'store unavailable',
}

/** Responds with the problem, and logs what is a bug, damaged history or a failing disk. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemFor(error, request)
  const logged = LOGGED[problem.code]
  if (logged !== undefined) request.log.error({ err: problem.cause ?? error }, logged)
  setHeaders(request, reply)
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer')
  if (problem.extra.retry_after !== undefined)
    reply.header('retry-after', Math.ceil(problem.extra.retry_after))
  reply.code(problem.status).type('application/problem+json; charset=utf-8')
  const text = JSON.stringify(problemBody(problem, pathOf(request.url), request.id))
  if (!isStillSent(request.raw)) return reply.send(text)
  reply.header('content-length', Buffer.byteLength(text))
  return reply.send(whileReadingOn(text, request.raw, request.server.json.clock))
}

/** Milliseconds in which a client that was refused has to read the response and close the connection. */
const REFUSAL_TIMEOUT_MS = 1000

/** Responds to what is no HTTP request, or to a request that may not be read to its end, and closes the connection. */
export function refuseConnection(
  error: Error,
  socket: FastifyRequest['raw']['socket'],
  log?: RequestLog,
): void {
  if (!socket.writable || wordOf(error) === 'ECONNRESET') return void socket.destroy()
  const [code, detail] = OF_NODE[wordOf(error)] ?? ['invalid_request', 'This is not a valid HTTP request.']
  const problem = new Problem(code, detail)
  const id = randomUUID()
  const { status } = problem
  const from = 'remoteAddress' in socket ? String(socket.remoteAddress) : undefined
  if (log?.admits(from)) log.logger?.info({ request_id: id, status, code, from }, 'no request')
  const body = JSON.stringify(problemBody(problem, '', id))
  const headers = {
    ...responseHeaders(id),
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  // If the connection were closed at once, data still on its way would reset it before the client has read the response.
  socket.setTimeout(REFUSAL_TIMEOUT_MS, () => socket.destroy())
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n'))
}
