import type { FileSystem, OpenFile } from './file-system.js'

/**
 * The same files, as long as `check` resolves: nothing is written, renamed or removed once it rejects, and no sync
 * counts that it rejects after.
 */
export const guardedFiles = (fs: FileSystem, check: () => Promise<void>): FileSystem => ({
  open: async (path, mode) => {
    const file = await fs.open(path, mode)
    return mode === 'read' ? file : new GuardedFile(file, check)
  },
  read: (path) => fs.read(path),
  list: (folder) => fs.list(folder),
  rename: async (from, to) => {
    await check()
    await fs.rename(from, to)
  },
  remove: async (path) => {
    await check()
    await fs.remove(path)
  },
  makeFolder: (folder) => fs.makeFolder(folder),
  syncFolder: async (folder) => {
    await fs.syncFolder(folder)
    await check()
  },
})

class GuardedFile implements OpenFile {
  constructor(
    readonly file: OpenFile,
    readonly check: () => Promise<void>,
  ) {}

  size(): Promise<number> {
    return this.file.size()
  }

  read(position: number, length: number): Promise<Buffer> {
    return this.file.read(position, length)
  }

  async write(bytes: Buffer, position: number): Promise<void> {
    await this.check()
    await this.file.write(bytes, position)
  }

  async truncate(length: number): Promise<void> {
    await this.check()
    await this.file.truncate(length)
  }

  async sync(): Promise<void> {
    await this.file.sync()
    await this.check()
  }

  close(): Promise<void> {
    return this.file.close()
  }
}
