import { isDeepStrictEqual } from 'node:util'
import type { EquipmentChange } from '../../contract/equipment.js'
import type { Fault } from '../../contract/errors.js'
import {
  type LINE_ENDS,
  misplacedFaults,
  missingPlaceFaults,
  type Transport,
} from '../../contract/topics/equipment/equipment-line.js'

/** What carries the messages of an equipment, and the settings of a SECS-I line. */
export interface LineSettings {
  readonly transport: Transport
  /** Null unless the transport is a serial port. */
  readonly serial_port: string | null
  readonly baud_rate: number
  readonly rty: number
  /** Which end sends first where both ask for the line. */
  readonly master: (typeof LINE_ENDS)[number]
}

/** An equipment of which nothing is said speaks HSMS. */
export const DEFAULT_LINE: LineSettings = {
  transport: 'hsms',
  serial_port: null,
  baud_rate: 9600,
  rty: 3,
  master: 'equipment',
}

export function lineAfter(before: LineSettings, change: Omit<EquipmentChange, 'revision'>): LineSettings {
  const transport = change.transport ?? before.transport
  return {
    transport,
    serial_port: transport === 'secs1-serial' ? (change.serial_port ?? before.serial_port) : null,
    baud_rate: change.baud_rate ?? before.baud_rate,
    rty: change.rty ?? before.rty,
    master: change.master ?? before.master,
  }
}

/** The same settings, without other members of a record. */
export const lineOf = ({ transport, serial_port, baud_rate, rty, master }: LineSettings): LineSettings => ({
  ...{ transport, serial_port, baud_rate, rty, master },
})

export const isSameLine = (one: LineSettings, other: LineSettings): boolean =>
  isDeepStrictEqual(lineOf(one), lineOf(other))

/** Where equipment is in the network; null at a serial port. */
export interface NetworkPlace {
  readonly ip_address: string | null
  readonly port: number | null
}

export const NO_PLACE: NetworkPlace = { ip_address: null, port: null }

/** Equipment that is moved to a serial port has no address any more. */
export const placeAfter = (
  transport: Transport,
  before: NetworkPlace,
  change: Pick<EquipmentChange, 'ip_address' | 'port'>,
): NetworkPlace =>
  transport === 'secs1-serial'
    ? NO_PLACE
    : { ip_address: change.ip_address ?? before.ip_address, port: change.port ?? before.port }

/** Why a record cannot have these settings together; `change`: what was sent. */
export const lineFaults = (
  after: LineSettings & NetworkPlace,
  change: Omit<EquipmentChange, 'revision'>,
): readonly Fault[] => [
  ...missingPlaceFaults(after.transport, after),
  ...misplacedFaults(after.transport, change),
]
