import { closeSync, openSync, writeSync } from 'node:fs'
import { Failure, wrongUsage } from '../errors/failure.js'
import { writeFault } from '../errors/file-fault.js'

/** A new file for a capture, for its owner alone: each write is on disk at once, so that nothing waits in memory. */
export class CaptureFile {
  #file: number | undefined
  /** How many were written. */
  bytes = 0

  constructor(readonly path: string) {}

  /** Makes the file with its first bytes. Throws a `Failure` where it is there already or cannot be written. */
  write(blocks: Uint8Array): void {
    try {
      this.#file ??= openSync(this.path, 'wx', 0o600)
      for (let at = 0; at < blocks.length; ) at += writeSync(this.#file, blocks, at)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EEXIST') throw wrongUsage(`${this.path} is there already: name another file`)
      const kind = this.#file === undefined ? 'usage' : 'unexpected'
      throw new Failure(kind, `cannot write ${this.path}: ${writeFault(error)}`, undefined, error)
    }
    this.bytes += blocks.length
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
  }
}
