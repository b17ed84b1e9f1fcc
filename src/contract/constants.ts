import { type Static, Type } from 'typebox'
import { nullable } from './schema.js'
import { Code, Recorded } from './values.js'

const Bound = (description: string) => nullable(Type.String({ description }))

export const Constant = Type.Object({
  id: Type.String({ description: 'ECID.' }),
  name: Type.String(),
  unit: Type.String({ description: 'Empty if there is no unit.' }),
  minimum: Bound('ECMIN in decimal; null if the equipment does not give one.'),
  maximum: Bound('ECMAX in decimal; null if the equipment does not give one.'),
  default: Bound('ECDEF as text; null if the equipment does not give one.'),
})
export type Constant = Static<typeof Constant>

export const ConstantsChange = Type.Object(
  {
    values: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'New values by ECID or name. A string, number or boolean, or an array of them, is sent in the SECS-II format that the constant has now; several bytes may be one string such as `0x01ff`. A typed item is sent unchanged.',
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
