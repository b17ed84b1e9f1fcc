import {
  ByEvent,
  ByReport,
  CollectionEvent,
  EventChoice,
  EventReport,
  EventsSwitched,
  RequestedReport,
} from './collection-events.js'
import { Constant, ConstantsChange, ConstantsChanged } from './constants.js'
import { WentOffline, WentOnline } from './control.js'
import { endpoint } from './endpoint.js'
import { AlarmChoice, AlarmsSwitched, EquipmentAlarm } from './equipment-alarms.js'
import { EquipmentClock, NewTime, TimeSet } from './equipment-clock.js'
import { NAMED_ERRORS, TRANSACTION_ERRORS } from './errors.js'
import { SendQuery } from './messages.js'
import { ById, Page } from './schema.js'
import { TerminalText, TerminalTextSent } from './terminal.js'
import { NamedValue } from './values.js'
import { NamelistQuery, ValueQuery, Variable, VariableQuery } from './variables.js'

/** A call that reads from the equipment and changes nothing in it. */
const READS = { params: ById, query: SendQuery, access: 'viewer', errors: TRANSACTION_ERRORS } as const

/** A call that changes something in the equipment. */
const WRITES = {
  params: ById,
  query: SendQuery,
  access: 'engineer',
  idempotent: true,
  errors: TRANSACTION_ERRORS,
} as const

