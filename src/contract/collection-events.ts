import { type Static, Type } from 'typebox'
import { Id, nullable } from './schema.js'
import { Code, IdOrName, NamedValue, Recorded } from './values.js'

export const CollectionEvent = Type.Object({
  id: Type.String({ description: 'CEID.' }),
  name: Type.String(),
  variables: Type.Array(Type.String(), {
    description: 'VIDs of the data variables that belong to the event.',
  }),
  variable_names: Type.Array(nullable(Type.String()), {
    description: 'Names of `variables`, in the same order; null where the name is not known.',
  }),
  enabled: nullable(
    Type.Boolean({
      description:
        'Whether the event is enabled, according to the last S2F37 sent through this gateway; null if there was none.',
    }),
  ),
  reports: nullable(
    Type.Array(Type.String(), {
      description:
        'RPTIDs linked to the event, according to the last S2F33 and S2F35 sent through this gateway; null if there were none.',
    }),
  ),
})
export type CollectionEvent = Static<typeof CollectionEvent>

export const EventChoice = Type.Object(
  {
    events: Type.Optional(Type.Array(IdOrName, { description: 'One or more CEIDs or event names.' })),
    all: Type.Optional(
      Type.Boolean({ description: 'True: all events of the equipment. Use it instead of `events`.' }),
    ),
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
  name: nullable(
    Type.String({
      description: "From the equipment's name list; null until the gateway has received that list.",
    }),
  ),
  reports: Type.Array(ReportValues, { description: 'The reports linked to the event.' }),
  ...Recorded,
})
export type EventReport = Static<typeof EventReport>

export const RequestedReport = Type.Object({ ...ReportValues.properties, ...Recorded })
export type RequestedReport = Static<typeof RequestedReport>
