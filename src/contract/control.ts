import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.js'
import { CONTROL_STATES } from './equipment.js'
import { WRITES } from './messages.js'
import { oneOf } from './schema.js'
import { Code, Recorded, recordedAs } from './values.js'

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

export const controlEndpoints = {
  goOnline: endpoint('POST /equipment/{id}/online', {
    ...WRITES,
    tag: 'equipment',
    summary: 'Request the equipment to go online',
    description:
      'Sends S1F17. When the equipment is online, the gateway sends the requests that it could not send before. If the equipment refuses, the answer is 200 with `accepted` false.',
    access: 'operator',
    reply: WentOnline,
    examples: {
      reply: {
        accepted: true,
        onlack: 0,
        onlack_text: 'accepted',
        control_state: 'ONLINE_REMOTE',
        ...recordedAs(61),
      },
    },
  }),
  goOffline: endpoint('POST /equipment/{id}/offline', {
    ...WRITES,
    tag: 'equipment',
    summary: 'Request the equipment to go offline',
    description: 'Sends S1F15. If the equipment refuses, the answer is 200 with `accepted` false.',
    access: 'operator',
    reply: WentOffline,
    examples: {
      reply: {
        accepted: true,
        oflack: 0,
        oflack_text: 'accepted',
        control_state: 'HOST_OFFLINE',
        ...recordedAs(61),
      },
    },
  }),
} as const
