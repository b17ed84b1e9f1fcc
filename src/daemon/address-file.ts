import { readFileSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { requireOwnWords, writePrivateFile } from '../kit/private-file.js'
import type { ServiceUnit } from './service-unit.js'

/** A setting of a running daemon. No secret is in it. */
export interface RunningSetting {
  /** As in the configuration file. */
  readonly name: string
  /** Null where there is none, and for a secret of the environment. */
  readonly value: string | number | boolean | readonly string[] | null
  /** From where the value is. */
  readonly source: 'flag' | 'environment' | 'file' | 'default'
  /** The variable of the environment. */
  readonly variable?: string
  /** The line of the configuration file. */
  readonly line?: number
}

/** Where a running daemon is found, and by which process. */
export interface DaemonAddress {
  readonly url: string
  readonly pid: number
  readonly data_folder: string
  /** The database with its records, without a password; left out where they are in the data folder. */
  readonly store?: string
  /** It only reads, until it is started with --take-over. */
  readonly standby?: boolean
  /** Its log file; null when it logs to the standard error of a terminal. */
  readonly log: string | null
  /** The unit of systemd that it is the process of; left out where it is none. */
  readonly unit?: ServiceUnit
  /** The flags it was started with, for a restart. */
  readonly flags: readonly string[]
  /** Its configuration file; null without one. */
  readonly config?: string | null
  /** What it works with, and from where each value is; of a daemon of an earlier version its flags have all of it. */
  readonly settings?: readonly RunningSetting[]
  readonly started_at: string
  /** The certificate that it shows, PEM, for the commands on this machine; none without TLS. */
  readonly certificate?: string
}

/** The value of a setting of a daemon, by the name of its flag; undefined where it has none. */
export function settingOf({ settings, flags }: Pick<DaemonAddress, 'settings' | 'flags'>, flag: string) {
  const name = flag.replaceAll('-', '_')
  if (settings) return settings.find((one) => one.name === name)?.value ?? undefined
  const at = flags.indexOf(`--${flag}`)
  return at < 0 ? undefined : flags[at + 1]
}

const pathOf = (stateFolder: string): string => join(stateFolder, 'daemon.json')

/** The same of a daemon that has stopped, where it worked on a database: nothing else here tells where its records are. */
const lastPathOf = (stateFolder: string): string => join(stateFolder, 'last-daemon.json')

export const writeAddress = (stateFolder: string, address: DaemonAddress): Promise<void> =>
  writePrivateFile(pathOf(stateFolder), `${JSON.stringify(address, undefined, 2)}\n`)

/**
 * What the last daemon wrote, unless it has stopped in order; it may be gone by now. Undefined when there is nothing, or
 * nothing readable. Throws `NotPrivate` where another user could have written it: a password is sent to where it leads.
 */
export const readAddress = (stateFolder: string): Promise<DaemonAddress | undefined> =>
  addressIn(pathOf(stateFolder))

/** The same, also of a daemon on a database that has stopped in order. */
export const readLastAddress = async (stateFolder: string): Promise<DaemonAddress | undefined> =>
  (await readAddress(stateFolder)) ?? (await addressIn(lastPathOf(stateFolder)))

async function addressIn(path: string): Promise<DaemonAddress | undefined> {
  await requireOwnWords(path)
  try {
    const value = JSON.parse(readFileSync(path, 'utf8')) as Partial<DaemonAddress> | null
    if (typeof value?.url !== 'string' || !Number.isInteger(value.pid)) return undefined
    return value as DaemonAddress
  } catch (error) {
    if (error instanceof SyntaxError || isAbsent(error)) return undefined
    throw error
  }
}

const isAbsent = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** Removes the address of process `pid`, and keeps which database it worked on; one that another daemon has written since stays. */
export async function removeAddress(stateFolder: string, pid: number): Promise<void> {
  const address = await readAddress(stateFolder)
  if (address?.pid !== pid) return
  const [path, last] = [pathOf(stateFolder), lastPathOf(stateFolder)]
  if (address.store === undefined) await Promise.all([path, last].map((file) => rm(file, { force: true })))
  // The daemon and the command that stops it both do this.
  else
    await rename(path, last).catch((error: unknown) => {
      if (!isAbsent(error)) throw error
    })
}

/** False when no process of ours has the id: then the address is left from a daemon that was killed. */
export function mayBeAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
