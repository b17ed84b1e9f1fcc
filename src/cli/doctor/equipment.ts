import type { GatewayClient } from '../../client/client.js'
import { endpoints } from '../../contract/endpoints.js'
import type { Equipment } from '../../contract/equipment.js'
import { tapAdvice } from '../../contract/tap-words.js'
import { reportsCommand } from '../../inspection/applied-reports.js'
import { addressText, standing } from '../../inspection/dialling.js'
import { argumentWord } from '../../kit/shell-word.js'
import type { FormatTime } from '../output/local-time.js'
import { type Finding, inArea } from './finding.js'
import { askedTwice } from './patience.js'

const area = inArea('equipment')

function finding(equipment: Equipment, formatTime: FormatTime): Finding {
  const { name, health, health_reason, connection_state, control_state, last_error } = equipment
  const stands = standing(equipment)
  if (!equipment.enabled) return area.ok(name, stands)
  if (equipment.communication_state !== 'COMMUNICATING') {
    const advice = tapAdvice(equipment, formatTime)
    if (advice)
      return area.wrong(
        'equipment',
        name,
        `${stands}. ${advice.text}`,
        `secsctl ${advice.command.replace('EQ', argumentWord(name))}`,
      )
    const why = last_error ? `: ${last_error.detail} (${formatTime(last_error.at)})` : ''
    const { mode, transport } = equipment
    const isDialled = mode === 'passive' && transport !== 'secs1-serial' && connection_state !== 'SELECTED'
    // What keeps the gateway from it is seen best at its address.
    const mend = isDialled
      ? `secsctl equipment test ${addressText(equipment)}`
      : `secsctl ${last_error ? `explain ${last_error.code}` : `equipment show ${argumentWord(name)}`}`
    return area.wrong('equipment', name, `${stands}${why}`, mend)
  }
  if (health_reason !== null) {
    const detail = `${health}, ${health_reason}`
    const word = argumentWord(name)
    const reports = reportsCommand(health_reason, name)
    if (reports !== undefined) return area.wrong('equipment', name, detail, reports)
    const check = `secsctl equipment check ${word}`
    return health === 'failing'
      ? area.wrong('equipment', name, detail, check)
      : area.note(name, detail, check)
  }
  const { tap, tap_link } = equipment
  if (tap_link && tap_link.refused > 0 && tap_link.last_refused) {
    const { address, at } = tap_link.last_refused
    const detail = `${stands}; connections that its tap refused: ${tap_link.refused}, the last from ${address} at ${formatTime(at)}`
    return area.note(name, detail, `secsctl equipment show ${argumentWord(name)}`)
  }
  // The host of tapped equipment asks it to go online.
  if (tap && !tap.writes) return area.ok(name, stands)
  if (control_state === 'EQUIPMENT_OFFLINE' || control_state === 'HOST_OFFLINE')
    return area.note(name, stands, `secsctl equipment online ${argumentWord(name)}`)
  return area.ok(name, stands)
}

/** Equipment to which the gateway connects at the address of another one. */
function sharedAddresses(all: readonly Equipment[]): readonly Finding[] {
  const names = new Map<string, string>()
  return all.flatMap((one) => {
    const { name, mode } = one
    const address = addressText(one)
    const first = names.get(address)
    if (mode === 'active') return []
    if (first === undefined) {
      names.set(address, name)
      return []
    }
    const detail = `it has the address of ${first}, ${address}, and most equipment accepts one connection`
    return [area.note(name, detail, `secsctl equipment show ${argumentWord(first)}`)]
  })
}

/** Where each equipment stands, and what went wrong last with one that should be there and is not. */
export async function equipmentFindings(
  client: GatewayClient,
  formatTime: FormatTime,
  isStandby: boolean,
): Promise<readonly Finding[]> {
  try {
    const { items } = await askedTwice(() => client.call(endpoints.listEquipment, { query: {} }))
    if (isStandby && items.length > 0)
      return [area.ok('standby', `${items.length} equipment, which this gateway does not connect to`)]
    if (items.length > 0)
      return [...items.map((equipment) => finding(equipment, formatTime)), ...sharedAddresses(items)]
    return [area.ok('none', 'no equipment is registered', 'secsctl equipment add NAME --address HOST:PORT')]
  } catch (error) {
    return [area.failed('list', error)]
  }
}
