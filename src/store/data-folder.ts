import { join } from 'node:path'
import type { Clock } from '../kit/clock.js'
import type { Collection } from './collection.js'
import { FailStop } from './failure.js'
import { disk, type FileSystem } from './file-system.js'
import type { Gap } from './gap.js'
import type { Journal } from './journal.js'
import { type Migration, openCollection } from './json-collection.js'
import { lockFolder } from './lock.js'
import { openJournal } from './open-journal.js'
import type { RetentionPolicy } from './retention.js'
import { readOrCreateSecret } from './secret.js'

/** Everything one daemon keeps, in one folder that is its own while it runs. */
export interface Store {
  readonly journal: Journal
  /** Numbers that no entry has, since a person gave up what was lost. */
  readonly gaps: readonly Gap[]
  /** Time by which records get old, in milliseconds since 1970: not that of a clock that has just jumped ahead. */
  readonly time: { now(): number }
  /** Resolves at the first failure of the disk; never rejects. */
  readonly failed: Promise<Error>
  /**
   * A collection by name, kept in `name.json`. Records of an older version go through the migrations, of which
   * the first leads from version 1 to 2, and so on.
   */
  collection<T extends { readonly id: string }>(
    name: string,
    migrations?: readonly Migration[],
  ): Promise<Collection<T>>
  /** `length` random bytes, the same at every call. */
  secret(name: string, length: number): Promise<Uint8Array>
  /** Resolves once everything is on disk and the folder is free again. */
  close(): Promise<void>
}

export interface StoreOptions {
  readonly clock: Clock
  readonly acceptLoss?: boolean
  /** 30 days or 2 GiB unless given. */
  readonly retention?: RetentionPolicy
  /** Bytes of a segment, for tests: 16 MiB unless given. */
  readonly segmentBytes?: number
  readonly fs?: FileSystem
  /** Told what a person should know of, and that ends nothing. */
  readonly warn?: (text: string) => void
}

export const journalFolder = (dataFolder: string): string => join(dataFolder, 'journal')

/** Opens a data folder, and makes it where there is none. Throws `FolderLocked` and `StoreDamaged`. */
export async function openStore(
  folder: string,
  { clock, acceptLoss = false, retention, segmentBytes, fs = disk, warn }: StoreOptions,
): Promise<Store> {
  await fs.makeFolder(folder)
  const lock = await lockFolder(folder)
  const failStop = new FailStop()
  try {
    const options = {
      fs,
      failStop,
      clock,
      acceptLoss,
      ...(retention && { retention }),
      ...(segmentBytes !== undefined && { segmentBytes }),
      ...(warn && { warn }),
    }
    const journal = await openJournal(journalFolder(folder), options)
    return {
      journal,
      gaps: journal.gaps,
      time: journal.time,
      failed: failStop.failed,
      collection: (name, migrations = []) => openCollection(folder, name, { fs, failStop, migrations }),
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
