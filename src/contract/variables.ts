import { type Static, Type } from 'typebox'
import { Timeout } from './messages.js'
import { oneOf } from './schema.js'
import { IdOrName } from './values.js'

const VARIABLE_KINDS = ['status', 'data'] as const

export const Variable = Type.Object({
  id: Type.String({ description: 'SVID of a status variable, VID of a data variable.' }),
  name: Type.String(),
  unit: Type.String({ description: 'Empty for none.' }),
  kind: oneOf(VARIABLE_KINDS),
})
export type Variable = Static<typeof Variable>

const Known = {
  known: Type.Optional(
    Type.Boolean({ description: 'What the equipment has told already, now or before: nothing is asked.' }),
  ),
}

/** How a list is asked for of which the gateway keeps what it was told. */
export const NamelistQuery = Type.Object({ ...Known, ...Timeout }, { additionalProperties: false })
export type NamelistQuery = Static<typeof NamelistQuery>

export const VariableQuery = Type.Object(
  { kind: Type.Optional(oneOf(VARIABLE_KINDS, '`status` unless given.')), ...Known, ...Timeout },
  { additionalProperties: false },
)
export type VariableQuery = Static<typeof VariableQuery>

export const ValueQuery = Type.Object(
  {
    id: Type.Optional(
      Type.Array(IdOrName, { description: 'Id or name; may be given more than once. All when left out.' }),
    ),
    ...Timeout,
  },
  { additionalProperties: false },
)
export type ValueQuery = Static<typeof ValueQuery>
