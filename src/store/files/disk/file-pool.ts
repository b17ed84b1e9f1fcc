import type { FileSystem, OpenFile } from './file-system.js'

interface Pooled {
  readonly file: Promise<OpenFile>
  users: number
  /** Not to be used by new callers: the last user closes it. */
  dropped: boolean
}

/** Files kept open at once for reading, beside those that are being read. */
const MAX_OPEN = 64

/** Files that are open for reading: opened when one is asked for, the one not used for longest closed. */
export class FilePool {
  readonly #files = new Map<string, Pooled>()
  readonly #closing = new Set<Promise<void>>()

  constructor(
    readonly fs: FileSystem,
    readonly kept = MAX_OPEN,
  ) {}

  /** Lends the file to `run`, which must not keep it. */
  async use<T>(path: string, run: (file: OpenFile) => Promise<T>): Promise<T> {
    const pooled = this.#files.get(path) ?? { file: this.fs.open(path, 'read'), users: 0, dropped: false }
    // Moved to the end: the first is the least recently used.
    this.#files.delete(path)
    this.#files.set(path, pooled)
    pooled.users++
    this.#shrink()
    try {
      return await run(await this.#opened(path, pooled))
    } finally {
      pooled.users--
      if (pooled.dropped && pooled.users === 0) await this.#close(pooled)
      else this.#shrink()
    }
  }

  /** The file is not wanted any more: it is gone, or another will have its name. */
  forget(path: string): void {
    const pooled = this.#files.get(path)
    if (pooled) this.#drop(path, pooled)
  }

  async close(): Promise<void> {
    for (const [path, pooled] of [...this.#files]) this.#drop(path, pooled)
    await Promise.all(this.#closing)
  }

  async #opened(path: string, pooled: Pooled): Promise<OpenFile> {
    try {
      return await pooled.file
    } catch (error) {
      if (this.#files.get(path) === pooled) this.#files.delete(path)
      throw error
    }
  }

  #shrink(): void {
    for (const [path, pooled] of this.#files) {
      if (this.#files.size <= this.kept) return
      if (pooled.users === 0) this.#drop(path, pooled)
    }
  }

  #drop(path: string, pooled: Pooled): void {
    this.#files.delete(path)
    pooled.dropped = true
    if (pooled.users > 0) return
    const closing = this.#close(pooled).finally(() => this.#closing.delete(closing))
    this.#closing.add(closing)
  }

  /** What was only read has nothing to lose when closing fails. */
  async #close({ file }: Pooled): Promise<void> {
    const opened = await file.catch(() => undefined)
    await opened?.close().catch(() => undefined)
  }
}
