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

/** A text in a file, which only its owner may read. After any crash it is the old one or the new one, whole. */
export class StateFile implements Disk {
  /** By which the file of the last `write` is told from another that somebody put in its place. */
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

  /** Throws, too, when somebody else has written the file since the last time. */
  write(text: string): void {
    if (this.#own !== undefined && identity(statSync(this.path, { bigint: true })) !== this.#own) {
      throw new Error('somebody else has written it meanwhile')
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
