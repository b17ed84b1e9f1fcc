import { type Static, Type } from 'typebox'
import { Reference } from './reports.js'
import { Id, nullable, Time } from './schema.js'
import { Code, IdOrName, Recorded } from './values.js'

export const ByTrace = Type.Object({ id: Id, trid: IdOrName })

/** One less than a day: DSPER has two digits each for hours, minutes and seconds, and two for their hundredths. */
const MAX_PERIOD = 86_399.99

export const NewTrace = Type.Object(
  {
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
    samples: Type.Integer({
      minimum: 1,
      maximum: 0xffff_ffff,
      description: 'Total number of samples (TOTSMP).',
    }),
    group_size: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 0xffff_ffff,
        description: 'Number of samples in one S6F1 (REPGSZ); default 1.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type NewTrace = Static<typeof NewTrace>

export const Trace = Type.Object({
  trid: Type.String({ description: 'TRID.' }),
  variables: Type.Array(
    Type.Object({
      id: Type.String({ description: 'SVID.' }),
      name: nullable(
        Type.String({
          description: "From the equipment's name list; null until the gateway has received that list.",
        }),
      ),
      unit: nullable(
        Type.String({
          description:
            "From the equipment's name list; null until the gateway has received that list, empty if there is no unit.",
        }),
      ),
    }),
  ),
  period_seconds: Type.Number(),
  samples: Type.Integer(),
  group_size: Type.Integer(),
  received: Type.Integer({ minimum: 0, description: 'Number of the last sample received (SMPLN).' }),
  started_at: Time('When the equipment accepted it.'),
})
export type Trace = Static<typeof Trace>

export const TraceStarted = Type.Object({
  accepted: Type.Boolean({ description: 'True for TIAACK 0.' }),
  tiaack: Code('TIAACK.'),
  tiaack_text: Type.String(),
  trace: nullable(Trace),
  ...Recorded,
})
export type TraceStarted = Static<typeof TraceStarted>

export const TraceEnded = Type.Object({
  trid: Type.String({ description: 'TRID.' }),
  accepted: Type.Boolean({ description: 'True for TIAACK 0.' }),
  tiaack: Code('TIAACK.'),
  tiaack_text: Type.String(),
  ...Recorded,
})
export type TraceEnded = Static<typeof TraceEnded>
