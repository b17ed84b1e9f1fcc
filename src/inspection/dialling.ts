import type { Equipment } from '../contract/equipment.js'

type Reached = Pick<Equipment, 'gateway_role' | 'ip_address' | 'port'>

/** Which side dials, in one sentence: a frequent fault is that both sides listen. */
export function whoDials({ gateway_role, ip_address, port }: Reached): string {
  return gateway_role === 'active'
    ? `The equipment listens at ${ip_address}:${port}, and the gateway dials it.`
    : `The equipment dials in from ${ip_address}, and the gateway listens on port ${port}.`
}

/** The state of an equipment in a few words. */
export function standing({
  connection_state,
  communication_state,
  control_state,
  enabled,
}: Equipment): string {
  if (!enabled && connection_state === 'NOT_CONNECTED') return 'not connected, and not meant to be'
  if (connection_state !== 'SELECTED') return connection_state
  return communication_state === 'COMMUNICATING' ? `communicating, ${control_state}` : communication_state
}
