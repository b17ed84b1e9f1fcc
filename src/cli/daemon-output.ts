import type { DaemonAddress } from '../daemon/address-file.js'
import type { TellTime } from './local-time.js'

/** A running daemon, for a person. */
export const daemonFields = (address: DaemonAddress, tellTime: TellTime): (readonly [string, string])[] => [
  ['url', address.url],
  ['pid', String(address.pid)],
  ['since', tellTime(address.started_at)],
  ['log', address.log ?? '(the terminal it runs in)'],
  ['data', address.data_folder],
]
