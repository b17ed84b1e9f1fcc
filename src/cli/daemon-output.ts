import type { DaemonAddress } from '../daemon/address-file.js'
import { localTime } from './local-time.js'

/** A running daemon, for a person. */
export const daemonFields = (address: DaemonAddress, now: Date): (readonly [string, string])[] => [
  ['url', address.url],
  ['pid', String(address.pid)],
  ['since', localTime(address.started_at, now)],
  ['log', address.log ?? '(the terminal it runs in)'],
  ['data', address.data_folder],
]
