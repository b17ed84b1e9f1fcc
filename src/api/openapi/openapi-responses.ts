import type { AnyEndpoint } from '../../contract/endpoint.js'
import { ERRORS, type ErrorCode } from '../../contract/errors.js'
import type { Event } from '../../contract/topics/events.js'
import type { WireRecord } from '../../contract/topics/wire.js'
import { wireLines } from '../../contract/wire-text.js'
import { revisedBy } from '../../gateway/records/revision.js'
import type { Json, JsonObject } from '../../kit/text/json.js'
import { eventLines } from '../responses/record-streams.js'
import { EVERYWHERE, errorsByStatus } from './openapi-errors.js'
import { openApiSchema } from './openapi-schema.js'

const text = (description: string): JsonObject => ({ description, schema: { type: 'string' } })
const whole = (description: string): JsonObject => ({
  description,
  schema: { type: 'integer', format: 'int32' },
})

export const NOT_MODIFIED: JsonObject = {
  304: { description: '`If-None-Match` has the `ETag` of this response.' },
}

/** All responses of a call, by HTTP status. */
export function responsesOf(endpoint: AnyEndpoint): JsonObject {
  const successes = endpoint.status.map((status) => [status, success(endpoint, status)])
  return {
    ...Object.fromEntries(successes),
    ...(endpoint.method === 'GET' && revisedBy(endpoint.reply) && NOT_MODIFIED),
    ...failures(errorsByStatus(endpoint)),
  }
}

const isPaged = (reply: object): boolean =>
  'properties' in reply && Object.hasOwn(reply.properties as object, 'next_cursor')

function success(endpoint: AnyEndpoint, status: number): JsonObject {
  const headers = {
    ...(status === 201 && { Location: text('Path of the created record.') }),
    ...(isPaged(endpoint.reply) && {
      Link: text('The next page, as `<…>; rel="next"`; absent on the last page.'),
    }),
    ...(revisedBy(endpoint.reply) && {
      ETag: text(
        'Of this response, for `If-None-Match`; its part before the hyphen is the revision of the record, which `If-Match` compares.',
      ),
    }),
    ...(endpoint.idempotent && {
      'Idempotency-Replayed': text('`true` if this is the stored response to a repeated request.'),
    }),
  }
  const some = Object.keys(headers).length > 0 && { headers }
  if (status === 204) return { description: 'Done.', ...some }
  const description = status === 202 ? 'Accepted, but not finished.' : endpoint.summary
  const { reply, accepted } = endpoint.examples
  const example = status === 202 ? accepted : reply
  const content = endpoint.media.map((type) => [type, responseAs(type, endpoint, example)])
  return { description, ...some, content: Object.fromEntries(content) }
}

/** Schema and example of one media type; for a stream of JSON lines, of one line. */
function responseAs(type: string, endpoint: AnyEndpoint, example: unknown): JsonObject {
  const lines = { type: 'string' }
  switch (type) {
    case 'text/event-stream':
      return { schema: lines, example: [...eventLines([example as Event])].join('') }
    case 'text/plain':
      return { schema: lines, example: wireLines(example as WireRecord).join('\n') }
    case 'application/x-pcapng':
      return { schema: { ...lines, format: 'binary' } }
    default:
      return {
        schema: openApiSchema(endpoint.reply),
        ...(example !== undefined && { example: example as Json }),
      }
  }
}

/** The codes in words; `asStatus`: each with its HTTP status. */
const inWords = (codes: readonly ErrorCode[], asStatus = false): string =>
  codes
    .map((code) => {
      const { status, title } = ERRORS[code]
      return `\`${code}\`${asStatus ? ` (${status})` : ''}: ${title}.`
    })
    .join(' ')

const problem = (description: string, headers: JsonObject = {}): JsonObject => ({
  description,
  ...(Object.keys(headers).length > 0 && { headers }),
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
})

/** Error responses by HTTP status, each with all its codes; `default` has those that any request may get. */
export function failures(byStatus: ReadonlyMap<number, readonly ErrorCode[]>): JsonObject {
  const responses = [...byStatus].map(([status, codes]): [string, JsonObject] => [
    String(status),
    problem(inWords(codes), {
      ...(status === 429 && {
        'Retry-After': whole(
          'Seconds after which the client may try again. Absent where waiting does not help, as for a quota of records.',
        ),
      }),
      ...(status === 401 && { 'WWW-Authenticate': text('`Bearer`.') }),
    }),
  ])
  const everywhere = problem(`Errors that any request may get. ${inWords(EVERYWHERE, true)}`)
  const is4xx = [...byStatus.keys()].some((status) => status < 500)
  // Linters want a status of the client's errors.
  return { ...Object.fromEntries(responses), ...(!is4xx && { '4XX': everywhere }), default: everywhere }
}
