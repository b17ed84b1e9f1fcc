import { type AnyEndpoint, BASE_PATH, endpoints, Nothing } from '../contract/endpoints.js'
import { ERRORS } from '../contract/errors.js'
import type { Json, JsonObject } from '../kit/json.js'
import { errorsByStatus } from './openapi-errors.js'
import { EXAMPLES } from './openapi-examples.js'
import { namedSchemas, openApiSchema } from './openapi-schema.js'

const TAGS: Readonly<Record<string, string>> = {
  auth: 'Tokens: a login gives one, every other call sends it.',
  equipment:
    "Equipment records and their connections. `mode` is the equipment's own: where it is `passive` the equipment listens and the gateway dials it; where it is `active` the equipment dials in and the gateway listens.",
  messages: 'SECS messages, sent and received.',
  alarms: 'Alarms that equipment reported.',
  events: 'What happened, as a list and as a stream.',
  users: 'Who may do what.',
  operation: 'For supervisors and probes, outside the version prefix.',
}

const DESCRIPTIONS: { readonly [Name in keyof typeof endpoints]?: string } = {
  connectEquipment:
    'A wish that lasts until disconnect. Where the equipment is `passive` the gateway dials it, where it is `active` the gateway listens and the equipment dials in. 200: SELECTED and COMMUNICATING. 202: not there yet after `wait` seconds; the gateway goes on, and `last_error` says what the last attempt met.',
  sendMessage: '200: with the reply, where one was awaited. 202: sent without waiting for the reply.',
  sendCommand:
    'S2F41. 200: the equipment answered, and `accepted` says whether it agreed. 202: sent without waiting.',
  updateEquipment: 'Takes any part of the creation body; what is left out keeps its value.',
  streamEvents:
    'Server-sent events: `id:` is the id of the event, `event:` its type, `data:` the event as the list has it. A comment line every 15 seconds keeps the connection open.',
}

const HEADERS = {
  idempotency: {
    name: 'Idempotency-Key',
    in: 'header',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    description: 'A repeat within 24 hours is given the first answer and does nothing.',
  },
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    schema: { type: 'string' },
    description: 'The `ETag` of the record as it was read; any other is a 412.',
  },
  lastEvent: {
    name: 'Last-Event-ID',
    in: 'header',
    schema: { type: 'string', pattern: '^[0-9]{1,15}$' },
    description: 'Goes on behind this event.',
  },
} as const

const text = (description: string): JsonObject => ({ description, schema: { type: 'string' } })
const whole = (description: string): JsonObject => ({ description, schema: { type: 'integer' } })
const REQUEST_ID = { 'X-Request-Id': text('Of this request: taken from the caller, or made.') }

type Properties = Readonly<Record<string, JsonObject>>

function parameters(endpoint: AnyEndpoint): JsonObject[] {
  const read = (schema: object, where: 'path' | 'query'): JsonObject[] => {
    const { properties = {} } = schema as { readonly properties?: Properties }
    return Object.entries(properties).map(([name, property]) => {
      const { description, ...rest } = openApiSchema(property) as JsonObject
      return {
        name,
        in: where,
        required: where === 'path',
        schema: rest,
        ...(description !== undefined && { description }),
      }
    })
  }
  return [
    ...read(endpoint.params, 'path'),
    ...read(endpoint.query, 'query'),
    ...(endpoint.idempotent ? [HEADERS.idempotency] : []),
    ...(endpoint === endpoints.updateEquipment ? [HEADERS.ifMatch] : []),
    ...(endpoint === endpoints.streamEvents ? [HEADERS.lastEvent] : []),
  ]
}

