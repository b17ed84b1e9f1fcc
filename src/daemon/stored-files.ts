import { readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Clock } from '../kit/clock.js'
import { backUp } from '../store/backup.js'
import { journalFolder } from '../store/data-folder.js'
import { type DiskProbe, probeDisk } from '../store/disk-probe.js'
import { type ExportQuery, exportEntries } from '../store/export.js'
import { disk } from '../store/file-system.js'
import type { Entry } from '../store/journal.js'
import { type Verified, verifyJournal } from '../store/verify.js'

export type { ExportQuery } from '../store/export.js'
export { type Fault, isLoss, type Verified } from '../store/verify.js'

/**
 * Copies a data folder to a place where nothing is but an empty folder at most, whether a daemon runs on it or not.
 * It stands there only once it is whole.
 */
export async function backUpStored(dataFolder: string, to: string): Promise<void> {
  const draft = `${to}.partial`
  await rm(draft, { recursive: true, force: true }) // of one that was cut off
  try {
    await backUp(disk, dataFolder, draft)
    await rename(draft, to)
    await disk.syncFolder(dirname(to))
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

/** Looks at every file of a data folder's journal, whether a daemon runs on it or not. */
export const verifyStored = (dataFolder: string): AsyncGenerator<Verified> =>
  verifyJournal(disk, journalFolder(dataFolder))

/** Entries of a data folder's journal, oldest first, whether a daemon runs on it or not. */
export const exportStored = (dataFolder: string, query: ExportQuery): AsyncGenerator<Entry> =>
  exportEntries(disk, journalFolder(dataFolder), query)

/** How fast the disk under a data folder puts small writes into safety. */
export const probeStored = (dataFolder: string, clock: Clock): Promise<DiskProbe> =>
  probeDisk(disk, dataFolder, clock)

/** The names of the equipment in a data folder, by id; none where there is no such file. */
export async function equipmentStored(
  dataFolder: string,
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  const text = await readFile(join(dataFolder, 'equipment.json'), 'utf8').catch(() => '{"records":[]}')
  return (JSON.parse(text) as { readonly records: readonly { id: string; name: string }[] }).records
}
