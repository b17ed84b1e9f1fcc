import { lstat, readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { type Cancel, type Clock, delay } from '../../../kit/clock.js'
import {
  privacyFault,
  requirePrivateFile,
  symbolicLink,
  WORLD,
  WORLD_WRITES,
} from '../../../kit/private-file.js'
import type { FailStop } from '../../failure.js'
import { LOCK_NAME, type Lock } from './lock.js'

/** From one check of the lock to the next, where nothing is written. */
const CHECK_INTERVAL_MS = 1000

/** Ends all acknowledging once the folder is not ours any more. */
export function watchLock(lock: Lock, failStop: FailStop, clock: Clock): Cancel {
  const over = new AbortController()
  const { signal } = over
  const watch = async (): Promise<void> => {
    for (;;) {
      await delay(clock, CHECK_INTERVAL_MS, signal)
      if (signal.aborted) return
      await lock.check()
    }
  }
  watch().catch((error: unknown) => {
    if (!signal.aborted) failStop.stop(error)
  })
  return () => over.abort()
}

/** Collections, the key, and what is written beside them. */
const OWN_FILE = /\.json(\.bak)?$|^signing-key/

/** Throws `NotPrivate` where a file that the daemon trusts is a link, of another user, or open to everybody. */
export async function requirePrivateFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (OWN_FILE.test(name)) await requirePrivateFile(join(folder, name), WORLD)
  }
}

/** Why a start would refuse files and folders, or the data folder: another user owns them or has access. Changes nothing. */
export async function privacyFaults(
  folder: string,
): Promise<{ readonly file: string; readonly detail: string }[]> {
  // With their types: without them a link to a folder is followed.
  const options = { recursive: true, withFileTypes: true } as const
  const inJournal = await readdir(join(folder, 'journal'), options).catch(() => [])
  const pathsInJournal = inJournal.map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
  const names = [...(await readdir(folder)), ...pathsInJournal].sort()
  // On Windows the system protects the folders of a user. Root may look at the folder of another user.
  const owner = process.geteuid && (await stat(folder)).uid
  const faults = []
  for (const name of ['', ...names]) {
    const isOwn = name === '' || OWN_FILE.test(name)
    const isJournal = name === LOCK_NAME || /^journal\b/.test(name)
    if (!isOwn && !isJournal) continue
    const file = join(folder, name)
    const stats = await (name === '' ? stat(file) : lstat(file)).catch(() => undefined)
    if (!stats || (name !== '' && isOwn && stats.isDirectory())) continue
    const mask = isOwn ? WORLD : name === LOCK_NAME ? WORLD_WRITES : 0
    const fault = stats.isSymbolicLink() ? symbolicLink(file) : privacyFault(file, stats, mask, owner)
    if (fault) faults.push({ file, detail: `${fault.message}: ${fault.hint}` })
  }
  return faults
}