function success(endpoint: AnyEndpoint, status: number): JsonObject {
  const headers = {
    ...REQUEST_ID,
    ...(status === 201 && { Location: text('Path of what was created.') }),
    ...(endpoint.reply === endpoints.getEquipment.reply && { ETag: text('The revision, for If-Match.') }),
    ...(endpoint.idempotent && { 'Idempotency-Replayed': text('`true` on the answer to a repeat.') }),
  }
  const description =
    status === 202 ? 'Accepted, and not finished.' : status === 204 ? 'Done.' : endpoint.summary
  if (status === 204) return { description, headers }
  const content =
    endpoint === endpoints.streamEvents
      ? { 'text/event-stream': { schema: { type: 'string' } } }
      : { 'application/json': { schema: openApiSchema(endpoint.reply) } }
  return { description, headers, content }
}

function responses(endpoint: AnyEndpoint): JsonObject {
  const answers: Record<string, Json> = {}
  for (const status of endpoint.status) answers[status] = success(endpoint, status)
  for (const [status, codes] of errorsByStatus(endpoint)) {
    answers[status] = {
      description: codes.map((code) => `\`${code}\`: ${ERRORS[code].title}.`).join(' '),
      headers: {
        ...REQUEST_ID,
        ...(status === 429 && { 'Retry-After': whole('Seconds until it is worth trying again.') }),
        ...(status === 401 && { 'WWW-Authenticate': text('`Bearer`.') }),
      },
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    }
  }
  return answers
}

function operation(name: keyof typeof endpoints, endpoint: AnyEndpoint): JsonObject {
  const access =
    endpoint.access === 'anyone'
      ? 'Needs no token.'
      : `Needs the role \`${endpoint.access}\` or one above it.`
  const given = parameters(endpoint)
  const example = EXAMPLES[name]
  return {
    operationId: name,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: [DESCRIPTIONS[name], access].filter(Boolean).join('\n\n'),
    ...(endpoint.access === 'anyone' && { security: [] }),
    ...(given.length > 0 && { parameters: given }),
    ...(endpoint.body !== Nothing && {
      requestBody: {
        required: !endpoint.bodyOptional,
        content: {
          'application/json': { schema: openApiSchema(endpoint.body), ...(example && { example }) },
        },
      },
    }),
    responses: responses(endpoint),
  }
}

const probe = (id: string, summary: string, type: string, errors: JsonObject = {}): JsonObject => ({
  get: {
    operationId: id,
    tags: ['operation'],
    summary,
    security: [],
    responses: {
      200: { description: summary, content: { [type]: { schema: {} } } },
      431: failure('`header_too_large`.'),
      ...errors,
    },
  },
})

const failure = (description: string): JsonObject => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
})

/** The contract as an OpenAPI 3.0 document, made from the table that the server is made from. */
export function openApiDocument(version: string): JsonObject {
  const paths: Record<string, Record<string, Json>> = {}
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const path = BASE_PATH + endpoint.path
    paths[path] = {
      ...paths[path],
      [endpoint.method.toLowerCase()]: operation(name as keyof typeof endpoints, endpoint),
    }
  }
  return {
    openapi: '3.0.3',
    info: {
      title: 'secsctl',
      version,
      description: 'A gateway for semiconductor equipment that speaks SECS/GEM over HSMS.',
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: '/', description: 'This gateway.' }],
    security: [{ bearer: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: {
      ...paths,
      '/api/docs': probe('readDocs', 'This document; a page where Accept asks for HTML', 'application/json', {
        406: failure('`not_acceptable`: neither JSON nor HTML.'),
      }),
      '/healthz': probe('readHealth', 'The process is alive', 'application/json', {
        503: failure('`shutting_down`.'),
      }),
      '/readyz': probe('readReadiness', 'Records reach the disk', 'application/json', {
        503: failure('`store_unavailable`, `shutting_down`.'),
      }),
      '/metrics': probe('readMetrics', 'Metrics in the text format of Prometheus', 'text/plain', {
        401: failure('`unauthenticated`: the gateway was given a token for its metrics.'),
      }),
    },
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: namedSchemas(),
    },
  }
}
