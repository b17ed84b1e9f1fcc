import type { GatewayClient } from '../../client/client.js'
import { endpoints } from '../../contract/endpoints.js'
import type { Equipment, NewEquipment } from '../../contract/equipment.js'
import { addressText } from '../../inspection/dialling.js'
import { callsAtOnce } from '../equipment/calls-at-once.js'
import { Failure } from '../errors/failure.js'

/** A fleet's equipment as it is registered at a gateway. */
export type FleetMember = Pick<
  NewEquipment,
  'name' | 'ip_address' | 'port' | 'mode' | 'device_id' | 'transport'
>

/**
 * Registers the members that the gateway does not know, and has it connect to all, or to those whose turn came
 * before `signal` aborts. Resolves with their ids. A name that stands for another address is a `Failure` of the kind `state`, and nothing is changed then.
 */
export async function connectFleet(
  client: GatewayClient,
  members: readonly FleetMember[],
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const { items } = await client.call(endpoints.listEquipment, { query: {} })
  const known = new Map<string, Equipment>(items.map((equipment) => [equipment.name, equipment]))
  for (const { name, ip_address, port, mode, transport = 'hsms' } of members) {
    const other = known.get(name)
    if (!other) continue
    // A gateway of an older version has HSMS alone.
    const spoken = other.transport ?? 'hsms'
    const isSame = other.ip_address === ip_address && other.port === port && other.mode === mode
    if (isSame && spoken === transport) continue
    const means = spoken === 'hsms' ? other.mode : `${other.mode}, ${spoken}`
    throw new Failure(
      'state',
      `${name} is registered already, at ${addressText(other)} (${means})`,
      'another --name for this fleet',
    )
  }
  const connect = async (member: FleetMember): Promise<string> => {
    const { id } =
      known.get(member.name) ?? (await client.call(endpoints.createEquipment, { body: { ...member } }))
    await client.call(endpoints.connectEquipment, { params: { id }, query: { wait: 0 } })
    return id
  }
  return callsAtOnce(members, connect, signal)
}

export const disconnectFleet = (
  client: GatewayClient,
  ids: readonly string[],
): Promise<readonly Equipment[]> =>
  callsAtOnce(ids, (id) => client.call(endpoints.disconnectEquipment, { params: { id } }))
