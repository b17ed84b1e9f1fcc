import { join } from 'node:path'
import type { Entry } from '../entry.js'
import { StoreDamaged } from '../failure.js'
import type { JournalQuery } from '../journal.js'
import type { FileSystem } from './disk/file-system.js'
import { decodeIndex } from './index/index-file.js'
import { Subjects } from './index/subjects.js'
import { decodeEntry } from './segments/journal-line.js'
import { firstOf, indexPathOf, isSegmentName, type Upgrade, upgraded } from './segments/segment.js'
import { readSegment, readSegmentFile } from './segments/segment-content.js'
import { matches, mayMatch, searchOf } from './segments/segment-search.js'

export type ExportQuery = Pick<JournalQuery, 'kinds' | 'key' | 'from' | 'to' | 'after' | 'before'>

/**
 * The entries that match, oldest first, read from the files as they are. Changes nothing and takes no lock: a
 * daemon may be at work on the folder meanwhile. Throws `StoreDamaged` at the first damage, after the entries
 * before it; what a crash cut short at the end is left out.
 */
export async function* exportEntries(
  fs: FileSystem,
  folder: string,
  query: ExportQuery,
  upgrades: readonly Upgrade[] = [],
): AsyncGenerator<Entry> {
  const names = (await fs.list(folder)).filter(isSegmentName)
  for (const [at, name] of names.entries()) {
    const following = names[at + 1]
    const subjects = new Subjects()
    const path = join(folder, name)
    if (following !== undefined && (await isBeside(fs, path, firstOf(following), query, subjects))) continue
    const bytes = await readSegmentFile(fs, path)
    // Retention takes the oldest, also while this reads.
    if (!bytes) continue
    const { scan, index, sealed } = readSegment(path, bytes, subjects)
    for (const place of matches(sealed.first, index, searchOf({ ...query, order: 'asc' }, subjects))) {
      const start = index.offsets[place] as number
      const end = index.offsets[place + 1] ?? scan.end
      // The index has only lines that are whole.
      const entry = decodeEntry(bytes.subarray(start, end - 1)) as Entry
      yield upgraded(entry, sealed.version, upgrades)
    }
    if (scan.damaged || (following !== undefined && scan.end < bytes.length)) {
      throw new StoreDamaged(path, scan.fault, 'what follows cannot be read')
    }
  }
}

/** True when nothing in a sealed segment matches, according to its index. */
async function isBeside(
  fs: FileSystem,
  path: string,
  next: number,
  query: ExportQuery,
  subjects: Subjects,
): Promise<boolean> {
  const bytes = await fs.read(indexPathOf(path))
  const found = bytes && decodeIndex(bytes, subjects)
  if (!found || found.sealed.first + found.index.length !== next) return false
  const { first } = found.sealed
  const { earliest, latest, present } = found.index
  return !mayMatch(
    { first, last: next - 1, earliest, latest, present },
    searchOf({ ...query, order: 'asc' }, subjects),
  )
}
