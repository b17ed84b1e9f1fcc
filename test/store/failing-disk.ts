import { disk, type FileSystem, type OpenFile } from '../../src/store/files/disk/file-system.js'

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
  const opened = async (file: Promise<OpenFile>): Promise<OpenFile> => {
    const wrapping = wrapped(await file)
    openFiles++
    return wrapping
  }
  const wrapped = (file: OpenFile): OpenFile => ({
    size: () => file.size(),
    read: (position, length) => file.read(position, length),
    write: (bytes, position) =>
      change(() => file.write(bytes, position)).catch(async (error: unknown) => {
        await file.write(bytes.subarray(0, bytes.length >> 1), position) // half of it got through
        throw error
      }),
    truncate: (length) => change(() => file.truncate(length)),
    sync: () => change(async () => (syncs ? file.sync() : undefined)),
    close: () => {
      openFiles--
      return file.close()
    },
  })
  return {
    calls: () => calls,
    openFiles: () => openFiles,
    open: (path, mode) =>
      opened(mode === 'create' ? change(() => disk.open(path, mode)) : disk.open(path, mode)),
    read: (path) => disk.read(path),
    list: (folder) => disk.list(folder),
    rename: (from, to) => change(() => disk.rename(from, to)),
    remove: (path) => change(() => disk.remove(path)),
    makeFolder: (folder) => disk.makeFolder(folder),
    syncFolder: (folder) => change(async () => (syncs ? disk.syncFolder(folder) : undefined)),
  }
}
