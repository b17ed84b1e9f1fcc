import { type Static, Type } from 'typebox'
import { Id, nullable } from './schema.js'
import { Code, IdOrName, NamedValue, Recorded } from './values.js'

export const CollectionEvent = Type.Object({
  id: Type.String({ description: 'CEID.' }),
  name: Type.String(),
  variables: Type.Array(Type.String(), { description: 'VIDs of the data variables that go with it.' }),
  variable_names: Type.Array(nullable(Type.String()), {
    description: 'What `variables` are called, in their order; null where no namelist told it.',
  }),
  enabled: nullable(
    Type.Boolean({ description: 'As S2F37 last had it; null where that passed no message here.' }),
  ),
  reports: nullable(
    Type.Array(Type.String(), {
      description:
        'RPTIDs linked to it, as S2F33 and S2F35 last had it; null where that passed no message here.',
    }),
  ),
})
export type CollectionEvent = Static<typeof CollectionEvent>

export const EventChoice = Type.Object(
  {
    events: Type.Optional(Type.Array(IdOrName, { description: 'Ids or names, one or more.' })),
    all: Type.Optional(Type.Boolean({ description: 'True instead of `events`: every event there is.' })),
  },
  { additionalProperties: false },
)
export type EventChoice = Static<typeof EventChoice>

export const EventsSwitched = Type.Object({
  accepted: Type.Boolean({ description: 'True for ERACK 0.' }),
  erack: Code('ERACK.'),
  erack_text: Type.String(),
  ...Recorded,
})
export type EventsSwitched = Static<typeof EventsSwitched>

export const ByEvent = Type.Object({ id: Id, ceid: IdOrName })
export const ByReport = Type.Object({ id: Id, rptid: IdOrName })

export const ReportValues = Type.Object({
  rptid: Type.String({ description: 'RPTID.' }),
  values: Type.Array(NamedValue),
})
export type ReportValues = Static<typeof ReportValues>

export const EventReport = Type.Object({
  ceid: Type.String({ description: 'CEID.' }),
  name: nullable(Type.String({ description: 'Null until a namelist told it.' })),
  reports: Type.Array(ReportValues, { description: 'The reports that are linked to the event.' }),
  ...Recorded,
})
export type EventReport = Static<typeof EventReport>

export const RequestedReport = Type.Object({ ...ReportValues.properties, ...Recorded })
export type RequestedReport = Static<typeof RequestedReport>
