import { type Static, Type } from 'typebox'
import { Timeout } from './messages.js'
import { oneOf } from './schema.js'
import { IdOrName } from './values.js'

const VARIABLE_KINDS = ['status', 'data'] as const

export const Variable = Type.Object({
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

export const VariableQuery = Type.Object(
  { kind: Type.Optional(oneOf(VARIABLE_KINDS, 'Default: `status`.')), ...Known, ...Timeout },
  { additionalProperties: false },
)
export type VariableQuery = Static<typeof VariableQuery>

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
