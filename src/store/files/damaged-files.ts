import { StoreDamaged } from '../failure.js'
import { unread } from './disk/unread.js'

/** Places for the file itself, and for all of it, as the index is made of. */
export const FILE = -1
export const ALL = -2

/** The files in which something was read that is not what was written, or that the disk does not give. */
export class DamagedFiles {
  readonly #changed = new Set<string>()
  /** What the disk did not give, and has not given since. */
  readonly #unread = new Map<string, Set<number>>()

  get none(): boolean {
    return this.#changed.size === 0 && this.#unread.size === 0
  }

  has(path: string): boolean {
    return this.#changed.has(path) || this.#unread.has(path)
  }

  add(path: string): void {
    this.#changed.add(path)
  }

  /** Another file has its name. */
  forget(path: string): void {
    this.#changed.delete(path)
    this.#unread.delete(path)
  }

  /**
   * Runs `read`, which reads these places of a file. Throws `StoreDamaged` where the disk does not give them, and the file
   * counts as damaged until each of them has been read.
   */
  async reading<T>(path: string, places: readonly number[], read: () => Promise<T>): Promise<T> {
    try {
      const found = await read()
      const missing = this.#unread.get(path)
      for (const place of missing ? places : []) missing?.delete(place)
      if (missing?.size === 0) this.#unread.delete(path)
      return found
    } catch (error) {
      const failure = unread(path, error)
      if (failure instanceof StoreDamaged && failure.kind === 'unread')
        this.#unread.set(path, new Set([...(this.#unread.get(path) ?? []), ...places]))
      throw failure
    }
  }
}
