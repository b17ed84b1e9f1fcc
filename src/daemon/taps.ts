import { createHash } from 'node:crypto'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { chmod, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../kit/clock.js'
import { makeFolders } from '../kit/private-file.js'
import { LOCK_NAME, lockFolder } from '../store/files/disk/lock.js'
import type { Ownership } from '../store/ownership.js'
import { endTapProcess, TapClient } from '../tap/process/tap-client.js'
import { TapProcess } from '../tap/process/tap-process.js'
import { type TapProcessStatus, tapProcessStatus } from '../tap/process/tap-status.js'

/** Bytes of the longest path of a local socket; Linux has 107. */
const MAX_SOCKET_PATH = 103

/** The path of the local socket is too long for the system. */
export class TapPathTooLong extends Error {
  override readonly name = 'TapPathTooLong'
}

const folderOf = (stateFolder: string): string => join(stateFolder, 'taps')

/** Where the process of the taps is reached on this machine. Throws `TapPathTooLong`. */
export function tapSocket(stateFolder: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'win32')
    return `\\\\.\\pipe\\secsctl-taps-${createHash('sha256').update(stateFolder).digest('hex').slice(0, 32)}`
  const path = join(folderOf(stateFolder), 'socket')
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH) return path
  throw new TapPathTooLong(
    `${path} is longer than the ${MAX_SOCKET_PATH} bytes that a local socket may have: set SECSCTL_HOME to a shorter path`,
  )
}

export interface RunningTaps {
  readonly path: string
  /** Resolves when a daemon has no taps any more. */
  readonly ended: Promise<void>
  close(): Promise<void>
}

/**
 * Runs the links of tapped equipment in this process. Throws `FolderLocked` where another one does, and `NotPrivate` where
 * another user could reach it. `version`: of the program.
 */
export async function runTaps(stateFolder: string, clock: Clock, version: string): Promise<RunningTaps> {
  const path = tapSocket(stateFolder)
  const lock = await lockFolder(folderOf(stateFolder), { secret: true })
  try {
    if (process.platform !== 'win32') {
      await chmod(folderOf(stateFolder), 0o700)
      await rm(path, { force: true }) // of a process that was killed
    }
    const taps = new TapProcess(clock, undefined, version)
    await taps.listen(path)
    if (process.platform !== 'win32') await chmod(path, 0o600)
    const close = async (): Promise<void> => {
      await taps.close()
      await lock.release()
    }
    return { path, ended: taps.ended.promise, close }
  } catch (error) {
    await lock.release()
    throw error
  }
}

export type TapsStatus = TapProcessStatus

/** How the process of the taps is; undefined where there is none. */
export async function tapsStatus(stateFolder: string, clock: Clock): Promise<TapsStatus | undefined> {
  try {
    const status = await tapProcessStatus(tapSocket(stateFolder), clock)
    return status?.pid === 0 ? { ...status, pid: lockedBy(stateFolder) ?? 0 } : status
  } catch (error) {
    if (error instanceof TapPathTooLong) return undefined
    throw error
  }
}

/** Starts the process of the taps, which outlives this one; what it writes is in `taps.log`. `command`: what runs it. */
async function launchTaps(
  [program, ...args]: readonly [string, ...string[]],
  stateFolder: string,
  env: NodeJS.ProcessEnv,
  failed: (error: Error) => void,
): Promise<void> {
  await makeFolders(folderOf(stateFolder))
  const log = openSync(join(stateFolder, 'taps.log'), 'a', 0o600)
  try {
    const { spawn } = await import('node:child_process')
    const child = spawn(program, args, { detached: true, cwd: '/', env, stdio: ['ignore', log, log] })
    child.once('error', failed) // whoever waits for it tries again
    child.unref()
  } finally {
    closeSync(log)
  }
}

/** Ends the process of the taps, with all links. Resolves when it has ended, also where there is none. */
export async function endTaps(stateFolder: string, clock: Clock): Promise<void> {
  if (existsSync(folderOf(stateFolder))) await endTapProcess(tapSocket(stateFolder), clock)
}

/** The number of the process that has the lock; undefined where there is none. */
function lockedBy(stateFolder: string): number | undefined {
  try {
    return Number(readFileSync(join(folderOf(stateFolder), LOCK_NAME), 'utf8').split('\n')[0])
  } catch {
    return undefined
  }
}

/** The same at once, where nobody can wait. */
export function killTaps(stateFolder: string): void {
  if (!existsSync(join(folderOf(stateFolder), 'socket'))) return
  try {
    const pid = lockedBy(stateFolder)
    if (pid !== undefined) process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/** Variables that the process of the taps does not need: secrets of the daemon are among them. */
const isDaemons = (name: string): boolean => name.startsWith('SECSCTL_') && name !== 'SECSCTL_HOME'

/** The name of the service that has the process run; then the daemon starts none. */
const TAP_SERVICE = 'SECSCTL_TAP_SERVICE'

/**
 * The daemon's side of the process of the taps, which is started when the first equipment has a tap, unless a service
 * has it run.
 */
export function tapClient(
  program: readonly [string, ...string[]],
  stateFolder: string,
  { clock, log }: { readonly clock: Clock; readonly log: { warn(text: string): void } },
  ownership: Pick<Ownership, 'safeFor' | 'renewed'>,
): TapClient {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !isDaemons(name)))
  const failed = (detail: string): void => log.warn(detail)
  const notStarted = ({ message }: Error): void =>
    failed(`the process of the taps was not started: ${message}`)
  const service = process.env[TAP_SERVICE] || undefined
  const launch = (): void => {
    if (service === undefined) void launchTaps(program, stateFolder, env, notStarted).catch(notStarted)
    else failed(`the process of the taps is not there: start the service ${service}`)
  }
  const client = new TapClient({
    clock,
    path: () => tapSocket(stateFolder),
    launch,
    isService: service !== undefined,
    failed,
    leaseMs: () => ownership.safeFor,
  })
  ownership.renewed.on(() => client.leased())
  return client
}
