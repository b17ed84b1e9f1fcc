import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { ConnectionOptions } from 'node:tls'
import type { Clock } from '../../kit/clock.js'
import { deferred } from '../../kit/deferred.js'
import { SharedRun } from '../../kit/shared-run.js'
import { SITE_KEY } from '../ownership.js'
import type { RecordCheck } from '../record-check.js'
import { DEFAULT_RETENTION, type RetentionPolicy } from '../retention-policy.js'
import type { Migration, Store } from '../store.js'
import { Changes } from './changes.js'
import { Database } from './database.js'
import { Documents } from './documents.js'
import { NO_FENCE } from './fence.js'
import type { JournalParts } from './journal/journal-parts.js'
import { PostgresJournal } from './journal/postgres-journal.js'
import { LEASE_TIME_MS } from './lease-time.js'
import { Leases } from './leases.js'
import { migrate } from './migrate.js'
import { secretOf } from './secrets.js'
import { TrustedTime } from './trusted-time.js'

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database?sslmode=verify-full`. */
  readonly url: string
  /** In place of one in the URL. */
  readonly password?: string | undefined
  readonly tls?: ConnectionOptions | undefined
  /** How this process is called among the others; the name of the machine when left out. */
  readonly nodeName?: string | undefined
  readonly version: string
  /** Milliseconds; 10,000 when left out. */
  readonly leaseMs?: number | undefined
  /** 32 bytes that seal the secrets in the database. */
  readonly sealKey?: Uint8Array | undefined
  /** By the name of the collection. */
  readonly checks: Readonly<Record<string, RecordCheck>>
  /** The same: how records of an earlier version become those of now. */
  readonly migrations?: Readonly<Record<string, readonly Migration[]>> | undefined
  readonly retention?: RetentionPolicy | undefined
  readonly clock: Clock
  /** Called with warnings for the operator. */
  readonly warn?: ((text: string) => void) | undefined
  /** Called with what the operator may want to know. */
  readonly info?: ((text: string) => void) | undefined
}

/** Reads what other processes changed. What fails now is read at the next look. */
const refresh = (documents: Documents, leases: Leases): Promise<void> =>
  documents
    .refresh()
    .then(() => leases.refresh())
    .catch(() => {})

async function readAll(
  documents: Documents,
  leases: Leases,
  journals: readonly PostgresJournal[],
): Promise<void> {
  await documents.refresh()
  await leases.refresh()
  await Promise.all(journals.map((one) => one.catchUp()))
}

/** Opens a store that several processes work on. Throws `StoreUnavailable` and `StoreDamaged`. */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { url, password, tls, version, clock, checks, migrations = {}, sealKey } = options
  const { warn = () => {}, info = () => {} } = options
  const { nodeName = hostname(), leaseMs = LEASE_TIME_MS, retention = DEFAULT_RETENTION } = options
  const database = new Database({ url, password, tls, name: nodeName })
  const node = `${nodeName}-${randomBytes(4).toString('hex')}`
  const failed = deferred<Error>()
  const onBroken = (error: Error): void => failed.resolve(error)
  const common = { database, node, clock }
  const opened: PostgresJournal[] = []
  let changes: Changes | undefined
  try {
    await migrate(database)
    const notify = (): void => {
      if (leases.hasOthers) changes?.notify()
    }
    const read = (): number => opened[0]?.last ?? 0
    const leases = new Leases({ ...common, name: nodeName, version, leaseMs, read, notify, onBroken })
    const onOwned: Leases['noteOwned'] = (...change) => leases.noteOwned(...change)
    const documents = new Documents({ ...common, checks, migrations, notify, onOwned })
    await leases.register()
    const time = await TrustedTime.open(database, clock, () => leases.now(), retention)
    changes = new Changes(database, clock)
    const shared: Omit<JournalParts, 'name' | 'fence' | 'retention'> = {
      ...common,
      changes,
      time,
      warn,
      info,
      onBroken,
      hasSiteDuties: () => leases.owns(SITE_KEY),
      hasFollowers: () => leases.hasOthers,
    }
    const open = async (more: Omit<JournalParts, keyof typeof shared>): Promise<PostgresJournal> => {
      const journal = await PostgresJournal.open({ ...shared, ...more })
      opened.push(journal)
      return journal
    }
    const journal = await open({ name: 'journal', fence: leases, retention })
    changes.noticed.on(() => void refresh(documents, leases))
    const reading = new SharedRun(() => readAll(documents, leases, opened))
    return {
      journal,
      ownership: leases,
      catchUp: () => reading.run(),
      position: () => [documents.version, ...opened.map(({ last }) => last)],
      gaps: [],
      time,
      failed: failed.promise,
      collection: (name, form) => documents.collection(name, form),
      furtherJournal: (name, kept) => open({ name, fence: NO_FENCE, retention: kept }),
      secret: (name, length) => secretOf(database, name, length, sealKey),
      async close() {
        for (const one of opened.toReversed()) await one.close()
        await leases.leave()
        await changes?.close()
        await database.close()
      },
    }
  } catch (error) {
    await changes?.close()
    await database.close()
    throw error
  }
}
