import { deferred } from '../../src/kit/deferred.js'
import { disk, type FileSystem } from '../../src/store/files/disk/file-system.js'

/** A disk that answers no write while it is held. */
export class HeldDisk {
  #held = deferred<void>()
  #isHeld = false
  #failure: Error | undefined

  hold(): void {
    this.#held = deferred()
    this.#isHeld = true
  }

  release(failure?: Error): void {
    this.#failure = failure
    this.#isHeld = false
    this.#held.resolve()
  }

  get fs(): FileSystem {
    return {
      ...disk,
      open: async (path, mode) => {
        const file = await disk.open(path, mode)
        const write = async (bytes: Buffer, position: number): Promise<void> => {
          if (this.#isHeld) await this.#held.promise
          if (this.#failure) throw this.#failure
          return file.write(bytes, position)
        }
        return Object.assign(Object.create(file), { write })
      },
    }
  }
}
