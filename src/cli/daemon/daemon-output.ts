import { type DaemonAddress, settingOf } from '../../daemon/address-file.js'
import { journalctl } from '../../daemon/service-unit.js'
import { Failure } from '../errors/failure.js'
import type { FormatTime } from '../output/local-time.js'

export const daemonFields = (
  address: DaemonAddress,
  formatTime: FormatTime,
): (readonly [string, string])[] => [
  ['url', address.url],
  ...(address.standby
    ? [['standby', 'it only reads; to end it: secsctl daemon restart --take-over'] as const]
    : []),
  ['pid', String(address.pid)],
  ['since', formatTime(address.started_at)],
  ['log', address.log ?? (address.unit ? journalctl(address.unit) : '(the terminal it runs in)')],
  address.store === undefined ? ['data', address.data_folder] : ['store', address.store],
  ['keeps', `${settingOf(address, 'keep')} or ${settingOf(address, 'keep-size')}`],
  ['config', address.config ?? '(none)'],
]

/** A daemon that was asked to stop and holds its data folder still. */
export function notStopped(address: DaemonAddress | undefined): Failure {
  const next = address ? `kill -9 ${address.pid}` : 'secsctl daemon status'
  return new Failure(
    'timeout',
    'the daemon has not stopped: its data folder is still in use. Ended by force it loses nothing it acknowledged',
    next,
  )
}
