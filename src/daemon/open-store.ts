import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { GatewayParts } from '../gateway/open-gateway.js'
import type { Clock } from '../kit/clock.js'
import { lockFolder } from '../store/files/disk/lock.js'
import type { PostgresOptions } from '../store/postgres/open-postgres.js'
import { KEEP_ALL, type RetentionPolicy } from '../store/retention-policy.js'
import type { Store } from '../store/store.js'
import { type Standby, type StandbyChange, standbyInDatabase, standbyInFolder } from './standby.js'
import { folderContent } from './stored-records.js'

/** A database that several daemons work on. */
export interface StoreAddress
  extends Pick<PostgresOptions, 'url' | 'password' | 'nodeName' | 'leaseMs' | 'sealKey'> {
  /** Where other daemons reach this one; the address that it listens on when left out. */
  readonly nodeUrl?: string | undefined
  /** The authorities, PEM, that certify the others; those of the system when left out. */
  readonly nodeCa?: string | undefined
}

export interface StoreChoice {
  /** Holds everything that has to survive; locked while the daemon runs. */
  readonly dataFolder: string
  /** The database that has to survive in its place. */
  readonly store?: StoreAddress | undefined
  /** An operator accepts that damaged or missing records are given up. */
  readonly acceptLoss: boolean
  /** An operator states that documents were edited by hand: they are taken as they are. */
  readonly acceptEdits?: boolean
  /** Begin or end the standby of these records; they stay as they are when left out. */
  readonly standby?: StandbyChange | undefined
  /** How much history is kept: milliseconds and bytes. 30 days or 2 GiB when left out. */
  readonly retention?: RetentionPolicy
  /** The standard's messages and items, and a site's own. */
  readonly catalogue: GatewayParts['catalogue']
  readonly version: string
  /** The version with its build, as other daemons show it; the version alone when left out. */
  readonly builtVersion?: string
  readonly log: Logger
  readonly clock: Clock
}

/** A store, and whether it is a copy that is only looked at. */
export interface DaemonStore extends Store {
  readonly isStandby: boolean
}

/**
 * Opens the data folder, or the database where one is given. Throws `FolderLocked`, `LockNotEnforced`, `NotPrivate`,
 * `StoreDamaged` and `StoreUnavailable`.
 */
export async function openDaemonStore(options: StoreChoice): Promise<DaemonStore> {
  const { acceptLoss, acceptEdits = false, clock, log, version, catalogue, standby } = options
  const warn = (text: string): void => log.warn(text)
  const info = (text: string): void => log.info(text)
  const content = folderContent({ catalogue })
  if (options.store) {
    if (!options.store.sealKey)
      log.info('the signing key is not sealed in the database: --store-key-file seals it')
    const { openPostgresStore } = await import('../store/postgres/open-postgres.js')
    const { checks, migrations } = content
    const { retention, builtVersion: built = version } = options
    const given = { ...options.store, version: built, checks, migrations, retention, clock, warn, info }
    const opened = await inFolder(options.dataFolder, warn, () => openPostgresStore(given))
    return withStandby(opened, await standbyInDatabase(opened, clock).catch(closing(opened)), standby)
  }
  const kept = await standbyInFolder(options.dataFolder, clock)
  // A copy that is only looked at loses nothing.
  const isStandby = standby === 'begin' || (kept.isBegun && standby !== 'end')
  const retention = isStandby ? KEEP_ALL : options.retention
  const { openStore } = await import('../store/files/data-folder.js')
  const accepted = { acceptLoss, acceptEdits, content }
  const store = await openStore(options.dataFolder, {
    ...accepted,
    clock,
    warn,
    info,
    ...(retention && { retention }),
  })
  for (const { first, last, restored } of acceptLoss ? store.gaps : [])
    if (!restored) log.warn({ first, last }, 'entries were given up')
  return withStandby(store, kept, standby)
}

const closing =
  (store: Store) =>
  async (error: unknown): Promise<never> => {
    await store.close()
    throw error
  }

/** Begins or ends the standby, before anything is served. */
async function withStandby(
  store: Store,
  kept: Standby,
  change: StandbyChange | undefined,
): Promise<DaemonStore> {
  if (change === 'begin' && !kept.isBegun) await kept.begin().catch(closing(store))
  if (change === 'end') await kept.end().catch(closing(store))
  return { ...store, isStandby: change === 'begin' || (kept.isBegun && change !== 'end') }
}

/**
 * Opens a store that is elsewhere. The folder is this process's all the same: it holds nothing but the lock, by which
 * others learn that a daemon runs here. Records that are in it stay unused.
 */
async function inFolder(
  folder: string,
  warn: (text: string) => void,
  open: () => Promise<Store>,
): Promise<Store> {
  const lock = await lockFolder(folder, { secret: true })
  try {
    if (await holdsRecords(folder)) warn(`the records in ${folder} are not used: those of the database are`)
    const store = await open()
    const close = (): Promise<void> => store.close().finally(() => lock.release())
    return { ...store, close }
  } catch (error) {
    await lock.release()
    throw error
  }
}

const holdsRecords = (folder: string): Promise<boolean> =>
  stat(join(folder, 'journal')).then(
    () => true,
    () => false,
  )
