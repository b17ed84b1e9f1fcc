import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endTaps, killTaps } from '../../daemon/taps.js'
import type { BaseCommand } from '../base-command.js'
import type { Variables } from '../environment.js'
import { Failure } from '../errors/failure.js'
import { ENDS_WITH_INPUT } from '../process-environment.js'
import { DemoProcess } from './demo-process.js'
import { noteOwner, removeOrphans } from './orphans.js'

/**
 * How a gateway is started that only this machine reaches, on a port that the system chooses. `hsmsHost`: where
 * equipment that connects to it reaches it.
 */
export const gatewayWords = (hsmsHost = '127.0.0.1'): readonly string[] => [
  ...['daemon', 'run', '--port', '0', '--hsms-host', hsmsHost],
]

/** A folder for processes that end with the command. */
export interface TemporaryPlace {
  readonly folder: string
  /** The administrator of a gateway that is started here. */
  readonly admin: { readonly email: string; readonly password: string }
  /** Starts `secsctl` with these words and the folder as its home, or the one of this name in it. */
  start(title: string, words: readonly string[], home?: string): DemoProcess
  /** From now on the work ends by itself when the command is interrupted, and is waited for. */
  endsByItself(): void
}

/** The variables but for those of secsctl: what is set for the daemon of this machine, such as its database, is not for this one. */
const withoutSettings = (variables: Variables): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(variables).filter(([name]) => !name.startsWith('SECSCTL_') || name === 'SECSCTL_KEYCHAIN'),
  )

/** Does work in a temporary folder. At its end, also an interruption, the processes are stopped and the folder is removed. */
export async function inTemporaryFolder<T>(
  on: BaseCommand,
  prefix: string,
  work: (place: TemporaryPlace) => Promise<T>,
): Promise<T> {
  const { variables, root, interruption } = on.environment
  let isWaitedFor = false
  const stopped = new Promise<never>((_, reject) => {
    interruption.hold().addEventListener('abort', () => {
      if (!isWaitedFor) reject(new Failure('unexpected', 'interrupted'))
    })
  })
  stopped.catch(() => {}) // it is only raced against
  removeOrphans()
  const folder = await mkdtemp(join(tmpdir(), prefix))
  noteOwner(folder)
  const admin = { email: 'admin@localhost', password: randomBytes(18).toString('base64url') }
  const env: NodeJS.ProcessEnv = {
    ...withoutSettings(variables),
    SECSCTL_HOME: folder,
    SECSCTL_ADMIN_EMAIL: admin.email,
    SECSCTL_ADMIN_PASSWORD: admin.password,
    [ENDS_WITH_INPUT]: '1',
  }
  const processes: DemoProcess[] = []
  // The last resort where the process ends at once: no process and no file may remain.
  const sweep = (): void => {
    for (const one of processes) one.kill()
    killTaps(join(folder, 'state'))
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', sweep)
  const start = (title: string, words: readonly string[], home = ''): DemoProcess => {
    const started = new DemoProcess(title, root, words, { ...env, SECSCTL_HOME: join(folder, home) })
    processes.push(started)
    return started
  }
  const endsByItself = (): void => {
    isWaitedFor = true
  }
  try {
    return await Promise.race([work({ folder, admin, start, endsByItself }), stopped])
  } finally {
    await Promise.all(processes.map((one) => one.stop(on.clock)))
    await endTaps(join(folder, 'state'), on.clock)
    await rm(folder, { recursive: true, force: true })
  }
}
