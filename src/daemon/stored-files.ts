import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Labels } from '../contract/selector.js'
import type { Clock } from '../kit/clock.js'
import { makeFolders } from '../kit/private-file.js'
import type { Entry } from '../store/entry.js'
import { StoreDamaged } from '../store/failure.js'
import { backUp } from '../store/files/backup/backup.js'
import { journalFolder } from '../store/files/data-folder.js'
import { type DiskProbe, probeDisk } from '../store/files/disk/disk-probe.js'
import { disk } from '../store/files/disk/file-system.js'
import { privacyFaults } from '../store/files/disk/own-folder.js'
import { decodeStored, documentFault, formFault } from '../store/files/documents/document-file.js'
import { type ExportQuery, exportEntries } from '../store/files/export.js'
import { looked, type Verified } from '../store/files/repair/verify.js'
import { verifyFolder } from '../store/files/repair/verify-folder.js'

export type { ExportQuery } from '../store/files/export.js'
export { type Fault, isLoss, type Verified } from '../store/files/repair/verify.js'

/**
 * Copies a data folder to a place where nothing is but an empty folder at most, whether a daemon runs on it or not.
 * It stands there only once it is whole and `check`, which reads the copy, has resolved. Rejects with the code EEXIST where `to.partial` is there already.
 */
export async function backUpStored(
  dataFolder: string,
  to: string,
  check: (copy: string) => Promise<void> = async () => {},
): Promise<void> {
  const draft = `${to}.partial`
  await makeFolders(dirname(to), 0o777)
  // Only the folder that this call has made is removed: another backup may be under way.
  await mkdir(draft, { mode: 0o700 })
  try {
    await backUp(disk, dataFolder, draft)
    await check(draft)
    await rename(draft, to)
    await disk.syncFolder(dirname(to))
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

/** Checks every file of a data folder, whether a daemon runs on it or not, and compares a backup with its manifest. */
export async function* verifyStored(dataFolder: string): AsyncGenerator<Verified> {
  // Loaded here: few commands verify, and the schemas of the records take long to load.
  const { folderContent } = await import('./stored-records.js')
  for (const fault of await privacyFaults(dataFolder))
    yield looked(fault.file, 0, [{ kind: 'permissions', offset: null, ...fault }])
  yield* verifyFolder(disk, dataFolder, folderContent())
}

/** Entries of a data folder's journal, oldest first, whether a daemon runs on it or not. */
export const exportStored = (dataFolder: string, query: ExportQuery): AsyncGenerator<Entry> =>
  exportEntries(disk, journalFolder(dataFolder), query)

/** How fast the disk under a data folder puts small writes into safety. */
export const probeStored = (dataFolder: string, clock: Clock): Promise<DiskProbe> =>
  probeDisk(disk, dataFolder, clock)

interface StoredEquipment {
  readonly id: string
  readonly name: string
  /** Missing in a record that was written before there were labels. */
  readonly labels?: Labels
}

/**
 * The equipment in a data folder; none where there is no such file. Throws `StoreDamaged` for a
 * file that is not what was written.
 */
export async function equipmentStored(dataFolder: string): Promise<readonly StoredEquipment[]> {
  const path = join(dataFolder, 'equipment.json')
  const bytes = await disk.read(path)
  if (!bytes) return []
  const found = decodeStored(bytes)
  const fault = found ? documentFault(found, undefined) : formFault(bytes)
  if (fault !== undefined) throw new StoreDamaged(path, undefined, fault)
  return (found?.records ?? []) as readonly StoredEquipment[]
}
