import { type FileHandle, open } from 'node:fs/promises'
import { Failure } from '../errors/failure.js'
import { writeFault } from '../errors/file-fault.js'

/** A file that a capture is written to: made with its first bytes, for its owner alone, and never over another. */
export class CaptureFile {
  #handle: FileHandle | undefined
  /** How many were written. */
  bytes = 0

  constructor(readonly path: string) {}

  async write(blocks: Uint8Array): Promise<void> {
    try {
      this.#handle ??= await open(this.path, 'wx', 0o600)
      await this.#handle.writeFile(blocks)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EEXIST') throw new Failure('usage', `${this.path} is there already: name another file`)
      throw new Failure('unexpected', `cannot write ${this.path}: ${writeFault(error)}`, undefined, error)
    }
    this.bytes += blocks.length
  }

  async close(): Promise<void> {
    await this.#handle?.close()
  }
}
