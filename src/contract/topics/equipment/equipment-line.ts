import { Type } from 'typebox'
import type { Fault } from '../../errors.js'

/** How messages are transported: HSMS (SEMI E37), or SECS-I (SEMI E4) over TCP or a serial port. */
export const TRANSPORTS = ['hsms', 'secs1-tcp', 'secs1-serial'] as const
export type Transport = (typeof TRANSPORTS)[number]
/** The ends of a SECS-I line. */
export const LINE_ENDS = ['equipment', 'host'] as const
export const BAUD_RATES = [300, 600, 1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200] as const

/** A device, so that nobody has the gateway open files. */
const SERIAL_PORT = '^(/dev/[\\w:+@-]+([./][\\w:+@-]+)*|COM[0-9]{1,3})$'

export const SerialPort = Type.String({
  component: 'SerialPort',
  maxLength: 256,
  pattern: SERIAL_PORT,
  description:
    'Serial port of the machine of the gateway, a device such as `/dev/ttyUSB0` or `COM3`; only for `secs1-serial`, else null.',
})

interface Placed {
  readonly ip_address?: unknown
  readonly port?: unknown
  readonly serial_port?: unknown
}

const ADDRESS = ['ip_address', 'port'] as const
const isGiven = (value: unknown): boolean => (value ?? null) !== null

/** Members that a request has and equipment with this transport has not. */
export function misplacedFaults(transport: Transport, given: Placed): readonly Fault[] {
  if (transport === 'secs1-serial')
    return ADDRESS.filter((member) => isGiven(given[member])).map((member) => ({
      pointer: `/${member}`,
      detail: 'does not go with a serial port: leave it out',
    }))
  return isGiven(given.serial_port)
    ? [{ pointer: '/serial_port', detail: `belongs to transport secs1-serial, not to ${transport}` }]
    : []
}

/** Members that equipment with this transport lacks. */
export const missingPlaceFaults = (transport: Transport, place: Placed): readonly Fault[] =>
  transport === 'secs1-serial'
    ? isGiven(place.serial_port)
      ? []
      : [{ pointer: '/serial_port', detail: `is required where transport is ${transport}` }]
    : ADDRESS.filter((member) => !isGiven(place[member])).map((member) => ({
        pointer: `/${member}`,
        detail: 'is required',
      }))
