import type { Entry } from '../entry.js'
import type { Gap } from '../gap.js'
import type { FileSystem } from './disk/file-system.js'
import { PinnedEntries } from './retention/pinned-entries.js'
import { OpenSegment } from './segments/open-segment.js'
import { segmentWorld } from './segments/segment.js'

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
  const world = segmentWorld(fs, folder)
  const kept = await PinnedEntries.open(world)
  await kept.replace(first, () => true, pinned)
  await kept.giveUp(gaps)
  await (await OpenSegment.create(world, first)).close()
}
