import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.js'
import { NAMED_ERRORS } from './errors.js'
import { READS, WRITES } from './messages.js'
import { named, nullable, onePage, Page } from './schema.js'
import { Acknowledged, acknowledgedAs, NamedValue } from './values.js'
import { NamelistQuery, ValueQuery } from './variables.js'

const Bound = (description: string) => nullable(Type.String({ description }))

export const Constant = named('Constant', {
  id: Type.String({ description: 'ECID.' }),
  name: Type.String(),
  unit: Type.String({ description: 'Empty if there is no unit.' }),
  minimum: Bound('ECMIN in decimal; null if the equipment does not give one.'),
  maximum: Bound('ECMAX in decimal; null if the equipment does not give one.'),
  default: Bound('ECDEF as text; null if the equipment does not give one.'),
})
export type Constant = Static<typeof Constant>

const ConstantsChange = named(
  'ConstantsChange',
  {
    values: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'New values by ECID or name. A string, number or boolean, or an array of them, is sent in the SECS-II format that the constant has now; several bytes may be one string such as `0x01ff`. A typed item is sent unchanged.',
    }),
  },
  { additionalProperties: false },
)

const ConstantsChanged = named('ConstantsChanged', {
  ...Acknowledged('eac'),
})

export const constantEndpoints = {
  listConstants: endpoint('GET /equipment/{id}/constants', {
    ...READS,
    tag: 'constants',
    summary: 'List the equipment constants',
    description: 'Sends S2F29. The answer has all constants in one page.',
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
      'Sends S2F15, which changes all of the constants or none. S2F13 is sent before it, to find the formats of the constants. If the equipment refuses, the answer is 200 with `accepted` false.',
    body: ConstantsChange,
    reply: ConstantsChanged,
    errors: NAMED_ERRORS,
    examples: {
      body: { values: { RFPowerLimit: 1200, '2003': { A: 'READY' } } },
      reply: { ...acknowledgedAs('eac', 61) },
    },
  }),
} as const
