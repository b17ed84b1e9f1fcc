import type { SimulatedLine, SimulatedLinkOptions } from '../../simulator/link/simulated-link.js'
import { wrongUsage } from '../errors/failure.js'
import { numberFlag, textFlag } from '../input/flags.js'
import { EQUIPMENT_FLAGS, parseAddress, timersOf } from './equipment-flags.js'

/** Where simulated equipment is: it listens, or dials the gateway. */
export const HOST_FLAG = textFlag('ADDRESS', 'Address to listen on.', { default: '127.0.0.1' })

export const PORT_FLAG = numberFlag('Port to listen on; 0 takes a free one.', {
  default: 5000,
  min: 0,
  max: 65535,
})

export const ACTIVE_FLAG = textFlag('HOST:PORT', 'Dial the gateway there instead of listening.')

const { transport, 'serial-port': serialPort, 'baud-rate': baudRate, rty, master } = EQUIPMENT_FLAGS

/** How messages of simulated equipment are transported. */
export const LINE_FLAGS = { transport, 'serial-port': serialPort, 'baud-rate': baudRate, rty, master }

interface LineGiven {
  readonly transport?: string | undefined
  readonly 'serial-port'?: string | undefined
  readonly 'baud-rate'?: number | undefined
  readonly rty?: number | undefined
  readonly master?: string | undefined
  readonly active?: string | undefined
}

/** The SECS-I line of simulated equipment; undefined for HSMS. */
export function lineGiven(flags: LineGiven): SimulatedLine | undefined {
  const { transport, 'serial-port': serialPort, 'baud-rate': baudRate, rty: retries, master } = flags
  const isSerial = serialPort !== undefined
  if (transport === 'secs1-serial' && !isSerial) throw wrongUsage('a serial line needs --serial-port PATH')
  if (isSerial && (transport ?? 'secs1-serial') !== 'secs1-serial')
    throw wrongUsage(`--serial-port does not go with --transport ${transport}`)
  if (isSerial && flags.active !== undefined) throw wrongUsage('--serial-port does not go with --active')
  if (!isSerial && baudRate !== undefined) throw wrongUsage('--baud-rate goes with --serial-port')
  if (!isSerial && transport !== 'secs1-tcp') {
    if (retries === undefined && master === undefined) return undefined
    throw wrongUsage('--rty and --master are of SECS-I: add --transport secs1-tcp')
  }
  return { serialPort, baudRate, retries, isMaster: master !== 'host' }
}

export const TIMER_FLAG = EQUIPMENT_FLAGS.timer

/** The timers of simulated equipment, in milliseconds. */
export function timersGiven(texts: readonly string[] = []): {
  readonly timers: NonNullable<SimulatedLinkOptions['timers']>
  readonly establishDelay?: number
} {
  const seconds = Object.entries(timersOf(texts))
  const { establish, ...timers } = Object.fromEntries(seconds.map(([name, value]) => [name, value * 1000]))
  return { timers, ...(establish !== undefined && { establishDelay: establish }) }
}

/** Who dials, and where the connection is made. */
export function placeGiven(flags: {
  readonly host: string
  readonly port: number
  readonly active?: string | undefined
}): { readonly role: 'active' | 'passive'; readonly host: string; readonly port: number } {
  if (flags.active === undefined) return { role: 'passive', host: flags.host, port: flags.port }
  const { ip_address, port } = parseAddress(flags.active, '--active')
  return { role: 'active', host: ip_address, port }
}
