import { type DaemonAddress, readLastAddress } from '../../daemon/address-file.js'
import { isFree } from '../../daemon/spawn.js'
import { shellWord } from '../../kit/shell-word.js'
import type { Variables } from '../environment.js'
import { wrongUsage } from '../errors/failure.js'
import type { Folders } from '../profile/folders.js'
import { argumentsAgain } from './daemon-flags.js'
import { hasJournal, ON_FILES } from './store-url.js'

type Before = Pick<DaemonAddress, 'flags' | 'url' | 'config' | 'settings'>

/** The command that runs a daemon as before. A database of the environment may have a password, which is kept nowhere. */
export function commandAgain(verb: 'run' | 'start' | 'restart', before: Before): string {
  const { flags, config, settings } = before
  const file = config && !flags.includes('--config') ? ['--config', config] : []
  const words = ['secsctl', 'daemon', verb, ...argumentsAgain(before), ...file].map(shellWord).join(' ')
  const isOfVariable = settings?.some(({ name, source }) => name === 'store' && source === 'environment')
  return isOfVariable ? `SECSCTL_STORE=URL ${words}` : words
}

/**
 * Throws `usage` where a daemon ran on a database that its settings do not name now, and would be started again on the data
 * folder, without any of its records.
 */
export function requireSameStore(
  before: (Before & Pick<DaemonAddress, 'store'>) | undefined,
  store: string | undefined,
  variables: Variables,
): void {
  if (before?.store === undefined || store !== undefined || variables['SECSCTL_STORE']) return
  throw wrongUsage(
    `the daemon keeps its records in ${before.store}, which nothing names here (--store, SECSCTL_STORE, store in its configuration file): started again, it would have none of them`,
    commandAgain('restart', before),
  )
}

/**
 * Throws `usage` where the last daemon here worked on a database that nothing names now, and the data folder has no records:
 * an empty gateway would begin.
 */
export async function requireLastStore(
  { state, data }: Pick<Folders, 'state' | 'data'>,
  store: string | undefined,
  variables: Variables,
): Promise<void> {
  if (store !== undefined || variables['SECSCTL_STORE']) return
  const before = await readLastAddress(state)
  if (before?.store === undefined || (await hasJournal(data)) || !(await isFree(data))) return
  const verb = variables['SECSCTL_DAEMON_LOG'] === undefined ? 'run' : 'start'
  throw wrongUsage(
    `the last daemon here kept its records in ${before.store}, which nothing names now (--store, SECSCTL_STORE, store in its configuration file), and the data folder has none. An empty gateway on files begins with --store ${ON_FILES}`,
    commandAgain(verb, before),
  )
}
