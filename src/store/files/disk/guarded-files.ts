import { stat } from 'node:fs/promises'
import type { Clock } from '../../../kit/clock.js'
import type { FileSystem, OpenFile } from './file-system.js'

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
      const isInPlace = await inPlace(path)
      return guarded(file, () => orLost(isInPlace()), { checkNow, checkRecently })
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
}

const guarded = (
  file: OpenFile,
  isInPlace: () => Promise<void>,
  { checkNow, checkRecently }: Checks,
): OpenFile => ({
  size: () => file.size(),
  read: (position, length) => file.read(position, length),
  write: async (bytes, position) => {
    await checkRecently()
    await file.write(bytes, position)
  },
  truncate: async (length) => {
    await checkNow()
    await file.truncate(length)
  },
  sync: async () => {
    await file.sync()
    await isInPlace()
    await checkRecently()
  },
  close: () => file.close(),
})

/** Looks whether a path leads to the file that it leads to now. */
async function inPlace(path: string): Promise<() => Promise<void>> {
  const opened = await stat(path).catch(() => undefined)
  return async () => {
    const named = await stat(path).catch(() => undefined)
    if (!opened || (named?.ino === opened.ino && named.dev === opened.dev)) return
    throw new Error(`${path} was moved, replaced or removed while it was written`)
  }
}
