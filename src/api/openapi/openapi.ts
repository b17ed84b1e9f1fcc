import { type AnyEndpoint, Nothing } from '../../contract/endpoint.js'
import { BASE_PATH, endpoints } from '../../contract/endpoints.js'
import type { Json, JsonObject } from '../../kit/text/json.js'
import { pathsAround } from './health-paths.js'
import { EXAMPLES } from './openapi-examples.js'
import { responsesOf } from './openapi-responses.js'
import { namedSchemas, openApiSchema } from './openapi-schema.js'

const TAGS: Readonly<Record<string, string>> = {
  auth: 'Tokens: a login gives one, every other call sends it.',
  equipment:
    "Equipment records and their connections. `mode` is the equipment's own: where it is `passive` the equipment listens and the gateway dials it; where it is `active` the equipment dials in and the gateway listens.",
  variables: 'Status and data variables of equipment.',
  constants: 'Equipment constants.',
  'collection-events': 'What equipment reports by itself.',
  reports: 'Which values it reports.',
  recipes: 'Process programs in equipment: bytes, or commands that both sides can read.',
  traces: 'Status variables that equipment samples by itself.',
  clock: 'The clock of equipment.',
  terminal: 'Text for the operator at the equipment.',
  messages: 'SECS messages, sent and received.',
  alarms: 'Alarms that equipment reported.',
  events: 'What happened, as a list and as a stream.',
  journal: 'All that is recorded, as it is kept.',
  users: 'Who may do what.',
  operation: 'For supervisors and probes, outside the version prefix.',
}

const DESCRIPTIONS: { readonly [Name in keyof typeof endpoints]?: string } = {
  createEquipment:
    'Where `mode` is `passive` the gateway will dial `ip_address`:`port`; where it is `active` the gateway will listen on `port` and take `ip_address` alone.',
  connectEquipment:
    'A wish that lasts until disconnect. Where the equipment is `passive` the gateway dials it, where it is `active` the gateway listens and the equipment dials in. 200: SELECTED and COMMUNICATING. 202: not there yet after `wait` seconds; the gateway goes on, and `last_error` says what the last attempt met.',
  sendMessage: '200: with the reply, where one was awaited. 202: sent without waiting for the reply.',
  sendCommand:
    'S2F41, or S2F49 or S2F21 where `style` says so. 200: the equipment answered, and `accepted` says whether it agreed. 202: sent without waiting; whether it was accepted is not known yet, and the recorded reply says it.',
  updateEquipment: 'Takes any part of the creation body; what is left out keeps its value.',
  followWire:
    'What passes on the connection from now on, until the caller goes; nothing of it is stored. Follows the equipment over reconnects, and waits while it is not connected. `application/x-ndjson`: one object a line. `text/plain`: lines for people. `application/x-pcapng`: a capture that Wireshark opens, also while it grows; TCP and IP are made up around the messages that passed. A caller that takes them too slowly loses records and is told how many.',
  getTraffic: 'Counted since the gateway started, or since the equipment was registered.',
  streamEvents:
    'Server-sent events: `id:` is the id of the event, `event:` its type, `data:` the event as the list has it. A comment line every 15 seconds keeps the connection open.',
}

const HEADERS = {
  idempotency: {
    name: 'Idempotency-Key',
    in: 'header',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    description:
      'A repeat within 24 hours is given the first answer and does nothing, also where its query says another `timeout`. With another body, or a query that wants something else, it is a 422.',
  },
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    schema: { type: 'string' },
    description:
      'The `ETag` of the record as it was read, or several with commas between; where none is current it is a 412.',
  },
  lastEvent: {
    name: 'Last-Event-ID',
    in: 'header',
    schema: { type: 'string', pattern: '^[0-9]{1,15}$' },
    description: 'Goes on behind this event.',
  },
} as const

type Properties = Readonly<Record<string, JsonObject>>

/** A parameter that may be given more than once may be given once: callers need not write a list of one. */
const oneOrSeveral = (schema: JsonObject): JsonObject =>
  schema['type'] === 'array' ? { anyOf: [schema['items'] ?? {}, schema] } : schema

function parameters(endpoint: AnyEndpoint): JsonObject[] {
  const read = (schema: object, where: 'path' | 'query'): JsonObject[] => {
    const { properties = {} } = schema as { readonly properties?: Properties }
    return Object.entries(properties).map(([name, property]) => {
      const { description, ...rest } = openApiSchema(property) as JsonObject
      return {
        name,
        in: where,
        required: where === 'path',
        schema: where === 'query' ? oneOrSeveral(rest) : rest,
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
    description: [DESCRIPTIONS[name] ?? endpoint.description, access].filter(Boolean).join('\n\n'),
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
    responses: responsesOf(name, endpoint),
  }
}

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
      description:
        'A gateway for semiconductor equipment that speaks SECS/GEM over HSMS.\n\nIn request bodies a member that is null is one that was left out, and members of a record that cannot be set are ignored. A slash at the end of a path, or several in a row, mean nothing.',
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: '/', description: 'This gateway.' }],
    security: [{ bearer: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: { ...paths, ...pathsAround() },
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: namedSchemas(),
    },
  }
}
