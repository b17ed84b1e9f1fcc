import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { mayBeAlive, readAddress } from '../../daemon/address-file.js'
import { isSameFolder, journalctl, type ServiceUnit, systemctl } from '../../daemon/service-unit.js'
import { isFree } from '../../daemon/spawn.js'
import { shellWord } from '../../kit/shell-word.js'
import type { MachineEnvironment } from '../environment.js'
import { Failure } from '../errors/failure.js'
import { foldersOf } from '../profile/folders.js'

/** What the service is called in the pages and in the packages. */
const NAME = 'secsctl.service'

/** What starts a daemon where no service is. */
export const DAEMON_START = 'secsctl daemon start'

/** Where units of the machine are, the first one wins. */
const SYSTEM_UNITS = [
  'etc/systemd/system',
  'run/systemd/system',
  'usr/local/lib/systemd/system',
  'usr/lib/systemd/system',
  'lib/systemd/system',
]

/** The folder in which the service of the machine writes its address, for every user to read. */
export const RUNTIME_FOLDER = 'secsctl'
export const URL_FILE = 'url'

/** A unit that is installed, whether or not it runs. */
export interface InstalledService {
  readonly unit: ServiceUnit
  /** Its `SECSCTL_HOME`. */
  readonly home: string | undefined
  /** The account that it runs as; undefined where systemd makes one at each start. */
  readonly user: string | undefined
  readonly running: boolean
  /** Undefined where it does not run, or does not say. */
  readonly url: string | undefined
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

async function unitIn(folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    const text = await readFile(join(folder, NAME), 'utf8').catch(() => undefined)
    // A unit that is masked is an empty file.
    if (text !== undefined) return text.includes('ExecStart=') ? text : undefined
  }
  return undefined
}

function lastValue(text: string, pattern: RegExp): string | undefined {
  const value = [...text.matchAll(pattern)].at(-1)?.[1]
  return value?.replace(/^"(.*)"$/, '$1')
}

const homeIn = (text: string): string | undefined =>
  lastValue(text, /^Environment="?SECSCTL_HOME=([^"\n]+)"?$/gm)

/** The service of the machine; undefined where systemd does not run, or where there is none. */
export async function machineService({
  platform,
  systemRoot,
}: MachineEnvironment): Promise<InstalledService | undefined> {
  const at = (path: string): string => join(systemRoot, path)
  if (platform !== 'linux' || !(await isFolder(at('run/systemd/system')))) return undefined
  const text = await unitIn(SYSTEM_UNITS.map(at))
  if (text === undefined) return undefined
  const runtime = at(`run/${RUNTIME_FOLDER}`)
  const url = (await readFile(join(runtime, URL_FILE), 'utf8').catch(() => '')).trim()
  return {
    unit: { name: NAME, scope: 'system' },
    home: homeIn(text),
    user: lastValue(text, /^User=(.+)$/gm),
    running: await isFolder(runtime),
    url: URL.canParse(url) ? url : undefined,
  }
}

/** The unit that this user has installed for himself. */
async function userUnit(environment: MachineEnvironment): Promise<{ home: string | undefined } | undefined> {
  const { platform, systemRoot, variables, home } = environment
  if (platform !== 'linux' || !(await isFolder(join(systemRoot, 'run/systemd/system')))) return undefined
  const config = variables['XDG_CONFIG_HOME'] || join(home, '.config')
  const text = await unitIn([join(config, 'systemd/user'), join(systemRoot, 'etc/systemd/user')])
  return text === undefined ? undefined : { home: homeIn(text) }
}

/** The installed unit whose daemon has the folders of this environment. */
async function ownUnit(
  environment: MachineEnvironment,
  machine: InstalledService | undefined,
): Promise<ServiceUnit | undefined> {
  const own = environment.variables['SECSCTL_HOME'] || undefined
  if (own !== undefined && machine?.home !== undefined && (await isSameFolder(own, machine.home)))
    return machine.unit
  const user = await userUnit(environment)
  if (!user) return undefined
  const isSame =
    own === undefined || user.home === undefined ? own === user.home : await isSameFolder(own, user.home)
  return isSame ? { name: NAME, scope: 'user' } : undefined
}

