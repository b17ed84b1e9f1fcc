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
  /** The answer, by media type. */
  readonly content: JsonObject
  /** Error codes of this call, besides those that every call can have. */
  readonly errors: readonly ErrorCode[]
  /** Whether a caller who has this answer already gets 304. */
  readonly hasEtag?: boolean
}

const ETAG = {
  ETag: { description: 'Of this answer, for `If-None-Match`.', schema: { type: 'string' } },
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
      required: ['status', 'log_lines_dropped', 'standby'],
      properties: {
        status: { type: 'string', enum: ['ok'] },
        log_lines_dropped: {
          type: 'integer',
          minimum: 0,
          description: 'Number of log lines that could not be written since the gateway was started.',
        },
        standby: {
          type: 'boolean',
          description:
            'The gateway is in standby (`daemon start --standby`): it answers calls that read, connects to no equipment and delivers to no sink.',
        },
      },
    },
    example: { status: 'ok', log_lines_dropped: 0, standby: false },
  },
}

const AROUND: Readonly<Record<string, Around>> = {
  '/api/docs': {
    operationId: 'readDocs',
    summary: 'Read this document as JSON, YAML or HTML (see `Accept`)',
    content: Object.fromEntries(
      DOCS_MEDIA.map((type) => [type, { schema: { type: type.endsWith('json') ? 'object' : 'string' } }]),
    ),
    errors: ['not_acceptable'],
    hasEtag: true,
  },
  '/healthz': {
    operationId: 'readHealth',
    summary: 'Check that the process is alive',
    content: STATUS,
    errors: [],
  },
  '/readyz': {
    operationId: 'readReadiness',
    summary: 'Check that the gateway can write its records to disk',
    content: READINESS,
    errors: ['store_unavailable'],
  },
  '/metrics': {
    operationId: 'readMetrics',
    summary:
      'Read metrics in the Prometheus text format; if a metrics token is configured, it or the token of a user or API key that sees all equipment is needed',
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
    Object.entries(AROUND).map(([path, { operationId, summary, content, errors, hasEtag }]) => [
      path,
      {
        get: {
          operationId,
          tags: ['operation'],
          summary,
          security: [],
          responses: {
            200: { description: summary, ...(hasEtag && { headers: ETAG }), content },
            ...(hasEtag && NOT_MODIFIED),
            ...failures(byStatus(errors), path),
          },
        },
      },
    ]),
  )
