import type { PostgresOptions } from '../store/postgres/open-postgres.js'
import type { Store } from '../store/store.js'
import type { DaemonOptions } from './daemon.js'
import { folderContent } from './stored-records.js'

/** A database that several daemons work on. */
export interface StoreAddress
  extends Pick<PostgresOptions, 'url' | 'password' | 'nodeName' | 'leaseMs' | 'sealKey'> {
  /** Where other daemons reach this one; the address that it listens on when left out. */
  readonly nodeUrl?: string | undefined
}

/**
 * Opens the data folder, or the database where one is given. Throws `FolderLocked`, `LockNotEnforced`, `NotPrivate`,
 * `StoreDamaged` and `StoreUnavailable`.
 */
export async function openDaemonStore(options: DaemonOptions): Promise<Store> {
  const { acceptLoss, acceptEdits = false, retention, clock, log, version, catalogue } = options
  const warn = (text: string): void => log.warn(text)
  const content = folderContent({ catalogue })
  if (options.store) {
    const { openPostgresStore } = await import('../store/postgres/open-postgres.js')
    const { checks } = content
    const store = await openPostgresStore({ ...options.store, version, checks, retention, clock, warn })
    if (!options.store.sealKey)
      log.info('the signing key is not sealed in the database: --store-key-file seals it')
    return store
  }
  const { openStore } = await import('../store/files/data-folder.js')
  const accepted = { acceptLoss, acceptEdits, content }
  const store = await openStore(options.dataFolder, {
    ...accepted,
    clock,
    warn,
    ...(retention && { retention }),
  })
  if (acceptLoss) for (const { first, last } of store.gaps) log.warn({ first, last }, 'entries were given up')
  return store
}
