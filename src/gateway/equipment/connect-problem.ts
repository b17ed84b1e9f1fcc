import { CONNECTION_FAULTS } from '../../contract/connection-faults.js'
import type { Equipment } from '../../contract/equipment.js'
import { Problem } from '../../contract/errors.js'
import { tapAdvice } from '../../contract/tap-words.js'

/** Thrown by a connect that waited: the equipment does not communicate yet. It stays wanted, and is tried again. */
export function notConnectedInTime(equipment: Equipment, seconds: number): Problem {
  const { name, connection_state, communication_state, ip_address, port } = equipment
  const place = ip_address === null ? '' : ` (${ip_address}, port ${port})`
  const state = `${name}${place} is ${connection_state} and ${communication_state} after ${seconds} s.`
  return new Problem('not_connected_in_time', `${state} ${remedyOf(equipment)} The gateway keeps trying.`)
}

/** What to change, in the second line of the text about the last error. */
function remedyOf(equipment: Equipment): string {
  const { last_error: last, connection_state, communication_state, timers } = equipment
  const { ip_address, port } = equipment
  const tapped = tapAdvice(equipment, String)
  if (tapped) return tapped.text
  if (last) {
    const [, remedy = ''] = CONNECTION_FAULTS[last.code].split('\n')
    return `Last error: ${last.code}, ${last.detail}. ${remedy.trim()}`
  }
  if (connection_state === 'LISTENING')
    return `It has to connect to port ${port} of the gateway, from ${ip_address}.`
  if (communication_state === 'WAIT_CRA')
    return `S1F13 was sent, and has had no reply yet; T3 is ${timers.t3} s.`
  return 'Wait longer.'
}
