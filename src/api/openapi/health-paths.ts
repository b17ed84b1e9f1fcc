import type { ErrorCode } from '../../contract/errors.js'
import type { JsonObject } from '../../kit/text/json.js'
import { byStatus } from './openapi-errors.js'
import { failures } from './openapi-responses.js'

/** What `/api/docs` can be had as, the first where a caller takes any. */
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
  /** What it answers, by media type. */
  readonly content: JsonObject
  /** What can go wrong beside what can go wrong everywhere. */
  readonly errors: readonly ErrorCode[]
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

/** The process, and how many lines its log lacks. */
const READINESS = {
  'application/json': {
    schema: {
      type: 'object',
      required: ['status', 'log_lines_dropped'],
      properties: {
        status: { type: 'string', enum: ['ok'] },
        log_lines_dropped: {
          type: 'integer',
          minimum: 0,
          description: 'Lines of the log that could not be written since the gateway started',
        },
      },
    },
    example: { status: 'ok', log_lines_dropped: 0 },
  },
}

const AROUND: Readonly<Record<string, Around>> = {
  '/api/docs': {
    operationId: 'readDocs',
    summary: 'This document, as JSON or YAML; a page where Accept asks for HTML',
    content: Object.fromEntries(
      DOCS_MEDIA.map((type) => [type, { schema: { type: type.endsWith('json') ? 'object' : 'string' } }]),
    ),
    errors: ['not_acceptable'],
  },
  '/healthz': { operationId: 'readHealth', summary: 'The process is alive', content: STATUS, errors: [] },
  '/readyz': {
    operationId: 'readReadiness',
    summary: 'Records reach the disk',
    content: READINESS,
    errors: ['store_unavailable'],
  },
  '/metrics': {
    operationId: 'readMetrics',
    summary:
      'Metrics in the text format of Prometheus; where the gateway was given a token for them, with it',
    content: {
      'text/plain': {
        schema: { type: 'string' },
        example: 'secsctl_equipment_communicating{equipment="etcher"} 1',
      },
    },
    errors: ['unauthenticated'],
  },
}

/** What is served outside the version prefix, to anybody. */
export const pathsAround = (): JsonObject =>
  Object.fromEntries(
    Object.entries(AROUND).map(([path, { operationId, summary, content, errors }]) => [
      path,
      {
        get: {
          operationId,
          tags: ['operation'],
          summary,
          security: [],
          responses: { 200: { description: summary, content }, ...failures(byStatus(errors), path) },
        },
      },
    ]),
  )
