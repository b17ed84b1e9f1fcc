import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.js'
import { NAMED_ERRORS } from '../errors.js'
import {
  ById,
  input,
  NullableText,
  named,
  namedInput,
  nullable,
  OptionalFlag,
  oneOf,
  onePage,
  Page,
  Paging,
  Text,
  Time,
  TimeRange,
} from '../schema.js'
import { Acknowledged, acknowledgedAs, IdOrName, NamedValue } from '../values.js'
import { READS, Timeout, WRITES } from './messages.js'

const VARIABLE_KINDS = ['status', 'data'] as const

export const Variable = named('Variable', {
  id: Text('SVID of a status variable, VID of a data variable.'),
  name: Type.String(),
  unit: Text('Empty if there is no unit.'),
  kind: oneOf(VARIABLE_KINDS),
})
export type Variable = Static<typeof Variable>

const Known = {
  known: OptionalFlag(
    'True: return the list that the gateway already has, and send nothing to the equipment.',
  ),
}

/** Query of a list that the gateway stores after it has received it from the equipment. */
export const NamelistQuery = input({ ...Known, ...Timeout })
export type NamelistQuery = Static<typeof NamelistQuery>

const VariableQuery = input({
  kind: Type.Optional(oneOf(VARIABLE_KINDS, 'Default: `status`.')),
  ...Known,
  ...Timeout,
})

const ValueQuery = input({
  id: Type.Optional(
    Type.Array(IdOrName, { description: 'SVID, ECID or name; may be repeated. Default: all.' }),
  ),
  ...Timeout,
})

/** Where a recorded value comes from: a report of a collection event, a sample of a trace, a reply to S1F3. */
const VALUE_SOURCES = ['report', 'trace', 'reading'] as const

export const RecordedValue = named('RecordedValue', {
  at: Time('When the message with the value was received.'),
  sampled_at: NullableText(
    "Of a sample of a trace: when it was taken by the equipment's clock (ISO 8601, with an offset if STIME has one).",
  ),
  ...NamedValue.properties,
  source: oneOf(
    VALUE_SOURCES,
    '`report`: of a collection event. `trace`: sample of a trace (S6F1). `reading`: reply to S1F3.',
  ),
  event: NullableText('Of a report: name of the collection event, or its CEID if the name is not known.'),
  message_id: Text('Id of the recorded message.'),
})
export type RecordedValue = Static<typeof RecordedValue>

const HistoryQuery = input({
  id: Type.Optional(
    Type.Array(IdOrName, {
      description:
        'VID, SVID, name, or a pattern of names such as `Chamber*`; may be repeated. Default: all variables.',
    }),
  ),
  ...TimeRange,
  ...Paging,
})
export type HistoryQuery = Static<typeof HistoryQuery>

export const VariableHistory = named('VariableHistory', {
  ...Page(RecordedValue).properties,
  unread: Type.Integer({
    minimum: 0,
    description:
      'Number of messages on this page with values that are left out because their variables are not known: the definition of the report or trace is older than the journal, or S1F3 asked for all variables without naming them.',
  }),
})
export type VariableHistory = Static<typeof VariableHistory>

