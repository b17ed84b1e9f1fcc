import { Type } from 'typebox'
import { endpoint } from '../endpoint.js'
import { CONTROL_STATES } from '../equipment.js'
import { oneOf } from '../schema.js'
import { Acknowledged, acknowledgedAs } from '../values.js'
import { WRITES } from './messages.js'

const ControlState = oneOf(
  CONTROL_STATES,
  'The control state after the call. To find out whether online means local or remote, the gateway asks the equipment and waits at most 5 seconds before it responds.',
)

const WentOnline = Type.Object({
  ...Acknowledged('onlack', 'True for ONLACK 0 (accepted) and 2 (already online).'),
  control_state: ControlState,
})

const WentOffline = Type.Object({ ...Acknowledged('oflack'), control_state: ControlState })

export const controlEndpoints = {
  goOnline: endpoint('POST /equipment/{id}/online', {
    ...WRITES,
    tag: 'equipment',
    summary: 'Request the equipment to go online',
    description:
      'Sends S1F17. When the equipment is online, the gateway sends the requests that it could not send before. If the equipment refuses, the response is 200 with `accepted` false.',
    access: 'operator',
    reply: WentOnline,
    examples: { reply: { ...acknowledgedAs('onlack', 61), control_state: 'ONLINE_REMOTE' } },
  }),
  goOffline: endpoint('POST /equipment/{id}/offline', {
    ...WRITES,
    tag: 'equipment',
    summary: 'Request the equipment to go offline',
    description: 'Sends S1F15. If the equipment refuses, the response is 200 with `accepted` false.',
    access: 'operator',
    reply: WentOffline,
    examples: { reply: { ...acknowledgedAs('oflack', 61), control_state: 'HOST_OFFLINE' } },
  }),
} as const