/** GEM services of one equipment (SEMI E30). Each call makes one or two transactions with the equipment. */
export const serviceEndpoints = {
  goOnline: endpoint(
    'POST /equipment/{id}/online',
    'equipment',
    'Request the equipment to go online',
    WentOnline,
    {
      ...WRITES,
      access: 'operator',
      description:
        'Sends S1F17. When the equipment is online, the gateway sends the requests that it could not send before. If the equipment refuses, the answer is 200 with `accepted` false.',
    },
  ),
  goOffline: endpoint(
    'POST /equipment/{id}/offline',
    'equipment',
    'Request the equipment to go offline',
    WentOffline,
    {
      ...WRITES,
      access: 'operator',
      description: 'Sends S1F15. If the equipment refuses, the answer is 200 with `accepted` false.',
    },
  ),

  listVariables: endpoint(
    'GET /equipment/{id}/variables',
    'variables',
    'List the variables of the equipment',
    Page(Variable),
    {
      ...READS,
      query: VariableQuery,
      description:
        'Sends S1F11 for status variables, S1F21 for data variables. The answer has all of them in one page.',
    },
  ),
  readVariables: endpoint(
    'GET /equipment/{id}/variables/values',
    'variables',
    'Read status variables',
    Page(NamedValue),
    {
      ...READS,
      errors: NAMED_ERRORS,
      query: ValueQuery,
      description:
        'Sends S1F3, and S1F11 before it if names are needed. `value` is null if the equipment does not know the id. Data variables are refused: they have values only in reports.',
    },
  ),

  listConstants: endpoint(
    'GET /equipment/{id}/constants',
    'constants',
    'List the equipment constants',
    Page(Constant),
    { ...READS, query: NamelistQuery, description: 'Sends S2F29. The answer has all constants in one page.' },
  ),
  readConstants: endpoint(
    'GET /equipment/{id}/constants/values',
    'constants',
    'Read equipment constants',
    Page(NamedValue),
    {
      ...READS,
      errors: NAMED_ERRORS,
      query: ValueQuery,
      description:
        'Sends S2F13, and S2F29 before it if names are needed. `value` is null if the equipment does not know the id.',
    },
  ),
  writeConstants: endpoint(
    'PUT /equipment/{id}/constants',
    'constants',
    'Change equipment constants',
    ConstantsChanged,
    {
      ...WRITES,
      errors: NAMED_ERRORS,
      body: ConstantsChange,
      description:
        'Sends S2F15, which changes all of the constants or none. S2F13 is sent before it, to find the formats of the constants. If the equipment refuses, the answer is 200 with `accepted` false.',
    },
  ),

  listCollectionEvents: endpoint(
    'GET /equipment/{id}/collection-events',
    'collection-events',
    'List the collection events of the equipment',
    Page(CollectionEvent),
    { ...READS, query: NamelistQuery, description: 'Sends S1F23. The answer has all events in one page.' },
  ),
  enableCollectionEvents: endpoint(
    'POST /equipment/{id}/collection-events/enable',
    'collection-events',
    'Enable collection events',
    EventsSwitched,
    {
      ...WRITES,
      errors: NAMED_ERRORS,
      body: EventChoice,
      description:
        'Sends S2F37 with CEED true, which enables all of the events or none. If the equipment refuses, the answer is 200 with `accepted` false.',
    },
  ),
  disableCollectionEvents: endpoint(
    'POST /equipment/{id}/collection-events/disable',
    'collection-events',
    'Disable collection events',
    EventsSwitched,
    {
      ...WRITES,
      errors: NAMED_ERRORS,
      body: EventChoice,
      description:
        'Sends S2F37 with CEED false, which disables all of the events or none. If the equipment refuses, the answer is 200 with `accepted` false.',
    },
  ),
  requestEventReport: endpoint(
    'GET /equipment/{id}/collection-events/{ceid}/report',
    'collection-events',
    'Request the reports of a collection event',
    EventReport,
    {
      ...READS,
      errors: NAMED_ERRORS,
      params: ByEvent,
      description:
        'Sends S6F15; the answer has the values that the event would report now. `ceid` may be the name of the event. Values have ids and names if their report was defined (S2F33) through this gateway.',
    },
  ),
  requestReport: endpoint(
    'GET /equipment/{id}/reports/{rptid}/values',
    'reports',
    'Request one report',
    RequestedReport,
    {
      ...READS,
      params: ByReport,
      description:
        'Sends S6F19. Values have ids and names if the report was defined (S2F33) through this gateway. `values` is empty if the equipment does not know the report.',
    },
  ),

  getClock: endpoint('GET /equipment/{id}/clock', 'clock', 'Read the clock', EquipmentClock, {
    ...READS,
    description: 'Sends S2F17.',
  }),
  setClock: endpoint('PUT /equipment/{id}/clock', 'clock', 'Set the clock', TimeSet, {
    ...WRITES,
    body: NewTime,
    bodyOptional: true,
    description:
      'Sends S2F31. Without a body, the clock is set to the local time of the gateway. If the equipment refuses, the answer is 200 with `accepted` false.',
  }),

  sendTerminalText: endpoint(
    'POST /equipment/{id}/terminal',
    'terminal',
    'Display text on a terminal of the equipment',
    TerminalTextSent,
    {
      ...WRITES,
      body: TerminalText,
      description:
        'Sends S10F3 for `text`, S10F5 for `lines`; give exactly one of them. If the equipment refuses, the answer is 200 with `accepted` false.',
    },
  ),

  listEquipmentAlarms: endpoint(
    'GET /equipment/{id}/alarms',
    'alarms',
    'List the alarms that the equipment defines',
    Page(EquipmentAlarm),
    {
      ...READS,
      description:
        'Sends S5F5, and S5F7 to find which alarms are enabled. The answer has all alarms in one page. `GET /alarms` lists the alarms that were reported.',
    },
  ),
  enableAlarms: endpoint('POST /equipment/{id}/alarms/enable', 'alarms', 'Enable alarms', AlarmsSwitched, {
    ...WRITES,
    body: AlarmChoice,
    description:
      'Sends S5F3 for one alarm or for all alarms. If the equipment refuses, the answer is 200 with `accepted` false.',
  }),
  disableAlarms: endpoint('POST /equipment/{id}/alarms/disable', 'alarms', 'Disable alarms', AlarmsSwitched, {
    ...WRITES,
    body: AlarmChoice,
    description:
      'Sends S5F3 for one alarm or for all alarms. If the equipment refuses, the answer is 200 with `accepted` false.',
  }),
} as const
