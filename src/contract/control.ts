import { type Static, Type } from 'typebox'
import { CONTROL_STATES } from './equipment.js'
import { oneOf } from './schema.js'
import { Code, Recorded } from './values.js'

const ControlState = oneOf(
  CONTROL_STATES,
  'The control state after the call. To find out whether online means local or remote, the gateway asks the equipment and waits at most 5 seconds before it answers.',
)

export const WentOnline = Type.Object({
  accepted: Type.Boolean({ description: 'True for ONLACK 0 (accepted) and 2 (already online).' }),
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
