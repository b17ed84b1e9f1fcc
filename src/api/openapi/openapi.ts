import { type AnyEndpoint, Nothing } from '../../contract/endpoint.js'
import { BASE_PATH, endpoints } from '../../contract/endpoints.js'
import type { Json, JsonObject } from '../../kit/text/json.js'
import { pathsAround } from './health-paths.js'
import { EXAMPLES } from './openapi-examples.js'
import { responsesOf } from './openapi-responses.js'
import { namedSchemas, openApiSchema } from './openapi-schema.js'

const TAGS: Readonly<Record<string, string>> = {
  auth: 'Log in to get a token (JWT); send it with every other call as `Authorization: Bearer <token>`.',
  equipment:
    'Equipment records and their connections. `mode` is the HSMS connect mode of the equipment. `passive`: the equipment listens and the gateway connects to it. `active`: the gateway listens and the equipment connects to it.',
  variables: 'Status and data variables of equipment.',
  constants: 'Equipment constants.',
  'collection-events':
    'Events that equipment reports on its own (SEMI E30): list, enable, disable, request their reports.',
  reports: 'Event reports: which values equipment sends with its collection events.',
  recipes: 'Process programs in equipment: unformatted (bytes) or formatted (a list of commands).',
  traces: 'Traces: status variables that equipment samples periodically and sends on its own.',
  clock: 'The clock of equipment.',
  terminal: 'Text on the terminals of equipment, for its operator.',
  messages: 'SECS messages, sent and received.',
  alarms: 'Alarms that equipment reported.',
  events: 'Events of connections, alarms, states and messages, as a list and as a stream.',
  journal: 'All stored records, as one export.',
  users: 'Users and their roles.',
  operation: 'Health checks and metrics for monitoring. These paths have no version prefix.',
}

const DESCRIPTIONS: { readonly [Name in keyof typeof endpoints]?: string } = {
  createEquipment:
    'If `mode` is `passive`, the gateway will connect to `ip_address`:`port`. If `mode` is `active`, the gateway will listen on `port` and accept connections only from `ip_address`.',
  connectEquipment:
    'Sets the desired state to connected (`enabled`), until a disconnect. If the equipment is `passive`, the gateway connects to it; if it is `active`, the gateway listens and the equipment connects. 200: the equipment is SELECTED and COMMUNICATING. 202: it is not yet, after `wait` seconds; the gateway continues to try, and `last_error` has the result of the last attempt.',
  sendMessage:
    '200: the message was sent; `reply` is the reply, or null if the message has no reply. 202: the message was sent, and the call did not wait for the reply.',
  sendCommand:
    'Sends S2F41, S2F49 or S2F21, as given by `style`. 200: the equipment replied; `accepted` says whether it accepted the command. 202: the command was sent, and the call did not wait for the reply; the recorded reply will show whether the equipment accepted it.',
  updateEquipment: 'Accepts any members of the creation body; a member that is left out keeps its value.',
  followWire:
    'Streams all HSMS messages on the connection from now on, until the client closes the stream. Nothing is stored. The stream continues over reconnects, and waits while the equipment is not connected. `application/x-ndjson`: one JSON object on each line. `text/plain`: readable text. `application/x-pcapng`: a capture file for Wireshark, which can open it while it grows; the TCP and IP headers are synthetic. A client that reads too slowly loses records; a `gap` record has the number of lost records.',
  getTraffic:
    'Counts of messages, bytes, timeouts and lost connections since the gateway was started or the equipment was registered, whichever is later.',
  streamEvents:
    'Server-sent events: `id:` is the id of the event, `event:` its type, `data:` the event as JSON, as in the list. A comment line every 15 seconds keeps the connection open.',
}

const HEADERS = {
  idempotency: {
    name: 'Idempotency-Key',
    in: 'header',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    description:
      'Makes it safe to repeat the request. A repeat with the same key within 24 hours gets the answer of the first request, and nothing is sent again; a different `timeout` in the query does not matter. A request with the same key and another body, or another query, gets 422.',
  },
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    schema: { type: 'string' },
    description:
      'The `ETag` of the record as it was read, or several, separated by commas. If none of them is current, the answer is 412.',
  },
  lastEvent: {
    name: 'Last-Event-ID',
    in: 'header',
    schema: { type: 'string', pattern: '^[0-9]{1,15}$' },
    description: 'Id of an event. The stream starts with the first event after it.',
  },
} as const

type Properties = Readonly<Record<string, JsonObject>>

/** A parameter that may be repeated is either one value or an array of values. */
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
      : `Needs the role \`${endpoint.access}\` or a higher role.`
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

/** The contract as an OpenAPI 3.0 document, generated from the same table as the routes of the server. */
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
        'A gateway for semiconductor equipment that speaks SECS/GEM over HSMS.\n\nIn request bodies, a member with the value null counts as left out, and read-only members of a record are ignored. A slash at the end of a path and repeated slashes are ignored.',
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
