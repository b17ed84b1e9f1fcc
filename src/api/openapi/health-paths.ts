import type { ErrorCode } from '../../contract/errors.js'
import type { JsonObject } from '../../kit/text/json.js'
import { byStatus } from './openapi-errors.js'
import { failures, NOT_MODIFIED } from './openapi-responses.js'

/** Media types of `/api/docs`; the first is the default. */
export const DOCS_MEDIA = [
  'application/json',
  'text/html',
  'application/vnd.oai.openapi+json',
  'application/yaml',
  'application/vnd.oai.openapi',
] as const

interface Around {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  /** The response, by media type. */
  readonly content: JsonObject
  /** Error codes of this call, besides those that every call can have. */
  readonly errors: readonly ErrorCode[]
  /** Whether a caller who has this response already gets 304. */
  readonly hasEtag?: boolean
  readonly parameters?: readonly JsonObject[]
  /** Responses besides these. */
  readonly more?: JsonObject
}

const COMPACT = {
  name: 'compact',
  in: 'query',
  required: false,
  allowEmptyValue: true,
  schema: { type: 'string' },
  description: 'The compact document.',
}

const ETAG = {
  ETag: { description: 'Of this response, for `If-None-Match`.', schema: { type: 'string' } },
}

const STATUS = {
  'application/json': {
    schema: {
      type: 'object',
      required: ['status'],
      properties: { status: { type: 'string', enum: ['ok'] } },
    },
    example: { status: 'ok' },
  },
}

/** Readiness, and how many lines of the log were lost. */
const READINESS = {
  'application/json': {
    schema: {
      type: 'object',
      required: ['status', 'log_lines_dropped', 'damaged_files', 'standby'],
      properties: {
        status: { type: 'string', enum: ['ok'] },
        log_lines_dropped: {
          type: 'integer',
          format: 'int64',
          minimum: 0,
          description: 'Number of log lines that could not be written since the gateway was started.',
        },
        damaged_files: {
          type: 'integer',
          format: 'int64',
          minimum: 0,
          description:
            'Number of files of the recorded history in which the gateway has read damage since it was started, or that it could not read and has not read since. It reads old files when they are needed: `secsctl journal verify` reads all of them.',
        },
        standby: {
          type: 'boolean',
          description:
            'The gateway is in standby (`daemon start --standby`): it responds to calls that read, connects to no equipment and delivers to no sink.',
        },
      },
    },
    example: { status: 'ok', log_lines_dropped: 0, damaged_files: 0, standby: false },
  },
}

const AROUND: Readonly<Record<string, Around>> = {
  '/api/docs': {
    operationId: 'readDocs',
    summary: 'Read this document',
    description:
      'As JSON or YAML, by the header `Accept`. With `?compact`, without descriptions, examples and codes of errors, for generators of clients. A browser is sent to the page at `/api`. Needs no token.',
    parameters: [COMPACT],
    content: Object.fromEntries(
      DOCS_MEDIA.filter((type) => type !== 'text/html').map((type) => [
        type,
        { schema: { type: type.endsWith('json') ? 'object' : 'string' } },
      ]),
    ),
    errors: ['not_acceptable'],
    hasEtag: true,
    more: {
      302: {
        description: 'For a browser (`Accept: text/html`): the page of the API.',
        headers: { Location: { schema: { type: 'string' }, description: '`/api`.' } },
      },
    },
  },
  '/healthz': {
    operationId: 'readHealth',
    summary: 'Check that the process is alive',
    description: 'For a liveness probe: 200 as long as the process responds at all. Needs no token.',
    content: STATUS,
    errors: [],
  },
  '/readyz': {
    operationId: 'readReadiness',
    summary: 'Check that the gateway can write its records to disk',
    description:
      'For a readiness probe and load balancers: 503 while nothing can be recorded. Needs no token.',
    content: READINESS,
    errors: ['store_unavailable'],
  },
  '/metrics': {
    operationId: 'readMetrics',
    summary: 'Read metrics in the Prometheus text format',
    description:
      'Needs no token, unless the daemon was started with a metrics token: then it takes that, or the token of a user or API key that sees all equipment.',
    content: {
      'text/plain': {
        schema: { type: 'string' },
        example: 'secsctl_equipment_communicating{equipment="etcher"} 1',
      },
    },
    errors: ['unauthenticated', 'token_expired', 'token_revoked', 'forbidden'],
  },
}

/** Paths outside the version prefix; they need no user token. */
export const pathsAround = (): JsonObject =>
  Object.fromEntries(
    Object.entries(AROUND).map(
      ([path, { operationId, summary, description, content, errors, hasEtag, parameters, more }]) => [
        path,
        {
          get: {
            operationId,
            tags: ['operation'],
            summary,
            description,
            security: [],
            ...(parameters && { parameters }),
            responses: {
              200: { description: summary, ...(hasEtag && { headers: ETAG }), content },
              ...(hasEtag && NOT_MODIFIED),
              ...more,
              ...failures(byStatus(errors)),
            },
          },
        },
      ],
    ),
  )
