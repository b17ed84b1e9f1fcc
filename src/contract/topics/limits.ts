import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.js'
import { NAMED_ERRORS } from '../errors.js'
import {
  ById,
  Byte,
  input,
  NullableText,
  named,
  namedInput,
  nullable,
  onePage,
  Page,
  Text,
} from '../schema.js'
import { Acknowledged, acknowledgedAs, Code, IdOrName, ListedName } from '../values.js'
import { READS, Timeout, type TypedItem, WRITES } from './messages.js'

const LimitId = Byte('LIMITID. GEM has 1 to 7.')

const Variables = {
  id: Type.Optional(
    Type.Array(IdOrName, { description: 'VID or name of a variable; may be repeated. Default: all.' }),
  ),
}

export const VariableLimits = named('VariableLimits', {
  id: Text('VID.'),
  name: ListedName,
  unit: NullableText('UNITS; null where the equipment gives no limit attributes of the variable.'),
  minimum: NullableText('LIMITMIN in decimal: no limit may be lower.'),
  maximum: NullableText('LIMITMAX in decimal: no limit may be higher.'),
  limits: nullable(
    Type.Array(
      Type.Object({
        limit_id: LimitId,
        lower: Text('LOWERDB in decimal: at this value or below, the value is below the limit.'),
        upper: Text('UPPERDB in decimal: at this value or above, the value is above the limit.'),
      }),
      {
        description:
          'The limits that are defined. Null where the equipment gives no limit attributes: it does not have the variable, or the variable cannot have limits.',
      },
    ),
  ),
})
export type VariableLimits = Static<typeof VariableLimits>

const Bound = (name: string) =>
  Type.Unsafe<string | number | TypedItem>({
    anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'object', additionalProperties: true }],
    description: `${name}: a string or number, sent in the SECS-II format that the equipment gives for LIMITMAX of the variable, or a typed item, such as {"F4":[80]}, sent unchanged.`,
  })

export const NewLimit = namedInput('NewLimit', {
  variable: Type.String({ ...IdOrName, description: 'VID or name of the variable.' }),
  limit_id: LimitId,
  lower: Bound('LOWERDB'),
  upper: Bound('UPPERDB'),
})
export type NewLimit = Static<typeof NewLimit>

const LimitFault = named('LimitFault', {
  id: Text('VID.'),
  name: ListedName,
  lvack: Code('LVACK.'),
  lvack_text: Type.String(),
  limit_id: nullable(LimitId),
  limitack: nullable(Code('LIMITACK; null where the equipment names no limit.')),
  limitack_text: NullableText('What LIMITACK means.'),
})
export type LimitFault = Static<typeof LimitFault>

const LimitsChanged = named('LimitsChanged', {
  ...Acknowledged('vlaack'),
  faults: Type.Array(LimitFault, { description: 'What the equipment refused; empty where it accepted.' }),
})

const ACCEPTED = { ...acknowledgedAs('vlaack', 61), faults: [] }

export const limitEndpoints = {
  listLimits: endpoint('GET /equipment/{id}/limits', {
    ...READS,
    tag: 'limits',
    summary: 'List the limits of variables',
    description:
      'Sends S2F47, and S1F11 before it if names are needed. The response has all of them in one page: without `id`, the variables that can have limits.',
    query: input({ ...Variables, ...Timeout }),
    reply: Page(VariableLimits),
    errors: NAMED_ERRORS,
    examples: {
      reply: onePage<VariableLimits>([
        {
          id: '1010',
          name: 'ChamberPressure',
          unit: 'mtorr',
          minimum: '0',
          maximum: '200',
          limits: [{ limit_id: 1, lower: '75', upper: '80' }],
        },
      ]),
    },
  }),
  setLimits: endpoint('PUT /equipment/{id}/limits', {
    ...WRITES,
    tag: 'limits',
    summary: 'Define limits of variables',
    description:
      'Sends S2F45, which defines all of the limits or none. S2F47 is sent before it, to find the formats of the values, unless all values are typed items. Other limits stay as they are. If the equipment refuses, the response is 200 with `accepted` false, and `faults` has the reasons. A crossed limit is reported by the collection event that the equipment has for it.',
    body: namedInput('LimitsChange', {
      limits: Type.Array(NewLimit, {
        description: 'One or more limits, also of several variables.',
      }),
    }),
    reply: LimitsChanged,
    errors: NAMED_ERRORS,
    audited: ['limits'],
    examples: {
      body: { limits: [{ variable: 'ChamberPressure', limit_id: 1, lower: 75, upper: 80 }] },
      reply: ACCEPTED,
    },
  }),
  clearLimits: endpoint('DELETE /equipment/{id}/limits', {
    ...WRITES,
    tag: 'limits',
    summary: 'Delete limits of variables',
    description:
      'Sends S2F45. Without `id`, all limits of all variables are deleted; with `id`, those of these variables; with one `id` and `limit_id`, that limit. If the equipment refuses, the response is 200 with `accepted` false, and `faults` has the reasons.',
    params: ById,
    query: input({ ...Variables, limit_id: Type.Optional(LimitId), ...Timeout }),
    reply: LimitsChanged,
    errors: NAMED_ERRORS,
    examples: { reply: ACCEPTED },
  }),
} as const
