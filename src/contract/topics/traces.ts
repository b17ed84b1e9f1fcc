import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.js'
import { NAMED_ERRORS } from '../errors.js'
import {
  ById,
  Id,
  input,
  NOT_BLANK,
  named,
  nullable,
  OptionalInteger,
  onePage,
  Page,
  Text,
  Time,
} from '../schema.js'
import { Acknowledged, acknowledgedAs, IdOrName, ListedName, ListedUnit } from '../values.js'
import { WRITES } from './messages.js'
import { Reference } from './reports.js'

const ByTrace = Type.Object({ id: Id, trid: Type.String({ ...IdOrName, pattern: NOT_BLANK }) })

/** One less than a day: DSPER has two digits each for hours, minutes and seconds, and two for their hundredths. */
const MAX_PERIOD = 86_399.99

/** A count of samples, in four bytes. */
const Count = Type.Integer({ minimum: 1, maximum: 0xffff_ffff })

export const NewTrace = input({
  trid: Type.Optional(
    Reference('TRID: a number, or text where the equipment uses text. Default: the lowest free number.'),
  ),
  variables: Type.Array(Reference('Name or SVID of a status variable.'), {
    description: 'One or more variables that each sample contains, in this order.',
  }),
  period_seconds: Type.Number({
    minimum: 0.01,
    maximum: MAX_PERIOD,
    description: 'Time between two samples (DSPER), in seconds with at most two decimals.',
  }),
  samples: Type.Integer({ ...Count, description: 'Total number of samples (TOTSMP).' }),
  group_size: OptionalInteger([1, 0xffff_ffff], 'Number of samples in one S6F1 (REPGSZ); default 1.'),
})
export type NewTrace = Static<typeof NewTrace>

export const Trace = named('Trace', {
  trid: Text('TRID.'),
  variables: Type.Array(Type.Object({ id: Text('SVID.'), name: ListedName, unit: ListedUnit })),
  period_seconds: Type.Number(),
  samples: Count,
  group_size: Count,
  received: Type.Integer({ minimum: 0, description: 'Number of the last sample received (SMPLN).' }),
  started_at: Time('When the equipment accepted it.'),
})
export type Trace = Static<typeof Trace>

const TraceStarted = Type.Object({ ...Acknowledged('tiaack'), trace: nullable(Trace) })

const TraceEnded = Type.Object({ trid: Text('TRID.'), ...Acknowledged('tiaack') })

const PRESSURE: Trace = {
  trid: '1',
  variables: [{ id: '1010', name: 'ChamberPressure', unit: 'mtorr' }],
  period_seconds: 1,
  samples: 60,
  group_size: 1,
  received: 12,
  started_at: '2026-01-31T08:00:00.000Z',
}
const ACCEPTED = acknowledgedAs('tiaack', 71)

export const traceEndpoints = {
  listTraces: endpoint('GET /equipment/{id}/traces', {
    tag: 'traces',
    summary: 'List the traces that are running',
    description:
      'Traces that were started through this gateway since it was started and that have not ended. The response has all of them in one page.',
    access: 'viewer',
    params: ById,
    reply: Page(Trace),
    errors: ['equipment_not_found'],
    examples: { reply: onePage([PRESSURE]) },
  }),
  startTrace: endpoint('POST /equipment/{id}/traces', {
    ...WRITES,
    tag: 'traces',
    summary: 'Start a trace',
    description:
      'Sends S2F23. The equipment sends the samples in S6F1: find them in `/messages`, and in `/events` with the type `message`. A new trace with the TRID of a running trace replaces it. If the equipment refuses, the response is 200 with `accepted` false.',
    body: NewTrace,
    reply: TraceStarted,
    errors: NAMED_ERRORS,
    audited: ['trid', 'variables', 'period_seconds', 'samples'],
    examples: {
      body: { variables: ['ChamberPressure'], period_seconds: 1, samples: 60 },
      reply: { trace: { ...PRESSURE, received: 0 }, ...ACCEPTED },
    },
  }),
  endTrace: endpoint('DELETE /equipment/{id}/traces/{trid}', {
    ...WRITES,
    tag: 'traces',
    summary: 'End a trace',
    description:
      'Sends S2F23 with TOTSMP 0. If the equipment refuses, the response is 200 with `accepted` false.',
    params: ByTrace,
    reply: TraceEnded,
    examples: { reply: { trid: '1', ...ACCEPTED } },
  }),
} as const
