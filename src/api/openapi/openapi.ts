import { type AnyEndpoint, Nothing, type RequestHeader } from '../../contract/endpoint.js'
import { BASE_PATH, endpoints } from '../../contract/endpoints.js'
import { reachOf } from '../../contract/reach.js'
import type { Json, JsonObject } from '../../kit/text/json.js'
import { compactPaths, withoutTexts } from './compact.js'
import { pathsAround } from './health-paths.js'
import { responsesOf } from './openapi-responses.js'
import { components, openApiSchema } from './openapi-schema.js'
import { type Paths, sharingParts } from './shared-parts.js'
import { signOnPaths } from './sign-on-paths.js'

const TAGS: Readonly<Record<string, string>> = {
  auth: 'Log in to get a token (JWT); send it, or an API key, with every other call as `Authorization: Bearer <token>`.',
  equipment:
    'Equipment records and their connections. `mode` is the HSMS connect mode of the equipment. `passive`: the equipment listens and the gateway connects to it. `active`: the gateway listens and the equipment connects to it.',
  variables: 'Status and data variables of equipment.',
  constants: 'Equipment constants.',
  limits: 'Limits of variables: the equipment reports when a value crosses one (SEMI E30).',
  'collection-events':
    'Events that equipment reports on its own (SEMI E30): list, enable, disable, request their reports.',
  reports: 'Event reports: which values equipment sends with its collection events.',
  recipes: 'Process programs in equipment: unformatted (bytes) or formatted (a list of commands).',
  traces: 'Traces: status variables that equipment samples periodically and sends on its own.',
  spool: 'The spool of equipment: messages that it keeps while no host receives them (SEMI E30).',
  jobs: 'Process jobs and control jobs of 300 mm equipment (SEMI E40, E94).',
  objects: 'Objects of any type in equipment, and their attributes (SEMI E39).',
  carriers: 'Load ports and carriers of 300 mm equipment (SEMI E87).',
  substrates: 'Substrates at 300 mm equipment, and the way of each through it (SEMI E90).',
  performance:
    'How the modules of 300 mm equipment perform: the state of each, and its share of a time (SEMI E116).',
  gem300: 'How the states of 300 mm objects are told: the events and variables of each equipment.',
  clock: 'The clock of equipment.',
  terminal: 'Text on the terminals of equipment, for its operator.',
  messages: 'SECS messages, sent and received.',
  alarms: 'Alarms that equipment reported.',
  events: 'Events of connections, alarms, states and messages, as a list and as a stream.',
  sinks: 'Targets to which events are delivered: webhooks, MQTT and Sparkplug B brokers, Kafka, and files.',
  journal: 'All stored records, as one export.',
  audit: 'Who did what: calls that may change something, logins, and calls that a role does not allow.',
  users: 'Users and their roles.',
  keys: 'API keys: tokens of programs, which need no login.',
  nodes: 'The daemons that work on one database.',
  operation: 'Health checks and metrics for monitoring. These paths have no version prefix.',
}

const IDEMPOTENCY_KEY: RequestHeader = {
  name: 'Idempotency-Key',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  description:
    'Makes it safe to repeat the request. A repeat with the same key within 24 hours gets the response of the first request, and nothing is sent again; a different `timeout` in the query does not matter. A request with the same key and another body, or another query, gets 422.',
}

const TRACEPARENT: RequestHeader = {
  name: 'traceparent',
  schema: { type: 'string' },
  description:
    'W3C trace context, such as `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01`. It is recorded in the audit, with the messages that the call sends, their replies and ends, and with the acknowledgement of an alarm; sinks pass it on. One that is not valid is ignored, and so is `tracestate`.',
}

const EQUIPMENT_IN_PATH =
  'Id of the equipment, or its name as of now; `/` and other reserved characters of a name are percent-encoded.'

type Properties = Readonly<Record<string, JsonObject>>

/** A parameter that may be repeated is either one value or an array of values. */
const oneOrSeveral = (schema: JsonObject): JsonObject =>
  schema['type'] === 'array' ? { anyOf: [schema['items'] ?? {}, schema] } : schema

function parameters(endpoint: AnyEndpoint): JsonObject[] {
  const ofPath = (name: string): string | undefined =>
    name === 'id' && reachOf(endpoint) === 'equipment' ? EQUIPMENT_IN_PATH : undefined
  const read = (schema: object, where: 'path' | 'query'): JsonObject[] => {
    const { properties = {} } = schema as { readonly properties?: Properties }
    return Object.entries(properties).map(([name, property]) => {
      const { description = where === 'path' ? ofPath(name) : undefined, ...rest } = openApiSchema(
        property,
      ) as JsonObject
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
    ...[
      ...(endpoint.idempotent ? [IDEMPOTENCY_KEY] : []),
      ...(endpoint.isSafe ? [] : [TRACEPARENT]),
      ...endpoint.headers,
    ].map(({ name, description, schema }) => ({ name, in: 'header', description, schema })),
  ]
}

function operation(name: string, endpoint: AnyEndpoint): JsonObject {
  const access = endpoint.access === 'anyone' ? 'Needs no token.' : `Role: \`${endpoint.access}\` or higher.`
  const given = parameters(endpoint)
  const example = endpoint.examples.body as Json | undefined
  return {
    operationId: name,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: [endpoint.description, access].filter(Boolean).join('\n\n'),
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
    responses: responsesOf(endpoint),
  }
}

/**
 * The contract as an OpenAPI 3.0 document, generated from the same table as the routes of the server. `isCompact`: for
 * generators of clients, without descriptions, examples and the codes of errors.
 */
export function openApiDocument(version: string, isCompact = false): JsonObject {
  const paths: Record<string, Record<string, Json>> = {}
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const path = BASE_PATH + endpoint.path
    paths[path] = {
      ...paths[path],
      [endpoint.method.toLowerCase()]: operation(name, endpoint),
    }
  }
  const all = { ...paths, ...signOnPaths(), ...pathsAround() } as Paths
  const shared = sharingParts(isCompact ? compactPaths(all) : all)
  return {
    openapi: '3.0.3',
    info: {
      title: 'secsctl',
      version,
      description:
        'A gateway for semiconductor equipment that speaks SECS/GEM over HSMS.\n\nIn request bodies, a member with the value null counts as left out, and read-only members of a record are ignored. A slash at the end of a path and repeated slashes are ignored.\n\nEvery response has the header `X-Request-Id`: the one of the request, or a new one. Every error is a `Problem`.',
      contact: { name: 'The secsctl authors' },
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: '/', description: 'This gateway.' }],
    security: [{ bearer: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: shared.paths,
    components: {
      ...shared.components,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: isCompact ? withoutTexts(components(), true) : components(),
    },
  }
}
