import type { Tap } from '../../contract/topics/equipment/equipment-tap.js'
import type { TapSettings } from '../../tap/tap-settings.js'
import { millisecondsOf } from '../link/session-settings.js'
import type { EquipmentRecord } from '../records/equipment-record.js'

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
