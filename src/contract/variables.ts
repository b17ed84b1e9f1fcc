import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.js'
import { NAMED_ERRORS } from './errors.js'
import { READS, Timeout } from './messages.js'
import { named, oneOf, onePage, Page } from './schema.js'
import { IdOrName, NamedValue } from './values.js'

const VARIABLE_KINDS = ['status', 'data'] as const

export const Variable = named('Variable', {
  id: Type.String({ description: 'SVID of a status variable, VID of a data variable.' }),
  name: Type.String(),
  unit: Type.String({ description: 'Empty if there is no unit.' }),
  kind: oneOf(VARIABLE_KINDS),
})
export type Variable = Static<typeof Variable>

const Known = {
  known: Type.Optional(
    Type.Boolean({
      description:
        'True: answer from the list that the gateway already has, and send nothing to the equipment.',
    }),
  ),
}

/** Query of a list that the gateway stores after it has received it from the equipment. */
export const NamelistQuery = Type.Object({ ...Known, ...Timeout }, { additionalProperties: false })
export type NamelistQuery = Static<typeof NamelistQuery>

const VariableQuery = Type.Object(
  { kind: Type.Optional(oneOf(VARIABLE_KINDS, 'Default: `status`.')), ...Known, ...Timeout },
  { additionalProperties: false },
)

export const ValueQuery = Type.Object(
  {
    id: Type.Optional(
      Type.Array(IdOrName, { description: 'SVID, ECID or name; may be repeated. Default: all.' }),
    ),
    ...Timeout,
  },
  { additionalProperties: false },
)
export type ValueQuery = Static<typeof ValueQuery>

export const variableEndpoints = {
  listVariables: endpoint('GET /equipment/{id}/variables', {
    ...READS,
    tag: 'variables',
    summary: 'List the variables of the equipment',
    description:
      'Sends S1F11 for status variables, S1F21 for data variables. The answer has all of them in one page.',
    query: VariableQuery,
    reply: Page(Variable),
    examples: {
      reply: onePage<Variable>([{ id: '1010', name: 'ChamberPressure', unit: 'mtorr', kind: 'status' }]),
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
