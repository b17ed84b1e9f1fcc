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
      Reference(
        'TRID: a number, or text where the equipment uses text. The least free number when left out.',
      ),
    ),
    variables: Type.Array(Reference('Name or SVID of a status variable.'), {
      description: 'What each sample holds, in this order; one or more.',
    }),
    period_seconds: Type.Number({
      minimum: 0.01,
      maximum: MAX_PERIOD,
      description: 'From one sample to the next, in seconds and their hundredths (DSPER).',
    }),
    samples: Type.Integer({ minimum: 1, maximum: 0xffff_ffff, description: 'How many in all (TOTSMP).' }),
    group_size: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 0xffff_ffff,
        description: 'How many come in one S6F1 (REPGSZ); 1 unless given.',
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
      name: nullable(Type.String({ description: 'Null until a namelist told it.' })),
      unit: nullable(Type.String({ description: 'Null until a namelist told it; empty for none.' })),
    }),
  ),
  period_seconds: Type.Number(),
  samples: Type.Integer(),
  group_size: Type.Integer(),
  received: Type.Integer({ minimum: 0, description: 'The number of the last sample that came (SMPLN).' }),
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
