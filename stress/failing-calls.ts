import type { FileSystem } from '../src/store/files/disk/file-system.js'

/** The same file system, of which `many` changes from the n-th on fail, half written, and those behind them do not. */
export function failingCalls(fs: FileSystem, nth: number, many: number): FileSystem {
  let calls = 0
  const may = (): void => {
    calls += 1
    if (calls >= nth && calls < nth + many) throw new Error('ENOSPC: no space left on device')
  }
  return {
    async open(path, mode) {
      if (mode === 'create') may()
      const file = await fs.open(path, mode)
      return {
        size: () => file.size(),
        read: (at, length) => file.read(at, length),
        async write(bytes, at) {
          try {
            may()
          } catch (error) {
            await file.write(bytes.subarray(0, bytes.length >> 1), at)
            throw error
          }
          await file.write(bytes, at)
          if (mode === 'update') may() // its sync
        },
        async truncate(length) {
          may()
          await file.truncate(length)
        },
        async sync() {
          may()
          await file.sync()
        },
        close: () => file.close(),
      }
    },
    read: (path) => fs.read(path),
    list: (path) => fs.list(path),
    makeFolder: (path) => fs.makeFolder(path),
    async rename(from, to) {
      may()
      await fs.rename(from, to)
    },
    async remove(path) {
      may()
      await fs.remove(path)
    },
    async syncFolder(path) {
      may()
      await fs.syncFolder(path)
    },
  }
}
