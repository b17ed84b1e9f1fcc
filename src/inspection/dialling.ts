import type { Equipment } from '../contract/equipment.js'

type Placed = Partial<Pick<Equipment, 'ip_address' | 'port' | 'serial_port'>>
type Reached = Placed & Pick<Equipment, 'gateway_role'> & Partial<Pick<Equipment, 'tap'>>

/** Where equipment is: `address:port`, or its serial port. */
export const addressText = ({ ip_address, port, serial_port = null }: Placed): string =>
  serial_port ?? `${ip_address}:${port}`

/** Which side dials, in one sentence: a frequent fault is that both sides listen. */
export function whoDials({
  gateway_role,
  ip_address,
  port,
  serial_port = null,
  tap = null,
}: Reached): string {
  if (serial_port !== null) return `The equipment is at the serial port ${serial_port} of the gateway.`
  if (tap)
    return gateway_role === 'active'
      ? `Its host ${tap.host_address} dials port ${tap.listen_port} of the gateway, which then dials the equipment at ${ip_address}:${port}.`
      : `The equipment dials port ${port} of the gateway from ${ip_address}, and the gateway then dials its host at ${tap.host_address}:${tap.host_port}.`
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
