import type { Entry } from '../entry.js'
import type { Gap } from '../gap.js'
import { FilePool } from './disk/file-pool.js'
import type { FileSystem } from './disk/file-system.js'
import { EntryCache } from './entry-cache.js'
import { IndexCache } from './index/index-cache.js'
import { Subjects } from './index/subjects.js'
import { PinnedEntries } from './retention/pinned-entries.js'
import { BatchWriter } from './segments/batch-writer.js'
import { OpenSegment } from './segments/open-segment.js'

/** The beginning of a journal whose oldest entries retention has removed elsewhere. */
export interface JournalBeginning {
  readonly first: number
  /** Entries before `first`. */
  readonly pinned: AsyncIterable<readonly Entry[]>
  readonly gaps: readonly Gap[]
}

/** Makes the folder of a journal that has no entries yet, and continues at `first`. */
export async function beginJournal(
  fs: FileSystem,
  folder: string,
  { first, pinned, gaps }: JournalBeginning,
): Promise<void> {
  await fs.makeFolder(folder)
  const files = new FilePool(fs)
  const world = {
    fs,
    folder,
    files,
    subjects: new Subjects(),
    indexes: new IndexCache(),
    entries: new EntryCache(),
    batches: new BatchWriter(),
    upgrades: [],
  }
  try {
    const kept = await PinnedEntries.open(world)
    if (first > 1) await kept.replace(first, () => false, pinned)
    if (gaps.length > 0) await kept.giveUp(gaps)
    await (await OpenSegment.create(world, first)).close()
  } finally {
    await files.close()
  }
}