export const variableEndpoints = {
  listVariables: endpoint('GET /equipment/{id}/variables', {
    ...READS,
    tag: 'variables',
    summary: 'List the variables of the equipment',
    description:
      'Sends S1F11 for status variables, S1F21 for data variables. The response has all of them in one page.',
    query: VariableQuery,
    reply: Page(Variable),
    examples: {
      reply: onePage<Variable>([{ id: '1010', name: 'ChamberPressure', unit: 'mtorr', kind: 'status' }]),
    },
  }),
  listVariableHistory: endpoint('GET /equipment/{id}/variables/history', {
    tag: 'variables',
    summary: 'List recorded values of variables',
    description:
      'Values that the equipment has sent before, from reports (S6F11, S6F13, S6F16, S6F18), samples of traces (S6F1) and replies to S1F3 in the journal. Nothing is sent. Each value belongs to the variable that the report or trace had when the message came; names and units are those that are known now. A page is never cut within a message, so that it can have more than `limit` values if one message has more. It may have fewer, or none, although more pages follow: each call examines at most 5,000 messages.',
    access: 'viewer',
    params: ById,
    query: HistoryQuery,
    reply: VariableHistory,
    errors: ['equipment_not_found', 'name_not_found', 'invalid_message', 'invalid_cursor', 'cursor_expired'],
    examples: {
      reply: {
        items: [
          {
            at: '2026-01-31T08:00:00.000Z',
            sampled_at: null,
            id: '1010',
            name: 'ChamberPressure',
            unit: 'mtorr',
            value: { F4: [12.5] },
            text: '12.5',
            source: 'report',
            event: 'ProcessingCompleted',
            message_id: '41',
          },
        ],
        next_cursor: null,
        unread: 0,
      },
    },
  }),
  readVariables: endpoint('GET /equipment/{id}/variables/values', {
    ...READS,
    tag: 'variables',
    summary: 'Read status variables',
    description:
      'Sends S1F3, and S1F11 before it if names are needed. `value` is null if the equipment does not know the id. Data variables are refused: they have values only in reports.',
    query: ValueQuery,
    reply: Page(NamedValue),
    errors: NAMED_ERRORS,
    examples: {
      reply: onePage([
        { id: '1010', name: 'ChamberPressure', unit: 'mtorr', value: { F4: [12.5] }, text: '12.5' },
      ]),
    },
  }),
} as const

const Bound = (description: string) => nullable(Type.String({ description }))

export const Constant = named('Constant', {
  id: Text('ECID.'),
  name: Type.String(),
  unit: Text('Empty if there is no unit.'),
  minimum: Bound('ECMIN in decimal; null if the equipment does not give one.'),
  maximum: Bound('ECMAX in decimal; null if the equipment does not give one.'),
  default: Bound('ECDEF as text; null if the equipment does not give one.'),
})
export type Constant = Static<typeof Constant>

const ConstantsChange = namedInput('ConstantsChange', {
  values: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'New values by ECID or name. A string, number or boolean, or an array of them, is sent in the SECS-II format that the constant has now; several bytes may be one string such as `0x01ff`. A typed item is sent unchanged.',
  }),
})

const ConstantsChanged = named('ConstantsChanged', Acknowledged('eac'))

export const constantEndpoints = {
  listConstants: endpoint('GET /equipment/{id}/constants', {
    ...READS,
    tag: 'constants',
    summary: 'List the equipment constants',
    description: 'Sends S2F29. The response has all constants in one page.',
    query: NamelistQuery,
    reply: Page(Constant),
    examples: {
      reply: onePage([
        { id: '2002', name: 'RFPowerLimit', unit: 'W', minimum: '0', maximum: '2000', default: '1500' },
      ]),
    },
  }),
  readConstants: endpoint('GET /equipment/{id}/constants/values', {
    ...READS,
    tag: 'constants',
    summary: 'Read equipment constants',
    description:
      'Sends S2F13, and S2F29 before it if names are needed. `value` is null if the equipment does not know the id.',
    query: ValueQuery,
    reply: Page(NamedValue),
    errors: NAMED_ERRORS,
    examples: {
      reply: onePage([{ id: '2002', name: 'RFPowerLimit', unit: 'W', value: { U2: [1500] }, text: '1500' }]),
    },
  }),
  writeConstants: endpoint('PUT /equipment/{id}/constants', {
    ...WRITES,
    tag: 'constants',
    summary: 'Change equipment constants',
    description:
      'Sends S2F15, which changes all of the constants or none. S2F13 is sent before it, to find the formats of the constants. If the equipment refuses, the response is 200 with `accepted` false.',
    body: ConstantsChange,
    reply: ConstantsChanged,
    errors: NAMED_ERRORS,
    audited: ['values'],
    examples: {
      body: { values: { RFPowerLimit: 1200, '2003': { A: 'READY' } } },
      reply: acknowledgedAs('eac', 61),
    },
  }),
} as const
