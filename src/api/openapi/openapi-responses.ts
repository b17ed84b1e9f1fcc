import type { AnyEndpoint } from '../../contract/endpoint.js'
import { BASE_PATH } from '../../contract/endpoints.js'
import { ERRORS, type ErrorCode, Problem } from '../../contract/errors.js'
import type { Event } from '../../contract/topics/events.js'
import type { WireRecord } from '../../contract/topics/wire.js'
import { wireLines } from '../../contract/wire-text.js'
import { revisedBy } from '../../gateway/records/revision.js'
import type { Json, JsonObject } from '../../kit/text/json.js'
import { problemBody } from '../answers/errors.js'
import { eventLines } from '../answers/record-streams.js'
import { errorsByStatus } from './openapi-errors.js'
import { openApiSchema } from './openapi-schema.js'

const text = (description: string): JsonObject => ({ description, schema: { type: 'string' } })
const whole = (description: string): JsonObject => ({
  description,
  schema: { type: 'integer', format: 'int32' },
})
const REQUEST_ID = { 'X-Request-Id': text('Id of this request: from the request header, or generated.') }

export const NOT_MODIFIED: JsonObject = {
  304: { description: '`If-None-Match` has the `ETag` of this answer.', headers: REQUEST_ID },
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
    ...REQUEST_ID,
    ...(status === 201 && { Location: text('Path of the created record.') }),
    ...(isPaged(endpoint.reply) && {
      Link: text('The next page, as `<…>; rel="next"`; absent on the last page.'),
    }),
    ...(revisedBy(endpoint.reply) && {
      ETag: text(
        'Of this answer, for `If-None-Match`; its part before the hyphen is the revision of the record, which `If-Match` compares.',
      ),
    }),
    ...(endpoint.idempotent && {
      'Idempotency-Replayed': text('`true` if this is the stored answer to a repeated request.'),
    }),
  }
  if (status === 204) return { description: 'Done.', headers }
  const description = status === 202 ? 'Accepted, but not finished.' : endpoint.summary
  const { reply, accepted } = endpoint.examples
  const example = status === 202 ? accepted : reply
  const content = endpoint.media.map((type) => [type, answerAs(type, endpoint, example)])
  return { description, headers, content: Object.fromEntries(content) }
}

/** Schema and example of one media type; for a stream of JSON lines, of one line. */
function answerAs(type: string, endpoint: AnyEndpoint, example: unknown): JsonObject {
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

/** The same in all examples, so that calls share their responses. */
const EXAMPLE_PATH = `${BASE_PATH}/equipment/eq_8d1f03c6a95e`

/** Error responses by HTTP status: all codes of the status, and one example. */
export function failures(byStatus: ReadonlyMap<number, readonly ErrorCode[]>): JsonObject {
  const answers = [...byStatus].map(([status, codes]) => {
    const [first = 'internal_error'] = codes
    const example = problemBody(new Problem(first, `${ERRORS[first].title}.`), EXAMPLE_PATH)
    const answer: JsonObject = {
      description: codes.map((code) => `\`${code}\`: ${ERRORS[code].title}.`).join(' '),
      headers: {
        ...REQUEST_ID,
        ...(status === 429 && {
          'Retry-After': whole(
            'Seconds after which the client may try again. Absent where waiting does not help, as for a quota of records.',
          ),
        }),
        ...(status === 401 && { 'WWW-Authenticate': text('`Bearer`.') }),
      },
      content: {
        'application/problem+json': {
          schema: { $ref: '#/components/schemas/Problem' },
          example: example as unknown as Json,
        },
      },
    }
    return [status, answer] as const
  })
  return Object.fromEntries(answers)
}
