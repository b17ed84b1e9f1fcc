import { constants, readSync, statSync } from 'node:fs'
import { type FileHandle, open, readdir, readFile, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { makeFolders, requirePrivate, symbolicLink, WORLD, WORLD_WRITES } from '../../../kit/private-file.js'

/** Another process works on the folder. */
export class FolderLocked extends Error {
  override readonly name = 'FolderLocked'

  constructor(
    readonly folder: string,
    /** As the holder noted it; for people. */
    readonly pid: number | undefined,
  ) {
    super(`${folder} is in use${pid === undefined ? '' : ` by process ${pid}`}`)
  }
}

/** The folder was moved, replaced or taken by another process while this one worked on it. */
export class FolderLost extends Error {
  override readonly name = 'FolderLost'
}

/** The file system grants the lock to several processes at once, so it protects nothing. */
export class LockNotEnforced extends Error {
  override readonly name = 'LockNotEnforced'

  constructor(readonly folder: string) {
    super(`the file system of ${folder} does not enforce locks, so two processes could write there at once`)
  }
}

export interface LockOptions {
  /** True: no other user may read the folder. False: no other user may write there. */
  readonly secret?: boolean
  /** Takes the lock of an open file; false when another has it. For tests. */
  readonly tryLock?: (fd: number) => boolean
}

export const LOCK_NAME = 'lock'
const { O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants

/**
 * Takes the folder for this process: a lock that the kernel frees with it. Throws `FolderLocked`, `LockNotEnforced`,
 * and `NotPrivate` for a folder or lock file of another user, or open to others.
 */
export async function lockFolder(
  folder: string,
  { secret = false, tryLock = kernelLock }: LockOptions = {},
): Promise<Lock> {
  await makeFolders(folder)
  await requirePrivateFolder(folder, secret)
  const path = join(folder, LOCK_NAME)
  const handle = await openLock(path)
  try {
    requirePrivate(path, await handle.stat(), WORLD_WRITES)
    if (!tryLock(handle.fd)) throw new FolderLocked(folder, await holder(path))
    await requireEnforced(folder, path, tryLock)
    await handle.chmod(0o600)
    const held = new Lock(folder, path, handle, await note(handle))
    await held.check()
    return held
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Throws `NotPrivate` for a folder of another user, or open to others; one without anything in it may still be closed. */
export async function requirePrivateFolder(folder: string, secret: boolean): Promise<void> {
  const stats = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!stats) return
  const isEmpty = (await readdir(folder)).length === 0
  requirePrivate(folder, stats, secret ? (isEmpty ? 0 : WORLD) : WORLD_WRITES)
}

async function openLock(path: string): Promise<FileHandle> {
  try {
    return await open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOOP') throw symbolicLink(path)
    throw error
  }
}

/** Held until released, or until the process is gone, however it goes. */
export class Lock {
  #released = false
  #identity: { readonly dev: number; readonly ino: number } | undefined

  constructor(
    readonly folder: string,
    readonly path: string,
    readonly handle: FileHandle,
    /** What this process has written into the file. */
    readonly noted: string,
  ) {}

  /** Rejects with `FolderLost` once the lock file is gone or another process has written to it. */
  async check(): Promise<void> {
    if (this.#released) throw new FolderLost(`${this.folder} was given back`)
    this.#identity ??= await this.handle.stat()
    // Synchronous: the system has both in memory, and the thread pool would take ten times as long.
    const named = statSync(this.path, { throwIfNoEntry: false })
    const content = contentOf(this.handle.fd)
    if (named?.ino !== this.#identity.ino || named.dev !== this.#identity.dev) {
      throw new FolderLost(`${this.path} is gone: the folder was moved or replaced, or the file was removed`)
    }
    if (content !== this.noted) {
      throw new FolderLost(`${this.path} was changed: another process works on the folder`)
    }
  }

  async release(): Promise<void> {
    if (this.#released) return
    this.#released = true
    await this.handle.close()
  }
}

/** Loaded when it is needed: a native addon that a command without a data folder has no use for. */
function kernelLock(fd: number): boolean {
  const require = createRequire(import.meta.url)
  const native = require('fs-native-extensions') as typeof import('fs-native-extensions')
  return native.tryLock(fd)
}

/** Throws `LockNotEnforced` where a second handle is granted the lock as well. */
async function requireEnforced(
  folder: string,
  path: string,
  tryLock: (fd: number) => boolean,
): Promise<void> {
  const second = await openLock(path)
  try {
    if (tryLock(second.fd)) throw new LockNotEnforced(folder)
  } finally {
    await second.close()
  }
}

/** Undefined where it cannot be read. */
function contentOf(fd: number): string | undefined {
  const bytes = Buffer.alloc(64)
  try {
    return bytes.toString('latin1', 0, readSync(fd, bytes, 0, bytes.length, 0))
  } catch {
    return undefined
  }
}

/**
 * The process id, for people, and a word that no other process writes; what of it is in the file. The lock holds
 * without it, so a full disk does not matter.
 */
async function note(handle: FileHandle): Promise<string> {
  try {
    // Loaded here: every command that looks for a daemon loads this file.
    const { randomBytes } = await import('node:crypto')
    await handle.truncate(0)
    await handle.write(`${process.pid}\n${randomBytes(8).toString('hex')}\n`, 0)
  } catch {
    // the pid cannot be shown
  }
  return contentOf(handle.fd) ?? ''
}

async function holder(path: string): Promise<number | undefined> {
  const pid = Number.parseInt(await readFile(path, 'latin1').catch(() => ''), 10)
  return Number.isSafeInteger(pid) ? pid : undefined
}
