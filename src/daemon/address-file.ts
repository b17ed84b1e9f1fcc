import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { requireOwnWords, writePrivateFile } from '../kit/private-file.js'

/** Where a running daemon is found, and by which process. */
export interface DaemonAddress {
  readonly url: string
  readonly pid: number
  readonly data_folder: string
  /** The database with its records, without a password; left out where they are in the data folder. */
  readonly store?: string
  /** Its log file; null when it logs to the standard error of a terminal. */
  readonly log: string | null
  /** The flags it was started with, for a restart. */
  readonly flags: readonly string[]
  readonly started_at: string
  /** The certificate that it shows, PEM, for the commands on this machine; none without TLS. */
  readonly certificate?: string
}

const pathOf = (stateFolder: string): string => join(stateFolder, 'daemon.json')

export const writeAddress = (stateFolder: string, address: DaemonAddress): Promise<void> =>
  writePrivateFile(pathOf(stateFolder), `${JSON.stringify(address, undefined, 2)}\n`)

/**
 * What the last daemon wrote; it may be gone by now. Undefined when there is nothing, or nothing readable. Throws
 * `NotPrivate` where another user could have written it: a password is sent to where it leads.
 */
export async function readAddress(stateFolder: string): Promise<DaemonAddress | undefined> {
  await requireOwnWords(pathOf(stateFolder))
  try {
    const value = JSON.parse(await readFile(pathOf(stateFolder), 'utf8')) as Partial<DaemonAddress> | null
    if (typeof value?.url !== 'string' || !Number.isInteger(value.pid)) return undefined
    return value as DaemonAddress
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Removes the address of process `pid`; one that another daemon has written since stays. */
export async function removeAddress(stateFolder: string, pid: number): Promise<void> {
  const address = await readAddress(stateFolder)
  if (address?.pid === pid) await rm(pathOf(stateFolder), { force: true })
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
