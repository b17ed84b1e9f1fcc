import type { Clock } from '../kit/clock.js'
import { readFolder, writeFolder } from '../store/migration/files-content.js'
import { fillDatabase, readDatabase } from '../store/migration/postgres-content.js'
import type { ContentForm } from '../store/migration/site-content.js'
import { Database } from '../store/postgres/database.js'
import type { StoreAddress } from './open-store.js'
import { folderContent } from './stored-records.js'

export interface StoreMigration {
  readonly dataFolder: string
  readonly store: StoreAddress
  readonly clock: Clock
}

const form = (): ContentForm => {
  const { checks, migrations = {}, secrets } = folderContent()
  return { collections: Object.keys(checks), migrations, owned: ['equipment'], secrets }
}

/**
 * Copies everything in a data folder to an empty database, numbers unchanged; the folder stays as it is. Resolves with
 * a line about each journal. Throws `FolderLocked`, `StoreDamaged`, `StoreUnavailable`, `CannotMigrate` and `NotTheSame`.
 */
export const migrateToDatabase = ({ dataFolder, store, clock }: StoreMigration): Promise<readonly string[]> =>
  withDatabase(store, async (database) => {
    const { site, close } = await readFolder(dataFolder, form(), { clock, content: folderContent() })
    try {
      return await fillDatabase(database, site, form(), store.sealKey)
    } finally {
      await close()
    }
  })

/** The same from a database to an empty data folder; the database stays as it is. */
export const migrateToFolder = ({ dataFolder, store, clock }: StoreMigration): Promise<readonly string[]> =>
  withDatabase(store, (database) =>
    database.transaction(async (client) => {
      const site = await readDatabase(database, client, form(), store.sealKey)
      return writeFolder(dataFolder, site, form(), { clock, content: folderContent() })
    }),
  )

async function withDatabase<T>(
  { url, password }: StoreAddress,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = new Database({ url, password, name: 'daemon migrate' })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
