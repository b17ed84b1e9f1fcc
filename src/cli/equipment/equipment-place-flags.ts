import { Flags } from '@oclif/core'
import { parseAddress } from './equipment-flags.js'

/** Where simulated equipment is: it listens, or dials the gateway. */
export const HOST_FLAG = Flags.string({
  default: '127.0.0.1',
  helpValue: 'ADDRESS',
  summary: 'Address to listen on.',
})

export const PORT_FLAG = Flags.integer({
  default: 5000,
  min: 0,
  max: 65535,
  helpValue: 'N',
  summary: 'Port to listen on; 0 takes a free one.',
})

export const ACTIVE_FLAG = Flags.string({
  helpValue: 'HOST:PORT',
  summary: 'Dial the gateway there instead of listening.',
})

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
