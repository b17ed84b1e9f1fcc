import type { ChildProcess } from 'node:child_process'
import { access, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, delay } from '../kit/clock.js'
import { makeFolders } from '../kit/private-file.js'
import { FolderLocked, type Lock, lockFolder } from '../store/files/disk/lock.js'
import { type DaemonAddress, mayBeAlive, readAddress, removeAddress } from './address-file.js'
import { logLines, startOfLast } from './log-file.js'
import { openLog } from './log-sinks.js'
import { readinessOf } from './probe.js'

/** Between two checks, for a start without a new line in the log, and for an orderly stop. */
const CHECK_INTERVAL_MS = 50
const START_TIMEOUT_MS = 60_000
/** For a start, whatever it logs. */
const START_LIMIT_MS = 60 * 60_000
const STOP_TIMEOUT_MS = 30_000

/** How much of the log is shown when a start fails. */
const LAST_LINES = 10

export interface SpawnOptions {
  /** Program and arguments that run the daemon in the foreground. */
  readonly command: readonly [string, ...string[]]
  readonly env: NodeJS.ProcessEnv
  readonly stateFolder: string
  readonly dataFolder: string
  readonly clock: Clock
  /** Called with each further line of the log of a daemon that starts. */
  readonly onLine?: (line: string) => void
}

export type Started =
  | { readonly kind: 'started' | 'running'; readonly address: DaemonAddress }
  | {
      readonly kind: 'failed'
      /** Undefined when it was ended by a signal, could not be run, or has not ended. */
      readonly exitCode: number | undefined
      readonly log: string
      readonly lastLines: readonly string[]
    }

export const logFile = (stateFolder: string): string => join(stateFolder, 'daemon.log')

/** A daemon runs, and does not respond as it should: it hangs, its disk has failed, or another program has its port. */
export class DaemonSilent extends Error {
  override readonly name = 'DaemonSilent'
  readonly kind = 'unreachable'
  readonly hint = 'secsctl daemon logs'

  constructor({ pid, url }: DaemonAddress, readiness: 'silent' | 'other') {
    const how = {
      silent: `does not respond at ${url} within 5 s: it may be busy`,
      other: `the response at ${url} is that of no gateway: another program may have this port`,
    }
    super(`the daemon (process ${pid}) runs and ${how[readiness]}`)
  }
}

/** The daemon that responds now; undefined when there is none. Throws `DaemonSilent`. Changes nothing. */
export async function findDaemon(stateFolder: string, clock: Clock): Promise<DaemonAddress | undefined> {
  const address = await readAddress(stateFolder)
  if (!address || !mayBeAlive(address.pid)) return undefined
  const readiness = await readinessOf(address.url, clock)
  if (readiness === 'silent' || readiness === 'other') throw new DaemonSilent(address, readiness)
  // One whose database is away says so itself, to each call, and better than could be said here.
  return readiness === 'absent' ? undefined : address
}

/** Waits until no other process starts a daemon here: two at once would make an administrator each. The other one may have much to read. */
export async function takeTurn(stateFolder: string, clock: Clock): Promise<Lock> {
  for (const until = clock.now() + START_LIMIT_MS; ; await delay(clock, CHECK_INTERVAL_MS)) {
    try {
      return await lockFolder(stateFolder)
    } catch (error) {
      if (!(error instanceof FolderLocked) || clock.now() > until) throw error
    }
  }
}

/**
 * Starts a daemon that outlives this process, and waits until it responds or has ended. One that reads a long history says
 * in its log how far it is, and has time as long as it does.
 */
