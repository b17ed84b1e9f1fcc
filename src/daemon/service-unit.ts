import { readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { shellWord } from '../kit/shell-word.js'

/** Whose service manager runs the daemon: that of a person, or that of the machine. */
export type UnitScope = 'user' | 'system'

/** A unit of systemd that runs a daemon. */
export interface ServiceUnit {
  /** Such as `secsctl.service`. */
  readonly name: string
  readonly scope: UnitScope
}

const word = ({ name }: ServiceUnit): string => shellWord(name.replace(/\.service$/, ''))

/** The command that starts, stops or restarts a unit. */
export const systemctl = (unit: ServiceUnit, verb: 'start' | 'stop' | 'restart'): string =>
  `${unit.scope === 'user' ? 'systemctl --user' : 'sudo systemctl'} ${verb} ${word(unit)}`

/** The command that prints the log of a unit. */
export const journalctl = (unit: ServiceUnit): string =>
  `journalctl ${unit.scope === 'user' ? '--user-unit' : '--unit'} ${word(unit)}`

/** What systemd gives to a process that it starts. */
export interface ProcessFacts {
  /** The text of `/proc/self/cgroup`. */
  readonly cgroup: string
  /** The process that has started this one is a service manager. */
  readonly startedByManager: boolean
  readonly variables: Readonly<Record<string, string | undefined>>
}

/**
 * The unit whose main process this is; undefined where it is none. The group of processes alone does not tell: what a
 * unit such as `cron.service` starts is in the group of that unit.
 */
export function unitOf({ cgroup, startedByManager, variables }: ProcessFacts): ServiceUnit | undefined {
  if (!startedByManager || !variables['INVOCATION_ID']) return undefined
  const paths = cgroup.split('\n').flatMap((line) => {
    const [, controllers = '', path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
    return controllers === '' || controllers === 'name=systemd' ? [path] : []
  })
  const path = paths.find((one) => one.endsWith('.service'))
  const name = path?.split('/').at(-1)
  if (path === undefined || name === undefined) return undefined
  return { name, scope: /\/user@\d+\.service\/./.test(path) ? 'user' : 'system' }
}

/** The unit that has started this process. */
export async function unitOfThisProcess(
  systemRoot: string,
  variables: ProcessFacts['variables'],
): Promise<ServiceUnit | undefined> {
  const read = (path: string) => readFile(join(systemRoot, 'proc', path), 'utf8').catch(() => '')
  // The manager of the machine is process 1, whose name a closed unit cannot see.
  const manager = process.ppid === 1 || (await read(`${process.ppid}/comm`)).trim() === 'systemd'
  return unitOf({ cgroup: await read('self/cgroup'), startedByManager: manager, variables })
}

/** Whether two paths lead to the same folder, also through links such as those that `DynamicUser` makes. */
export async function isSameFolder(one: string, other: string): Promise<boolean> {
  const real = (path: string) => realpath(path).catch(() => path.replace(/(?<=.)\/+$/, ''))
  return (await real(one)) === (await real(other))
}
