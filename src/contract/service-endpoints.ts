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

/** A call that asks the equipment and changes nothing there. */
const READS = { params: ById, query: SendQuery, access: 'viewer', errors: TRANSACTION_ERRORS } as const

/** A call that changes something there. */
const WRITES = {
  params: ById,
  query: SendQuery,
  access: 'engineer',
  idempotent: true,
  errors: TRANSACTION_ERRORS,
} as const

/** GEM's services of one equipment (SEMI E30), each one transaction or two with it. */
export const serviceEndpoints = {
  goOnline: endpoint('POST /equipment/{id}/online', 'equipment', 'Have the equipment go online', WentOnline, {
    ...WRITES,
    access: 'operator',
    description:
      'S1F17. Once it is online the gateway asks what it could not ask before. A refusal is a 200 with `accepted` false.',
  }),
  goOffline: endpoint(
    'POST /equipment/{id}/offline',
    'equipment',
    'Have the equipment go offline',
    WentOffline,
    { ...WRITES, access: 'operator', description: 'S1F15. A refusal is a 200 with `accepted` false.' },
  ),

  listVariables: endpoint(
    'GET /equipment/{id}/variables',
    'variables',
    'List the variables of the equipment',
    Page(Variable),
    {
      ...READS,
      query: VariableQuery,
      description: 'S1F11 for status variables, S1F21 for data variables. All on one page.',
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
        'S1F3; S1F11 before it where names are needed. `value` is null where the equipment does not know the id. Data variables have values within reports alone, and are refused.',
    },
  ),

  listConstants: endpoint(
    'GET /equipment/{id}/constants',
    'constants',
    'List the equipment constants',
    Page(Constant),
    { ...READS, query: NamelistQuery, description: 'S2F29. All on one page.' },
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
        'S2F13; S2F29 before it where names are needed. `value` is null where the equipment does not know the id.',
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
        'S2F15, all or nothing. S2F13 goes before it, since plain values are sent in the formats that the constants have. A refusal is a 200 with `accepted` false.',
    },
  ),

  listCollectionEvents: endpoint(
    'GET /equipment/{id}/collection-events',
    'collection-events',
    'List the collection events of the equipment',
    Page(CollectionEvent),
    { ...READS, query: NamelistQuery, description: 'S1F23. All on one page.' },
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
      description: 'S2F37 with CEED true, all or nothing. A refusal is a 200 with `accepted` false.',
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
      description: 'S2F37 with CEED false, all or nothing. A refusal is a 200 with `accepted` false.',
    },
  ),
  requestEventReport: endpoint(
    'GET /equipment/{id}/collection-events/{ceid}/report',
    'collection-events',
    'Ask for the reports of a collection event',
    EventReport,
    {
      ...READS,
      errors: NAMED_ERRORS,
      params: ByEvent,
      description:
        'S6F15: what the event would report now. `ceid` may be a name. Values have ids and names where the definition of their report (S2F33) passed this gateway.',
    },
  ),
  requestReport: endpoint(
    'GET /equipment/{id}/reports/{rptid}/values',
    'reports',
    'Ask for one report',
    RequestedReport,
    {
      ...READS,
      params: ByReport,
      description:
        'S6F19. Values have ids and names where the definition of the report (S2F33) passed this gateway. An equipment that does not know the report sends no values.',
    },
  ),

  getClock: endpoint('GET /equipment/{id}/clock', 'clock', 'Read the clock', EquipmentClock, {
    ...READS,
    description: 'S2F17.',
  }),
  setClock: endpoint('PUT /equipment/{id}/clock', 'clock', 'Set the clock', TimeSet, {
    ...WRITES,
    body: NewTime,
    bodyOptional: true,
    description:
      "S2F31. Without a body, to the gateway's local time. A refusal is a 200 with `accepted` false.",
  }),

  sendTerminalText: endpoint(
    'POST /equipment/{id}/terminal',
    'terminal',
    'Show text at a terminal',
    TerminalTextSent,
    {
      ...WRITES,
      body: TerminalText,
      description:
        'S10F3 for `text`, S10F5 for `lines`: give one of them. A refusal is a 200 with `accepted` false.',
    },
  ),

  listEquipmentAlarms: endpoint(
    'GET /equipment/{id}/alarms',
    'alarms',
    'List the alarms that the equipment has',
    Page(EquipmentAlarm),
    {
      ...READS,
      description:
        'S5F5, and S5F7 for which of them are enabled. All on one page. What was reported so far is at `/alarms`.',
    },
  ),
  enableAlarms: endpoint('POST /equipment/{id}/alarms/enable', 'alarms', 'Enable alarms', AlarmsSwitched, {
    ...WRITES,
    body: AlarmChoice,
    description: 'S5F3, which names one alarm or all. A refusal is a 200 with `accepted` false.',
  }),
  disableAlarms: endpoint('POST /equipment/{id}/alarms/disable', 'alarms', 'Disable alarms', AlarmsSwitched, {
    ...WRITES,
    body: AlarmChoice,
    description: 'S5F3, which names one alarm or all. A refusal is a 200 with `accepted` false.',
  }),
} as const
