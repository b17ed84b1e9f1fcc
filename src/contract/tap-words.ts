import type { ConnectionState, LastError } from './equipment.js'
import { tapPort } from './tap-port.js'
import type { Tap, TapLink } from './topics/equipment/equipment-tap.js'

/** What is known of equipment that may be tapped. An older gateway does not tell how a tap stands. */
export interface Tapped {
  readonly mode: string
  readonly ip_address: string | null
  readonly port: number | null
  readonly enabled: boolean
  readonly connection_state: ConnectionState
  readonly last_error: LastError | null
  readonly tap: Tap | null
  readonly tap_link?: TapLink | null
}

/** Writes a time for whoever reads it. */
type TimeText = (at: string | null) => string

/** The two sides of a tap as their addresses: who dials the gateway, and whom it dials then. */
function sidesOf({ mode, ip_address, port, tap }: Tapped & { readonly tap: Tap }) {
  const host = `its host ${tap.host_address}`
  return mode === 'passive'
    ? { caller: host, dialled: `the equipment ${ip_address}:${port}` }
    : { caller: `the equipment ${ip_address}`, dialled: `${host}:${tap.host_port}` }
}

/** Whether host and equipment are both connected. */
const isConnected = ({ connection_state, tap_link }: Tapped): boolean =>
  tap_link ? tap_link.state === 'connected' : ['NOT_SELECTED', 'SELECTED'].includes(connection_state)

/** How the tap of equipment stands, in a few words; empty without one. */
export function tapStanding(equipment: Tapped): string {
  const { tap, tap_link } = equipment
  if (!tap) return ''
  const host = `host ${tap.host_address}`
  if (isConnected(equipment)) return `${host} connected`
  if (tap_link?.state === 'closed' || equipment.connection_state === 'NOT_CONNECTED')
    return `${host} not connected: the tap is closed`
  if (tap_link?.state === 'unreached')
    return equipment.mode === 'passive'
      ? `${host} dials, the equipment does not take it`
      : `the equipment dials, ${host} does not take it`
  const waits = equipment.mode === 'passive' ? 'waits for it' : 'waits for the equipment'
  return `${host} not connected: ${waits} at port ${tapPort({ ...equipment, tap })}`
}

/** Whether a host works with tapped equipment: what ends the link cuts that host off. */
export const isTapInUse = ({ tap, connection_state }: Pick<Tapped, 'tap' | 'connection_state'>): boolean =>
  tap !== null && connection_state === 'SELECTED'

/** Why equipment whose tap is in use is not removed. */
export const tapInUseText = (name: string, tap: Tap | null): string =>
  `${name} is SELECTED: its host ${tap?.host_address} works with it through the gateway, and would be cut off`

/** Why host and equipment do not talk, and what to do. */
export interface TapAdvice {
  /** One to three sentences. */
  readonly text: string
  /** The command after `secsctl`, with `EQ` for the equipment. */
  readonly command: string
}

/** Why tapped equipment and its host do not talk; undefined where they do, are not meant to, or there is no tap. */
export function tapAdvice(equipment: Tapped, timeText: TimeText): TapAdvice | undefined {
  const { tap, tap_link, enabled, last_error } = equipment
  if (!tap || !enabled || equipment.connection_state === 'SELECTED') return undefined
  if (isConnected(equipment))
    return {
      text: 'Host and equipment are connected, and neither has selected the session.',
      command: 'wire tail EQ',
    }
  const { caller, dialled } = sidesOf({ ...equipment, tap })
  const port = tapPort({ ...equipment, tap })
  if ((tap_link?.state ?? 'closed') === 'closed')
    return {
      text: `The tap is closed${last_error ? `: ${last_error.detail}` : ''}.`,
      command: last_error ? `explain ${last_error.code}` : 'equipment show EQ',
    }
  if (tap_link?.state === 'unreached')
    return {
      text: `${upper(caller)} dials, and ${dialled} does not take the connection${last_error ? `: ${last_error.detail}` : ''}. It may be off, have another connection, or accept only the address that dialled it before: then set the address of the gateway there.`,
      command:
        equipment.mode === 'passive'
          ? `equipment test ${equipment.ip_address}:${equipment.port}`
          : 'equipment show EQ',
    }
  const stranger = tap_link?.last_refused
  if (stranger?.reason === 'stranger' && stranger.at >= (tap_link?.since ?? ''))
    return {
      text: `${stranger.address} dialled port ${port} and was refused, last ${timeText(stranger.at)}: only ${caller} may. If it is the right one, change the address, while the equipment is disconnected.`,
      command:
        equipment.mode === 'passive'
          ? `equipment update EQ --tap-host ${stranger.address}`
          : `equipment update EQ --address ${stranger.address}:${equipment.port}`,
    }
  const since = tap_link?.since ? ` since ${timeText(tap_link.since)}` : ''
  return {
    text: `Nobody has dialled port ${port} of the gateway${since}. ${upper(caller)} has to dial it in place of ${dialled}; a firewall between them has to let it pass.`,
    command: 'events list --equipment EQ --type connection --limit 5',
  }
}

const upper = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
