import { join } from 'node:path'
import type { Collection } from './collection.js'
import { FailStop } from './failure.js'
import { disk, type FileSystem } from './file-system.js'
import type { Journal } from './journal.js'
import { openCollection } from './json-collection.js'
import { lockFolder } from './lock.js'
import { openJournal } from './ndjson-journal.js'
import { readOrCreateSecret } from './secret.js'

/** Everything one daemon keeps, in one folder that is its own while it runs. */
export interface Store {
  readonly journal: Journal
  /** Resolves at the first failure of the disk; never rejects. */
  readonly failed: Promise<Error>
  /** A collection by name, kept in `name.json`. */
  collection<T extends { readonly id: string }>(name: string): Promise<Collection<T>>
  /** `length` random bytes, the same at every call. */
  secret(name: string, length: number): Promise<Uint8Array>
  /** Resolves once everything is on disk and the folder is free again. */
  close(): Promise<void>
}

export interface StoreOptions {
  readonly acceptLoss?: boolean
  readonly fs?: FileSystem
}

/** Opens a data folder, and makes it where there is none. Throws `FolderLocked` and `StoreDamaged`. */
export async function openStore(
  folder: string,
  { acceptLoss = false, fs = disk }: StoreOptions = {},
): Promise<Store> {
  await fs.makeFolder(folder)
  const lock = await lockFolder(folder)
  const failStop = new FailStop()
  try {
    const journal = await openJournal(join(folder, 'journal'), { fs, failStop, acceptLoss })
    return {
      journal,
      failed: failStop.failed,
      collection: (name) => openCollection(folder, name, { fs, failStop }),
      secret: (name, length) => readOrCreateSecret(fs, folder, name, length),
      async close() {
        try {
          await journal.close()
        } finally {
          await lock.release()
        }
      },
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}
