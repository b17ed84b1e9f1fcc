import { Type } from 'typebox'
import { endpoint, IF_MATCH } from '../../endpoint.js'
import { ById, Flag, input, namedInput, onePage, Page, Paging } from '../../schema.js'
import { NewSink, Sink, SinkChange, SinkTest } from './sink.js'
import { DeadLetter, type SinkMessage } from './sink-message.js'
import { SINK_KINDS } from './targets.js'

const AT = '2026-01-31T08:00:00.000Z'
const MES: Sink = {
  id: 'snk_7f3k2m9qta',
  name: 'mes',
  kind: 'webhook',
  webhook: { url: 'https://mes.example/secs', batch: 100 },
  equipment: ['etch-*'],
  label_selector: null,
  types: ['alarm'],
  names: null,
  messages: null,
  format: 'event',
  signed: true,
  state: 'active',
  position: '40',
  lag_entries: 0,
  lag_seconds: 0,
  delivered: 12,
  dead: 0,
  last_delivered_at: AT,
  last_error: null,
  created_at: AT,
  updated_at: AT,
}
const TRIAL: SinkMessage = {
  specversion: '1.0',
  id: '3f9a0c51d2e47b86-test',
  source: 'urn:secsctl:3f9a0c51d2e47b86',
  type: 'secsctl.test',
  time: AT,
  datacontenttype: 'application/json',
  data: { sink: 'mes' },
}
const DEAD: DeadLetter = {
  id: '38',
  reason: 'it responded with 422: no such lot',
  at: AT,
  retrying: false,
  message: null,
}
const SECRET = `whsec_${'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'}`
const AUDITED = [
  'name',
  'file',
  'equipment',
  'label_selector',
  'types',
  'names',
  'messages',
  'format',
  'start',
] as const

export const sinkEndpoints = {
  listSinks: endpoint('GET /sinks', {
    tag: 'sinks',
    summary: 'List sinks',
    description: 'In the order in which they were added.',
    access: 'viewer',
    query: input({ limit: Paging.limit, cursor: Paging.cursor }),
    reply: Page(Sink),
    errors: ['invalid_cursor'],
    examples: { reply: onePage([MES]) },
  }),
  getSink: endpoint('GET /sinks/{id}', {
    tag: 'sinks',
    summary: 'Read one sink',
    access: 'viewer',
    params: ById,
    reply: Sink,
    errors: ['sink_not_found'],
    examples: { reply: MES },
  }),
  createSink: endpoint('POST /sinks', {
    tag: 'sinks',
    summary: 'Add a sink',
    description: `Delivers events to a target: at least once, in order for each equipment, and never before they are on disk. It has exactly one target: \`${SINK_KINDS.join('`, `')}\`. Targets on loopback, link-local and cloud metadata addresses are refused unless the daemon runs with \`--allow-local-sinks\`; redirects are not followed.`,
    access: 'admin',
    body: NewSink,
    reply: Sink,
    status: [201],
    errors: ['sink_name_taken', 'quota_exceeded'],
    audited: AUDITED,
    examples: {
      body: {
        name: 'mes',
        webhook: { url: 'https://mes.example/secs', batch: 100 },
        equipment: ['etch-*'],
        types: ['alarm'],
        secret: SECRET,
      },
      reply: MES,
    },
  }),
  updateSink: endpoint('PUT /sinks/{id}', {
    tag: 'sinks',
    summary: 'Change a sink',
    description:
      'A member that is left out keeps its value; a target is replaced as a whole. The kind of a sink does not change.',
    access: 'admin',
    params: ById,
    headers: [IF_MATCH],
    body: SinkChange,
    reply: Sink,
    errors: ['sink_not_found', 'sink_name_taken', 'revision_mismatch'],
    audited: AUDITED,
    examples: { body: { types: ['alarm'] }, reply: MES },
  }),
  deleteSink: endpoint('DELETE /sinks/{id}', {
    tag: 'sinks',
    summary: 'Remove a sink, with its dead letters',
    access: 'admin',
    params: ById,
    headers: [IF_MATCH],
    errors: ['sink_not_found', 'revision_mismatch'],
  }),
  testSink: endpoint('POST /sinks/{id}/test', {
    tag: 'sinks',
    summary: 'Send a test message to the target',
    description:
      'One attempt, beside the events, which ends after 10 s. A file gets a line of the type `secsctl.test`.',
    access: 'admin',
    params: ById,
    reply: SinkTest,
    errors: ['sink_not_found'],
    examples: { reply: { delivered: true, detail: null, message: TRIAL } },
  }),
  pauseSink: endpoint('POST /sinks/{id}/pause', {
    tag: 'sinks',
    summary: 'Pause a sink',
    description:
      'It keeps its position. Retention waits for it up to the limits of the daemon (`--sinks-keep`, `--sinks-keep-size`).',
    access: 'admin',
    params: ById,
    reply: Sink,
    errors: ['sink_not_found'],
    examples: { reply: { ...MES, state: 'paused' } },
  }),
  resumeSink: endpoint('POST /sinks/{id}/resume', {
    tag: 'sinks',
    summary: 'Resume a sink, or repeat a failed attempt now',
    access: 'admin',
    params: ById,
    reply: Sink,
    errors: ['sink_not_found'],
    examples: { reply: MES },
  }),
  listDeadLetters: endpoint('GET /sinks/{id}/dead', {
    tag: 'sinks',
    summary: 'List dead letters, oldest first',
    description:
      'Messages that the target rejected permanently in three attempts (of a webhook 4xx other than 408, 425 and 429), or that are too large. There are 1,000 at most; then the sink delivers nothing more until some are retried.',
    access: 'viewer',
    params: ById,
    query: input({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })) }),
    reply: Type.Object({ items: Type.Array(DeadLetter) }),
    errors: ['sink_not_found'],
    examples: { reply: { items: [DEAD] } },
  }),
  retryDeadLetters: endpoint('POST /sinks/{id}/retry', {
    tag: 'sinks',
    summary: 'Send dead letters again',
    description:
      'Those of `ids`, or all. They are sent before the next events, so they come later than events of the same equipment that followed them. With `drop` they are removed instead, and not sent.',
    access: 'admin',
    params: ById,
    body: namedInput('DeadLetterRetry', {
      ids: Type.Optional(Type.Array(Type.String({ pattern: '^[0-9]{1,15}$' }), { maxItems: 1000 })),
      drop: Type.Optional(Flag('True: they are removed.')),
    }),
    bodyOptional: true,
    reply: Sink,
    errors: ['sink_not_found'],
    audited: ['ids', 'drop'],
    examples: { body: { ids: ['38'] }, reply: MES },
  }),
} as const
