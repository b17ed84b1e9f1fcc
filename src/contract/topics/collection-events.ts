import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.js'
import { NAMED_ERRORS } from '../errors.js'
import {
  Id,
  NullableFlag,
  named,
  namedInput,
  nullable,
  OptionalFlag,
  oneOf,
  onePage,
  Page,
  Text,
} from '../schema.js'
import {
  Acknowledged,
  acknowledgedAs,
  IdOrName,
  ListedName,
  NamedValue,
  Recorded,
  recordedAs,
} from '../values.js'
import { READS, WRITES } from './messages.js'
import { NamelistQuery } from './variables.js'

/** Where a report definition, or the reports of an event, are known from. */
export const DEFINITION_ORIGINS = ['line', 'by_hand', 'gateway'] as const
export const DEFINITION_ORIGIN_WORDS =
  '`line`: messages of the host of tapped equipment. `by_hand`: given by a caller, and not seen on the line since. `gateway`: messages of the gateway.'

export const CollectionEvent = named('CollectionEvent', {
  id: Text('CEID.'),
  name: Type.String(),
  variables: Type.Array(Type.String(), {
    description: 'VIDs of the data variables that belong to the event.',
  }),
  variable_names: Type.Array(nullable(Type.String()), {
    description: 'Names of `variables`, in the same order; null where the name is not known.',
  }),
  enabled: NullableFlag(
    'Whether the event is enabled, according to the last S2F37 sent through this gateway; null if there was none.',
  ),
  reports: nullable(
    Type.Array(Type.String(), {
      description:
        'RPTIDs linked to the event, according to the last S2F33 and S2F35 sent through this gateway; null if there were none.',
    }),
  ),
  origin: Type.Optional(
    oneOf(
      DEFINITION_ORIGINS,
      `Where \`reports\` is known from; left out where it is not. ${DEFINITION_ORIGIN_WORDS}`,
    ),
  ),
})
export type CollectionEvent = Static<typeof CollectionEvent>

const EventChoice = namedInput('EventChoice', {
  events: Type.Optional(Type.Array(IdOrName, { description: 'One or more CEIDs or event names.' })),
  all: OptionalFlag('True: all events of the equipment. Use it instead of `events`.'),
})

const EventsSwitched = named('EventsSwitched', Acknowledged('erack'))

const ByEvent = Type.Object({ id: Id, ceid: IdOrName })
const ByReport = Type.Object({ id: Id, rptid: IdOrName })

const ReportValues = Type.Object({ rptid: Text('RPTID.'), values: Type.Array(NamedValue) })
type ReportValues = Static<typeof ReportValues>

const EventReport = named('EventReport', {
  ceid: Text('CEID.'),
  name: ListedName,
  reports: Type.Array(ReportValues, { description: 'The reports linked to the event.' }),
  ...Recorded,
})

const RequestedReport = Type.Object({ ...ReportValues.properties, ...Recorded })

const REPORT: ReportValues = {
  rptid: '1',
  values: [{ id: '1101', name: 'LotID', unit: '', value: { A: 'L1' }, text: 'L1' }],
}

export const collectionEventEndpoints = {
  listCollectionEvents: endpoint('GET /equipment/{id}/collection-events', {
    ...READS,
    tag: 'collection-events',
    summary: 'List the collection events of the equipment',
    description: 'Sends S1F23. The response has all events in one page.',
    query: NamelistQuery,
    reply: Page(CollectionEvent),
    examples: {
      reply: onePage([
        {
          id: '3010',
          name: 'ProcessingStarted',
          variables: ['1101', '1102'],
          variable_names: ['LotID', null],
          enabled: true,
          reports: ['1'],
          origin: 'gateway' as const,
        },
      ]),
    },
  }),
  enableCollectionEvents: endpoint('POST /equipment/{id}/collection-events/enable', {
    ...WRITES,
    tag: 'collection-events',
    summary: 'Enable collection events',
    description:
      'Sends S2F37 with CEED true, which enables all of the events or none. If the equipment refuses, the response is 200 with `accepted` false.',
    body: EventChoice,
    reply: EventsSwitched,
    errors: NAMED_ERRORS,
    audited: ['events', 'all'],
    examples: {
      body: { events: ['ProcessingStarted', '3011'] },
      reply: acknowledgedAs('erack', 61),
    },
  }),
  disableCollectionEvents: endpoint('POST /equipment/{id}/collection-events/disable', {
    ...WRITES,
    tag: 'collection-events',
    summary: 'Disable collection events',
    description:
      'Sends S2F37 with CEED false, which disables all of the events or none. If the equipment refuses, the response is 200 with `accepted` false.',
    body: EventChoice,
    reply: EventsSwitched,
    errors: NAMED_ERRORS,
    audited: ['events', 'all'],
    examples: {
      body: { all: true },
      reply: { accepted: false, erack: 1, erack_text: 'no such event', ...recordedAs(61) },
    },
  }),
  requestEventReport: endpoint('GET /equipment/{id}/collection-events/{ceid}/report', {
    ...READS,
    tag: 'collection-events',
    summary: 'Request the reports of a collection event',
    description:
      'Sends S6F15; the response has the values that the event would report now. `ceid` may be the name of the event. Values have ids and names if their report was defined (S2F33) through this gateway.',
    params: ByEvent,
    reply: EventReport,
    errors: NAMED_ERRORS,
    examples: {
      reply: { ceid: '3010', name: 'ProcessingStarted', reports: [REPORT], ...recordedAs(61) },
    },
  }),
  requestReport: endpoint('GET /equipment/{id}/reports/{rptid}/values', {
    ...READS,
    tag: 'reports',
    summary: 'Request one report',
    description:
      'Sends S6F19. Values have ids and names if the report was defined (S2F33) through this gateway. `values` is empty if the equipment does not know the report.',
    params: ByReport,
    reply: RequestedReport,
    examples: { reply: { ...REPORT, ...recordedAs(61) } },
  }),
} as const
