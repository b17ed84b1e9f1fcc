import { closeSync, openSync, writeSync } from 'node:fs'
import { Failure } from '../errors/failure.js'
import { writeFault } from '../errors/file-fault.js'

/** A new file that is written at once, so that nothing waits in memory; for its owner alone. */
export class CaptureSink {
  readonly #file: number

  /** Throws a `Failure` where the file is there already or cannot be made. */
  constructor(readonly path: string) {
    try {
      this.#file = openSync(path, 'wx', 0o600)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EEXIST') throw new Failure('usage', `${path} is there already: name another file`)
      throw new Failure('usage', `cannot write ${path}: ${writeFault(error)}`)
    }
  }

  write(blocks: Uint8Array): void {
    for (let at = 0; at < blocks.length; ) at += writeSync(this.#file, blocks, at)
  }

  close(): void {
    closeSync(this.#file)
  }
}
