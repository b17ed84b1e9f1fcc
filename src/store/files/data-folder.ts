import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../kit/clock.js'
import { defined } from '../../kit/defined.js'
import type { Collection } from '../collection.js'
import { FailStop, StoreDamaged } from '../failure.js'
import type { Journal } from '../journal.js'
import { type ReadingProgress, readingProgress } from '../reading-progress.js'
import type { RecordCheck } from '../record-check.js'
import type { RetentionPolicy } from '../retention-policy.js'
import { SoleOwnership } from '../sole-ownership.js'
import {
  type CollectionForm,
  FURTHER_JOURNALS,
  type FurtherJournal,
  type Migration,
  type Store,
} from '../store.js'
import { MANIFEST_NAME, verifyManifest } from './backup/manifest.js'
import { BACKUP } from './disk/durable-file.js'
import { disk, type FileSystem } from './disk/file-system.js'
import { guardedFiles } from './disk/guarded-files.js'
import { lockFolder, requirePrivateFolder } from './disk/lock.js'
import { requirePrivateFiles, watchLock } from './disk/own-folder.js'
import { readOrCreateSecret } from './disk/secret.js'
import { Checkpoint } from './documents/checkpoint.js'
import { openCollection } from './documents/json-collection.js'
import { refuseDocuments } from './documents/open-document.js'
import { openJournal } from './open-journal.js'
import type { Fault } from './repair/verify.js'
import type { KeptInMemory } from './segments/segment.js'

/** What is in a data folder besides the journal. */
export interface FolderContent {
  /** By the name of the collection. */
  readonly checks: Readonly<Record<string, RecordCheck>>
  /** The same: how records of an earlier version become those of now. */
  readonly migrations?: Readonly<Record<string, readonly Migration[]>>
  /** The secrets, each with its length in bytes. */
  readonly secrets: Readonly<Record<string, number>>
  /** Names of files that are there wherever the journal has entries. */
  readonly expected: readonly string[]
}

export interface StoreOptions extends KeptInMemory {
  readonly clock: Clock
  readonly acceptLoss?: boolean
  /** A person's word that documents were edited by hand, or replaced by older ones: they are taken as they are. */
  readonly acceptEdits?: boolean
  readonly content?: FolderContent
  /** 30 days or 2 GiB unless given. */
  readonly retention?: RetentionPolicy
  /** Bytes of a segment, for tests: 16 MiB unless given. */
  readonly segmentBytes?: number
  readonly fs?: FileSystem
  /** Called with warnings for the operator; the store keeps working. */
  readonly warn?: (text: string) => void
  /** Called with what the operator may want to know. */
  readonly info?: (text: string) => void
}

/** What a person has accepted. */
interface Accepted {
  readonly loss: boolean
  readonly edits: boolean
}

export const journalFolder = (dataFolder: string, name: FurtherJournal | 'journal' = 'journal'): string =>
  join(dataFolder, name)

/**
 * Opens a data folder, and makes it where there is none. Throws `FolderLocked`, `LockNotEnforced`, `StoreDamaged`,
 * and `NotPrivate` for a folder or file of another user or open to everybody.
 */
export async function openStore(path: string, options: StoreOptions): Promise<Store> {
  const { clock, fs = disk } = options
  // A link to the folder is followed once: it may lead elsewhere while the folder is open.
  const folder = await realpath(path).catch(() => path)
  await requirePrivateFolder(folder, true)
  await fs.makeFolder(folder)
  const lock = await lockFolder(folder, { secret: true })
  const failStop = new FailStop()
  const unwatch = watchLock(lock, failStop, clock)
  try {
    await requirePrivateFiles(folder)
    const guarded = guardedFiles(fs, () => lock.check(), clock)
    const store = await openFiles(folder, { ...options, fs: guarded }, failStop)
    return {
      ...store,
      async close() {
        try {
          await store.close()
        } finally {
          unwatch()
          await lock.release()
        }
      },
    }
  } catch (error) {
    unwatch()
    await lock.release()
    throw error
  }
}

