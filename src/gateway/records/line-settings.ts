import { isDeepStrictEqual } from 'node:util'
import type { EquipmentChange } from '../../contract/equipment.js'
import type { Fault } from '../../contract/errors.js'
import { type LINE_ENDS, NO_ADDRESS, type Transport } from '../../contract/topics/equipment/equipment-line.js'

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

type Placed = LineSettings & { readonly ip_address: string; readonly port: number }

/** Why a record cannot have these settings together; `change`: what was sent. */
export function lineFaults(after: Placed, change: Omit<EquipmentChange, 'revision'>): readonly Fault[] {
  const { transport, serial_port, ip_address, port } = after
  const faults: Fault[] = []
  if (transport === 'secs1-serial') {
    if (serial_port === null)
      faults.push({ pointer: '/serial_port', detail: 'is required where transport is secs1-serial' })
    const detail = 'equipment at a serial port has none: send'
    if (ip_address !== NO_ADDRESS.ip_address)
      faults.push({ pointer: '/ip_address', detail: `${detail} ${NO_ADDRESS.ip_address}` })
    if (port !== NO_ADDRESS.port) faults.push({ pointer: '/port', detail: `${detail} ${NO_ADDRESS.port}` })
    return faults
  }
  if (port === NO_ADDRESS.port) faults.push({ pointer: '/port', detail: 'must be 1 to 65535' })
  if ((change.serial_port ?? null) !== null)
    faults.push({ pointer: '/serial_port', detail: `belongs to transport secs1-serial, not to ${transport}` })
  return faults
}