export async function startDetached(options: SpawnOptions): Promise<Started> {
  const { stateFolder, clock, onLine = () => {} } = options
  const running = await findDaemon(stateFolder, clock)
  if (running) return { kind: 'running', address: running }

  await makeFolders(stateFolder)
  const log = logFile(stateFolder)
  const { child, from } = await startOn(log, options)
  const limit = clock.now() + START_LIMIT_MS
  let read = from
  let silent: DaemonSilent | undefined
  for (
    let until = clock.now() + START_TIMEOUT_MS;
    clock.now() < until;
    await delay(clock, CHECK_INTERVAL_MS)
  ) {
    // What it has said before its end is read below.
    const isOver = hasEnded(child)
    for await (const { text, whole, end } of logLines(log, read, (await stat(log)).size)) {
      if (!whole) break
      read = end
      until = Math.min(limit, clock.now() + START_TIMEOUT_MS)
      onLine(text)
    }
    const address = await findDaemon(stateFolder, clock).catch((error: unknown) => {
      if (!(error instanceof DaemonSilent)) throw error
      silent = error // it may be busy with what it does first
      return undefined
    })
    if (address) return { kind: address.pid === child.pid ? 'started' : 'running', address }
    // One that found the folder locked leaves the field to the other, which is still starting.
    if (isOver && (await isFree(options.dataFolder))) break
  }
  if (silent && !hasEnded(child)) throw silent
  return { kind: 'failed', exitCode: child.exitCode ?? undefined, log, lastLines: await lastLines(log, from) }
}

/** Starts the program with its output at the end of a log; `from`: the byte of the log where it begins to write. */
async function startOn(
  log: string,
  { command: [program, ...args], env }: SpawnOptions,
): Promise<{ readonly child: ChildProcess; readonly from: number }> {
  const file = await openLog(log)
  try {
    const from = (await file.stat()).size
    // Loaded here: nearly every command looks for a daemon, and hardly any starts one.
    const { spawn } = await import('node:child_process')
    const child = spawn(program, args, {
      detached: true,
      cwd: '/',
      env: { ...env, SECSCTL_DAEMON_LOG: log },
      stdio: ['ignore', file.fd, file.fd],
    })
    child.once('error', () => {}) // it has no process id then
    child.unref()
    return { child, from }
  } finally {
    await file.close()
  }
}

/** Also when it could not be started. */
const hasEnded = ({ pid, exitCode, signalCode }: ChildProcess): boolean =>
  pid === undefined || exitCode !== null || signalCode !== null

export type Stopped = 'stopped' | 'not_running' | 'still_running'

/** Asks the daemon to stop and waits until its data folder is free. */
export async function stopDaemon(stateFolder: string, dataFolder: string, clock: Clock): Promise<Stopped> {
  const address = await readAddress(stateFolder)
  if (await isFree(dataFolder)) {
    if (address) await removeAddress(stateFolder, address.pid)
    return 'not_running'
  }
  if (!address) return 'still_running'
  if (mayBeAlive(address.pid)) process.kill(address.pid, 'SIGTERM')
  for (
    const until = clock.now() + STOP_TIMEOUT_MS;
    clock.now() < until;
    await delay(clock, CHECK_INTERVAL_MS)
  ) {
    if (!(await isFree(dataFolder))) continue
    // The process removes it, too, but may take a moment longer than the lock.
    await removeAddress(stateFolder, address.pid)
    return 'stopped'
  }
  return 'still_running'
}

/** No daemon has the folder: by the lock, not by the process table, where a process that has ended may still be listed. */
export async function isFree(dataFolder: string): Promise<boolean> {
  try {
    await access(dataFolder) // taking the lock would make the folder
    const lock = await lockFolder(dataFolder)
    await lock.release()
    return true
  } catch (error) {
    if (error instanceof FolderLocked) return false
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true
    throw error
  }
}

/** The last lines written to a log after byte `from`. */
export async function lastLines(log: string, from: number, count = LAST_LINES): Promise<string[]> {
  const { size } = await stat(log)
  const lines: string[] = []
  for await (const { text } of logLines(log, Math.max(from, await startOfLast(log, count)), size))
    if (text !== '') lines.push(text)
  return lines
}
