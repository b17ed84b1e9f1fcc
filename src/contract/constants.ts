import { type Static, Type } from 'typebox'
import { nullable } from './schema.js'
import { Code, Recorded } from './values.js'

const Bound = (description: string) => nullable(Type.String({ description }))

export const Constant = Type.Object({
  id: Type.String({ description: 'ECID.' }),
  name: Type.String(),
  unit: Type.String({ description: 'Empty for none.' }),
  minimum: Bound('ECMIN in decimal; null where the equipment tells none.'),
  maximum: Bound('ECMAX in decimal; null where the equipment tells none.'),
  default: Bound('ECDEF as text; null where the equipment tells none.'),
})
export type Constant = Static<typeof Constant>

export const ConstantsChange = Type.Object(
  {
    values: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'By id or name: a string, number or boolean, or several in an array, which are sent in the format that the constant has now (several bytes may be one string such as `0x01ff`), or a typed item, which is sent as it is.',
    }),
  },
  { additionalProperties: false },
)
export type ConstantsChange = Static<typeof ConstantsChange>

export const ConstantsChanged = Type.Object({
  accepted: Type.Boolean({ description: 'True for EAC 0.' }),
  eac: Code('EAC.'),
  eac_text: Type.String(),
  ...Recorded,
})
export type ConstantsChanged = Static<typeof ConstantsChanged>
