import { type Static, Type } from 'typebox'
import { CONTROL_STATES } from './equipment.js'
import { oneOf } from './schema.js'
import { Code, Recorded } from './values.js'

const ControlState = oneOf(
  CONTROL_STATES,
  'As far as it is known now: whether online is local or remote is asked for before this answers, and waited for 5 seconds at most.',
)

export const WentOnline = Type.Object({
  accepted: Type.Boolean({ description: 'True for ONLACK 0, and for 2: it was online already.' }),
  onlack: Code('ONLACK.'),
  onlack_text: Type.String(),
  control_state: ControlState,
  ...Recorded,
})
export type WentOnline = Static<typeof WentOnline>

export const WentOffline = Type.Object({
  accepted: Type.Boolean({ description: 'True for OFLACK 0.' }),
  oflack: Code('OFLACK.'),
  oflack_text: Type.String(),
  control_state: ControlState,
  ...Recorded,
})
export type WentOffline = Static<typeof WentOffline>
