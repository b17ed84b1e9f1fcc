import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import type { Disk } from './memory.js'

/** A text in a file that only its owner may read. After a crash it is the old text or the new one, complete. */
export class StateFile implements Disk {
  /** Identifies the file of the last `write`: another program may have replaced it. */
  #own: string | undefined

  constructor(private readonly path: string) {}

  read(): string | undefined {
    try {
      return readFileSync(this.path, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  /** Also throws when another program has written the file since the last `write`. */
  write(text: string): void {
    if (this.#own !== undefined && identity(statSync(this.path, { bigint: true })) !== this.#own) {
      throw new Error('another program has written it')
    }
    const draft = `${this.path}.tmp`
    const file = openSync(draft, 'w', 0o600)
    try {
      writeFileSync(file, text)
      fsyncSync(file)
      this.#own = identity(fstatSync(file, { bigint: true }))
    } finally {
      closeSync(file)
    }
    renameSync(draft, this.path)
  }
}

const identity = ({ ino, mtimeNs }: { readonly ino: bigint; readonly mtimeNs: bigint }): string =>
  `${ino} ${mtimeNs}`