/** The same without the lock, for callers that know that no other process uses the folder. */
export async function openFiles(
  folder: string,
  options: StoreOptions,
  failStop = new FailStop(),
): Promise<Store> {
  const { acceptLoss = false, acceptEdits = false, fs = disk, warn = () => {}, info = () => {} } = options
  const accepted = { loss: acceptLoss, edits: acceptEdits }
  const { clock } = options
  const progress = readingProgress(clock, info)
  const shared = { fs, failStop, clock, acceptLoss, warn, info, progress }
  const isRestored = await takeManifest(fs, folder, accepted, progress)
  const checkpoint = await Checkpoint.open(folder, shared)
  const { retention, segmentBytes, indexBytes, entryBytes, openFiles, content } = options
  const segments = { isRestored, ...defined({ segmentBytes, indexBytes, entryBytes, openFiles }) }
  const journal = await openJournal(journalFolder(folder), {
    ...shared,
    ...segments,
    checkpoint,
    ...defined({ retention }),
  })
  const further: Journal[] = []
  const close = async (): Promise<void> => {
    try {
      for (const one of [...further, journal]) await one.close()
    } finally {
      await checkpoint.close()
    }
  }
  try {
    const isLost = checkpoint.isNew && journal.last > 0 && !acceptLoss
    await checkDocuments(fs, folder, content, checkpoint, isLost, accepted)
    await checkpoint.begin()
  } catch (error) {
    await close()
    throw error
  }
  const owned: Collection<{ readonly id: string }>[] = []
  return {
    journal,
    ownership: new SoleOwnership(async () => {
      const records = await Promise.all(owned.map((collection) => collection.all()))
      return records.flat().map(({ id }) => id)
    }),
    gaps: journal.gaps,
    time: journal.time,
    failed: failStop.failed,
    async collection<T extends { readonly id: string }>(name: string, form: CollectionForm = {}) {
      const { migrations = content?.migrations?.[name] ?? [] } = form
      const check = content?.checks[name]
      const rules = { ...shared, migrations, checkpoint, accepted, check }
      const opened = await openCollection<T>(folder, name, rules)
      if (form.owned) owned.push(opened)
      return opened
    },
    async furtherJournal(name, kept) {
      const rules = { ...shared, ...segments, retention: kept, time: journal.time }
      const opened = await openJournal(journalFolder(folder, name), rules)
      further.push(opened)
      if (isRestored && further.length === FURTHER_JOURNALS.length) await fs.remove(join(folder, RESTORED))
      return opened
    },
    secret: (name, length) => readOrCreateSecret(fs, folder, name, length, { checkpoint, acceptLoss, warn }),
    close,
  }
}

/** Throws `StoreDamaged` for a document that is not as it was written; `isLost`: also for one that is missing. */
async function checkDocuments(
  fs: FileSystem,
  folder: string,
  content: FolderContent | undefined,
  checkpoint: Checkpoint,
  isLost: boolean,
  accepted: Accepted,
): Promise<void> {
  const [missing] = isLost ? await missingFiles(fs, folder, content) : []
  if (missing !== undefined) throw new StoreDamaged(missing, undefined, MISSING)
  const documents = Object.entries(content?.checks ?? {}).map(([name, check]) => {
    const known = checkpoint.document(`${name}.json`)
    const migrations = content?.migrations?.[name] ?? []
    return [join(folder, `${name}.json`), { known, check, migrations }] as const
  })
  await refuseDocuments(fs, new Map(documents), accepted)
}

export const MISSING = 'it is gone, and the journal has entries'

/** The files that are not there. In a folder without a checkpoint, journal entries show that there were some. */
export async function missingFiles(
  fs: FileSystem,
  folder: string,
  content: FolderContent | undefined,
): Promise<string[]> {
  const names = new Set(await fs.list(folder))
  const missing = content?.expected.filter((name) => !names.has(name) && !names.has(`${name}${BACKUP}`))
  return (missing ?? []).map((name) => join(folder, name))
}

/** What the manifest is called from when it was compared until every journal has left out its numbers. */
const RESTORED = 'restored'

/**
 * Compares a backup that is opened for the first time with its manifest, and puts that aside: the files change from now on.
 * True for a folder whose journals have to leave out numbers. Throws `StoreDamaged` for a file that is not what was copied, unless a person has accepted that.
 */
async function takeManifest(
  fs: FileSystem,
  folder: string,
  accepted: Accepted,
  progress: ReadingProgress,
): Promise<boolean> {
  const found = await verifyManifest(fs, folder, progress)
  if (!found) return (await fs.read(join(folder, RESTORED))) !== undefined
  const isAccepted = ({ kind, file }: Fault): boolean =>
    accepted.loss || (accepted.edits && kind === 'damaged' && file.endsWith('.json'))
  const fault = found.faults.find((one) => !isAccepted(one))
  if (fault) throw new StoreDamaged(fault.file, undefined, fault.detail)
  await fs.rename(join(folder, MANIFEST_NAME), join(folder, RESTORED))
  await fs.syncFolder(folder)
  return true
}
