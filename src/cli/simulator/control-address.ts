import type { ControlAddress } from '../../simulator/control/control-client.js'
import { wrongUsage } from '../errors/failure.js'

/** The control port of a simulator, on this machine unless a host is named. */
export function controlAddress(text: string): ControlAddress {
  const [, host = '127.0.0.1', port] = /^(?:([^\s:]+):)?(\d{1,5})$/.exec(text) ?? []
  const number = Number(port)
  if (number >= 1 && number <= 65535) return { host, port: number }
  throw wrongUsage(`[HOST:]PORT such as 5999, not "${text}"`)
}
