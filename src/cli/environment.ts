import type { Clock } from '../kit/clock.js'
import type { Interruption } from './input/interruption.js'

export type Variables = Readonly<Record<string, string | undefined>>

/** What a command is given from outside: no command reads `process`. `process-environment.ts` makes the real one. */
export interface Environment {
  readonly variables: Variables
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  readonly clock: Clock
  readonly interruption: Interruption
  /** The home folder of the user. */
  readonly home: string
  readonly platform: NodeJS.Platform
  /** The root of the file system, under which units of systemd and facts of processes are found. */
  readonly systemRoot: string
  /** Where secsctl is installed: the folder of `bin` and `dist`. */
  readonly root: string
  /** How the process ends when nothing is thrown. */
  exitCode: number
  /** A command ends when its output cannot be written, unless this is set: a daemon does not need its output. */
  outputMayFail: boolean
}

/** What the files of this user on this machine depend on. */
export type MachineEnvironment = Pick<
  Environment,
  'variables' | 'home' | 'platform' | 'systemRoot' | 'root' | 'clock'
>

/** What the configuration of oclif holds for the command that runs. */
export function environmentOf(config: object): Environment {
  const { environment } =
    (config as { readonly options?: { readonly environment?: Environment } }).options ?? {}
  if (!environment) throw new Error('a command runs by run.ts alone')
  return environment
}
