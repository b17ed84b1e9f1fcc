import type { EquipmentChange } from '../../contract/equipment.js'
import type { Fault } from '../../contract/errors.js'
import {
  misplacedFaults,
  missingPlaceFaults,
  type Transport,
} from '../../contract/topics/equipment/equipment-line.js'

/** Where equipment is: in the network, or at a serial port; what it does not have is null. */
export interface EquipmentPlace {
  readonly ip_address: string | null
  readonly port: number | null
  readonly serial_port: string | null
}

export const NO_PLACE: EquipmentPlace = { ip_address: null, port: null, serial_port: null }

/** Equipment that is moved to a serial port has no address any more, and the other way round. */
export const placeAfter = (
  transport: Transport,
  before: EquipmentPlace,
  change: Partial<EquipmentPlace>,
): EquipmentPlace =>
  transport === 'secs1-serial'
    ? { ...NO_PLACE, serial_port: change.serial_port ?? before.serial_port }
    : {
        ip_address: change.ip_address ?? before.ip_address,
        port: change.port ?? before.port,
        serial_port: null,
      }

/** Why equipment cannot be there; `change`: what was sent. */
export const placeFaults = (
  transport: Transport,
  after: EquipmentPlace,
  change: Omit<EquipmentChange, 'revision'>,
): readonly Fault[] => [...missingPlaceFaults(transport, after), ...misplacedFaults(transport, change)]
