import { constants, fdatasync, read, type Stats, write } from 'node:fs'
import { type FileHandle, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolders, requirePrivate, symbolicLink } from '../../../kit/private-file.js'
import { withDescriptor } from './descriptors.js'

/**
 * `read`: exists already. `create`: must not exist yet. `update`: exists already, and what is written is on disk, as
 * after a sync, when `write` resolves.
 */
export type OpenMode = 'read' | 'update' | 'create'

export interface OpenFile {
  size(): Promise<number>
  /** The bytes from `position` on: `length` of them, or fewer where the file ends before. */
  read(position: number, length: number): Promise<Buffer>
  /** Writes all of `bytes`. */
  write(bytes: Buffer, position: number): Promise<void>
  truncate(length: number): Promise<void>
  /** Resolves once content and length are on disk. */
  sync(): Promise<void>
  close(): Promise<void>
}

/** Every call that the journal and the collections make on the disk. Tests pass one that fails. */
export interface FileSystem {
  /**
   * Leaves the file readable and writable by its owner alone, whatever it was and whatever the umask. Throws
   * `NotPrivate` for a symbolic link, and where a file to be written is another user's.
   */
  open(path: string, mode: OpenMode): Promise<OpenFile>
  /** The whole content; undefined when there is no such file. */
  read(path: string): Promise<Buffer | undefined>
  rename(from: string, to: string): Promise<void>
  remove(path: string): Promise<void>
  /** The names in a folder, sorted. */
  list(folder: string): Promise<readonly string[]>
  /** Makes the folder and those above it where they are missing, and leaves it to its owner alone. */
  makeFolder(folder: string): Promise<void>
  /** Resolves once the names in the folder are on disk. */
  syncFolder(folder: string): Promise<void>
}

const FILE_MODE = 0o600
const FOLDER_MODE = 0o700

/** A symbolic link could lead to another user's file; undefined on Windows. */
const NO_LINK = constants.O_NOFOLLOW ?? 0

/**
 * The system call that writes syncs as well: one call of the thread pool instead of two. Elsewhere the flag does not
 * exist, or does not reach the cache of the disk.
 */
const SYNCED = process.platform === 'linux' ? constants.O_DSYNC : 0

const FLAGS: { readonly [mode in OpenMode]: number } = {
  read: constants.O_RDONLY | NO_LINK,
  update: constants.O_RDWR | NO_LINK | SYNCED,
  create: constants.O_RDWR | constants.O_CREAT | constants.O_EXCL,
}

const modeOf = (stats: Stats): number => stats.mode & 0o777

async function protect(handle: FileHandle, mode: number): Promise<Stats> {
  const stats = await handle.stat()
  if (modeOf(stats) !== mode) await handle.chmod(mode)
  return stats
}

async function openFile(path: string, flags: number): Promise<FileHandle> {
  try {
    return await open(path, flags, FILE_MODE)
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ELOOP' ? symbolicLink(path) : error
  }
}

/**
 * A call of `node:fs` as a promise. It takes half of the time of the same method of `FileHandle`: a page of a list is a
 * hundred of these, and a busy journal makes thousands a second.
 */
const called = <T>(call: (done: (error: Error | null, result: T) => void) => void): Promise<T> =>
  new Promise((resolve, reject) => {
    call((error, result) => (error ? reject(error) : resolve(result)))
  })

class DiskFile implements OpenFile {
  /** `syncsWrites`: a sync follows each write. */
  constructor(
    readonly handle: FileHandle,
    readonly syncsWrites: boolean,
  ) {}

  async size(): Promise<number> {
    return (await this.handle.stat()).size
  }

  async read(position: number, length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(length)
    let got = 0
    while (got < length) {
      const more = await called<number>((done) =>
        read(this.handle.fd, bytes, got, length - got, position + got, done),
      )
      if (more === 0) break
      got += more
    }
    return bytes.subarray(0, got)
  }

  async write(bytes: Buffer, position: number): Promise<void> {
    let put = 0
    while (put < bytes.length) {
      put += await called<number>((done) =>
        write(this.handle.fd, bytes, put, bytes.length - put, position + put, done),
      )
    }
    if (this.syncsWrites) await this.sync()
  }

  truncate(length: number): Promise<void> {
    return this.handle.truncate(length)
  }

  sync(): Promise<void> {
    return called((done) => fdatasync(this.handle.fd, (error) => done(error, undefined)))
  }

  close(): Promise<void> {
    return this.handle.close()
  }
}

async function onFolder(folder: string, run: (handle: FileHandle) => Promise<void>): Promise<void> {
  if (process.platform === 'win32') return // a folder cannot be opened there
  const handle = await withDescriptor(() => open(folder, constants.O_RDONLY))
  try {
    await run(handle)
  } finally {
    await handle.close()
  }
}

const syncFolder = (folder: string): Promise<void> => onFolder(folder, (handle) => handle.sync())

export const disk: FileSystem = {
  async open(path, mode) {
    const handle = await withDescriptor(() => openFile(path, FLAGS[mode]))
    try {
      const stats = await protect(handle, FILE_MODE)
      // An administrator may read what is another user's, and writes into nothing of theirs.
      if (mode !== 'read') requirePrivate(path, stats, 0)
      return new DiskFile(handle, mode === 'update' && SYNCED === 0)
    } catch (error) {
      await handle.close()
      throw error
    }
  },

  async read(path) {
    try {
      return await withDescriptor(() => readFile(path))
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
      throw error
    }
  },

  rename: (from, to) => rename(from, to),
  remove: (path) => rm(path),
  list: async (folder) => (await withDescriptor(() => readdir(folder))).sort(),

  async makeFolder(folder) {
    const topmost = await makeFolders(folder)
    await onFolder(folder, async (handle) => void (await protect(handle, FOLDER_MODE)))
    if (topmost === undefined) return
    const above = dirname(topmost)
    for (let made = folder; made !== above && made !== dirname(made); made = dirname(made)) {
      await syncFolder(dirname(made))
    }
  },

  syncFolder,
}
