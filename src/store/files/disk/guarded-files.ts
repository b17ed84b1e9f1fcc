import { type Stats, statSync } from 'node:fs'
import type { Clock } from '../../../kit/clock.js'
import type { FileSystem, OpenFile, OpenMode } from './file-system.js'

/** Milliseconds that a check stands for: less than another process needs to open the folder. */
const CHECK_VALID_MS = 5

/**
 * The same files, as long as `check` resolves: nothing is written, renamed or removed once it rejects, and no sync
 * counts that it rejects after. Nor does a sync of a file that was moved, replaced or removed meanwhile.
 */
export function guardedFiles(fs: FileSystem, check: () => Promise<void>, clock: Clock): FileSystem {
  let checkedAt = Number.NEGATIVE_INFINITY
  const checkNow = async (): Promise<void> => {
    const at = clock.now()
    await check()
    checkedAt = at
  }
  const checkRecently = async (): Promise<void> => {
    if (clock.now() - checkedAt >= CHECK_VALID_MS) await checkNow()
  }
  /** Rejects with what `check` rejects with, where a step fails because the folder is gone. */
  const orLost = async <T>(step: Promise<T>): Promise<T> => {
    try {
      return await step
    } catch (error) {
      await check()
      throw error
    }
  }
  return {
    open: async (path, mode) => {
      if (mode === 'read') return fs.open(path, mode)
      const file = await orLost(fs.open(path, mode))
      const isInPlace = inPlace(path)
      const synced = async (): Promise<void> => {
        await orLost(isInPlace())
        await checkRecently()
      }
      return guarded(file, mode, { checkNow, checkRecently, synced })
    },
    read: (path) => fs.read(path),
    list: (folder) => fs.list(folder),
    rename: async (from, to) => {
      await checkNow()
      await orLost(fs.rename(from, to))
    },
    remove: async (path) => {
      await checkNow()
      await orLost(fs.remove(path))
    },
    makeFolder: (folder) => orLost(fs.makeFolder(folder)),
    syncFolder: async (folder) => {
      await orLost(fs.syncFolder(folder))
      await checkNow()
    },
  }
}

interface Checks {
  checkNow(): Promise<void>
  checkRecently(): Promise<void>
  /** To be called after each sync. */
  synced(): Promise<void>
}

const guarded = (file: OpenFile, mode: OpenMode, { checkNow, checkRecently, synced }: Checks): OpenFile => ({
  size: () => file.size(),
  read: (position, length) => file.read(position, length),
  write: async (bytes, position) => {
    await checkRecently()
    await file.write(bytes, position)
    if (mode === 'update') await synced()
  },
  truncate: async (length) => {
    await checkNow()
    await file.truncate(length)
  },
  sync: async () => {
    await file.sync()
    await synced()
  },
  close: () => file.close(),
})

/**
 * Looks whether a path leads to the file that it leads to now. Synchronous: the disk has just answered, and through the
 * thread pool it would take as long as a sync.
 */
function inPlace(path: string): () => Promise<void> {
  const stat = (): Stats | undefined => statSync(path, { throwIfNoEntry: false })
  const opened = stat()
  return async () => {
    const named = stat()
    if (!opened || (named?.ino === opened.ino && named.dev === opened.dev)) return
    throw new Error(`${path} was moved, replaced or removed while it was written`)
  }
}