/** How somebody without an account gets one. */
function firstLogin({ user, home }: InstalledService): string {
  if (user === undefined || home === undefined) return ''
  return ` An account is made on the machine by: sudo -u ${shellWord(user)} env SECSCTL_HOME=${shellWord(home)} secsctl users add EMAIL.`
}

/** This user has a gateway of his own, which was started before. */
const hasOwnGateway = (environment: MachineEnvironment): Promise<boolean> =>
  isFolder(join(foldersOf(environment).data, 'journal'))

/** No daemon of this user runs: the service that is meant instead, or the command that starts one. */
export async function noDaemon(environment: MachineEnvironment): Promise<Failure> {
  const machine = await machineService(environment)
  const own = await ownUnit(environment, machine)
  if (own)
    return new Failure(
      'unreachable',
      `No daemon is running on this machine: the service ${own.name} is stopped, or still starting.`,
      `${systemctl(own, 'start')}; ${journalctl(own)}`,
    )
  if (!machine || (await hasOwnGateway(environment)))
    return new Failure('unreachable', 'No daemon is running on this machine.', DAEMON_START)
  const gateway = `The gateway of this machine is the service ${machine.unit.name}`
  if (!machine.running)
    return new Failure('unreachable', `${gateway}, which does not run.`, systemctl(machine.unit, 'start'))
  const where = machine.url === undefined ? '' : ` at ${machine.url}`
  return new Failure(
    'unreachable',
    `${gateway}${where}, and no profile names it.${firstLogin(machine)}`,
    `secsctl login --url ${machine.url === undefined ? 'URL' : shellWord(machine.url)}`,
  )
}

/** The unit that the running daemon of these folders is the process of. */
export async function runningUnit(environment: MachineEnvironment): Promise<ServiceUnit | undefined> {
  const { state, data } = foldersOf(environment)
  const address = await readAddress(state)
  if (!address?.unit || !mayBeAlive(address.pid) || (await isFree(data))) return undefined
  return address.unit
}

/** Throws `state` where the daemon is the process of a unit: systemd stops and restarts it. */
export async function requireNoUnit(
  environment: MachineEnvironment,
  verb: 'stop' | 'restart',
): Promise<void> {
  const unit = await runningUnit(environment)
  if (unit)
    throw new Failure('state', `the daemon is the service ${unit.name} of systemd`, systemctl(unit, verb))
}

/**
 * Throws `state` where a daemon that is started here would run beside a service: in its folder, or, without a port of
 * its own, in its place.
 */
export async function requireNoService(
  environment: MachineEnvironment,
  verb: 'start' | 'restart',
  hasPort: boolean,
): Promise<void> {
  const machine = await machineService(environment)
  const own = await ownUnit(environment, machine)
  if (own) {
    const next = systemctl(own, verb)
    const detail = `the daemon of this folder is the service ${own.name} of systemd: a second one would keep it from starting`
    throw new Failure('state', detail, (await strayRuns(environment)) ? `secsctl daemon stop; ${next}` : next)
  }
  if (!machine || hasPort || (await hasOwnGateway(environment))) return
  const { unit, url, running } = machine
  const login = running ? `secsctl login --url ${url === undefined ? 'URL' : shellWord(url)}` : undefined
  throw new Failure(
    'state',
    `the gateway of this machine is the service ${unit.name}${url === undefined ? '' : ` at ${url}`}: a second gateway beside it needs a --port of its own`,
    verb === 'start' && login !== undefined ? login : systemctl(unit, verb),
  )
}

/** A daemon runs in these folders that no unit has started. */
async function strayRuns(environment: MachineEnvironment): Promise<boolean> {
  const { state, data } = foldersOf(environment)
  return (await readAddress(state)) !== undefined && !(await isFree(data))
}

/** The unit whose log systemd keeps, where these folders have none. */
export async function unitWithLog(environment: MachineEnvironment): Promise<ServiceUnit | undefined> {
  const running = await runningUnit(environment)
  if (running) return running
  const machine = await machineService(environment)
  const own = await ownUnit(environment, machine)
  if (own) return own
  return (await hasOwnGateway(environment)) ? undefined : machine?.unit
}
