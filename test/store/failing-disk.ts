import { closeSync, openSync, writeSync } from 'node:fs'
import {
  disk,
  type FileSystem,
  type OpenFile,
  type OpenMode,
} from '../../src/store/files/disk/file-system.js'

/**
 * A disk whose n-th call that changes something fails, and every one after it, as of a process about to go.
 * Without `syncs` nothing waits for the real disk.
 */
export function failingDisk(
  nth: number,
  { syncs = true } = {},
): FileSystem & { readonly calls: () => number; readonly openFiles: () => number } {
  let calls = 0
  let openFiles = 0
  const change = <R>(run: () => Promise<R>): Promise<R> => {
    calls++
    return calls >= nth ? Promise.reject(new Error('EIO: made up')) : run()
  }
  const opened = async (file: Promise<OpenFile>, path: string, mode: OpenMode): Promise<OpenFile> => {
    const wrapping = wrapped(await file, mode, syncs || mode !== 'update' ? undefined : openSync(path, 'r+'))
    openFiles++
    return wrapping
  }
  /** `plain`: a descriptor whose writes are not synced. */
  const wrapped = (file: OpenFile, mode: OpenMode, plain: number | undefined): OpenFile => ({
    size: () => file.size(),
    read: (position, length) => file.read(position, length),
    async write(bytes, position) {
      const put = async (part: Buffer): Promise<void> => {
        if (plain === undefined) return file.write(part, position)
        writeSync(plain, part, 0, part.length, position)
      }
      await change(() => put(bytes)).catch(async (error: unknown) => {
        await put(bytes.subarray(0, bytes.length >> 1)) // half of it got through
        throw error
      })
      if (mode === 'update') await this.sync()
    },
    truncate: (length) => change(() => file.truncate(length)),
    sync: () => change(async () => (syncs ? file.sync() : undefined)),
    close: () => {
      openFiles--
      if (plain !== undefined) closeSync(plain)
      return file.close()
    },
  })
  return {
    calls: () => calls,
    openFiles: () => openFiles,
    open: (path, mode) =>
      opened(mode === 'create' ? change(() => disk.open(path, mode)) : disk.open(path, mode), path, mode),
    read: (path) => disk.read(path),
    list: (folder) => disk.list(folder),
    rename: (from, to) => change(() => disk.rename(from, to)),
    remove: (path) => change(() => disk.remove(path)),
    makeFolder: (folder) => disk.makeFolder(folder),
    syncFolder: (folder) => change(async () => (syncs ? disk.syncFolder(folder) : undefined)),
  }
}
