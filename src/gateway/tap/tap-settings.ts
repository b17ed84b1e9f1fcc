import type { Tap } from '../../contract/topics/equipment/equipment-tap.js'
import type { TapLink } from '../../tap/observation.js'
import type { TapSettings } from '../../tap/tcp/tap.js'
import { millisecondsOf } from '../link/session-settings.js'
import type { EquipmentRecord } from '../records/equipment-record.js'

export type StopReason = 'unwanted' | 'gateway_stops'

/** The tap of one equipment, wherever its line runs. */
export interface RunningTap extends TapLink {
  /** Listens, or tells why it cannot. */
  start(): Promise<void>
  /** Nothing more is told. The line ends; where the gateway stops, it may go on for the one that looks at it next. */
  stop(why: StopReason): void
}

/** Makes the tap of an equipment. It is not started. */
export type OpenTap = (equipmentId: string, settings: TapSettings) => RunningTap

/** Equipment that is shared with another host. */
export type TappedRecord = EquipmentRecord & { readonly tap: Tap }

/** Who calls whom. `listenHost`: the local address on which host or equipment call. */
export function tapSettingsOf(
  { mode, ip_address, port, tap }: TappedRecord,
  listenHost: string,
): TapSettings {
  const equipment = { host: ip_address ?? '', port: port ?? 0 }
  const pause = millisecondsOf(tap.pause_seconds)
  return mode === 'passive'
    ? {
        caller: 'host',
        listen: { host: listenHost, port: tap.listen_port ?? 0 },
        callerAddress: tap.host_address,
        dial: equipment,
        pause,
      }
    : {
        caller: 'equipment',
        listen: { host: listenHost, port: equipment.port },
        callerAddress: equipment.host,
        dial: { host: tap.host_address, port: tap.host_port ?? 0 },
        pause,
      }
}
