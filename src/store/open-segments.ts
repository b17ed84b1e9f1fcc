import { join } from 'node:path'
import type { Vocabulary } from './entry-index.js'
import { StoreDamaged } from './failure.js'
import type { FileSystem } from './file-system.js'
import { firstOf, isSegmentName, Segment } from './segment.js'

/** What a person allowed to be cut off is kept under this name beside its segment. */
const LOST = '.lost'

/**
 * Opens the segments of a folder, oldest first. What a crash left of the last write is cut off; damage is
 * thrown as `StoreDamaged`, or put aside with all that follows it where `acceptLoss` allows that.
 */
export async function openSegments(
  fs: FileSystem,
  folder: string,
  words: Vocabulary,
  acceptLoss: boolean,
): Promise<Segment[]> {
  const names = (await fs.list(folder)).filter(isSegmentName)
  const segments: Segment[] = []
  let lastBatch = 0
  try {
    for (const [at, name] of names.entries()) {
      const gap = gapBefore(folder, name, segments.at(-1))
      if (gap && !acceptLoss) throw gap
      if (gap) {
        await putAside(fs, folder, names.slice(at))
        break
      }
      const { segment, damage, rest, ...opened } = await openOne(
        fs,
        folder,
        name,
        words,
        at === names.length - 1,
      )
      lastBatch = opened.lastBatch
      if (damage && !acceptLoss) {
        await segment.close()
        throw damage
      }
      segments.push(segment)
      if (damage) {
        await keep(fs, folder, name, rest)
        await putAside(fs, folder, names.slice(at + 1))
      }
      if (rest.length > 0) await segment.file.truncate(segment.size)
      if (damage) break
    }
    const newest = segments.at(-1)
    if (newest) await settle(fs, folder, newest, lastBatch)
  } catch (error) {
    for (const segment of segments) await segment.close()
    throw error
  }
  for (const segment of segments.slice(0, -1)) segment.index.seal()
  return segments
}

interface Opened {
  readonly segment: Segment
  readonly damage: StoreDamaged | undefined
  /** What stands behind the last whole batch. */
  readonly rest: Buffer
  /** Where the last whole batch begins. */
  readonly lastBatch: number
}

function gapBefore(folder: string, name: string, before: Segment | undefined): StoreDamaged | undefined {
  if (!before || firstOf(name) === before.last + 1) return undefined
  const why = `it should begin with ${before.last + 1}, so entries between the segments are missing`
  return new StoreDamaged(join(folder, name), undefined, why)
}

async function openOne(
  fs: FileSystem,
  folder: string,
  name: string,
  words: Vocabulary,
  newest: boolean,
): Promise<Opened> {
  const [segment, scan, bytes] = await Segment.open(fs, folder, name, words)
  const rest = bytes.subarray(scan.end)
  // A segment is begun only once the one before is synced to its last byte.
  const damaged = scan.damaged || (rest.length > 0 && !newest)
  const why = 'what follows was synced, so this is no trace of a crash; --accept-loss puts it aside'
  const damage = damaged ? new StoreDamaged(segment.path, scan.fault, why) : undefined
  return { segment, rest, damage, lastBatch: scan.lastBatch }
}

/**
 * Puts on disk what was read. The process before may have died ahead of its sync, or at one that failed: then
 * the kernel may hold pages that it takes for clean, which a sync alone would not write. Takes no new space.
 */
async function settle(
  fs: FileSystem,
  folder: string,
  { file, size }: Segment,
  lastBatch: number,
): Promise<void> {
  await file.write(await file.read(lastBatch, size - lastBatch), lastBatch)
  await file.sync()
  await fs.syncFolder(folder)
}

async function keep(fs: FileSystem, folder: string, name: string, rest: Buffer): Promise<void> {
  const lost = await fs.open(await freeName(fs, folder, name), 'create')
  try {
    await lost.write(rest, 0)
    await lost.sync()
  } finally {
    await lost.close()
  }
  await fs.syncFolder(folder)
}

/** Newest first: what a crash leaves in between is refused once more, or whole. */
async function putAside(fs: FileSystem, folder: string, names: readonly string[]): Promise<void> {
  for (const name of names.toReversed()) await fs.rename(join(folder, name), await freeName(fs, folder, name))
  await fs.syncFolder(folder)
}

/** What was lost before under the same name stays. */
async function freeName(fs: FileSystem, folder: string, name: string): Promise<string> {
  const taken = new Set(await fs.list(folder))
  let free = `${name}${LOST}`
  for (let number = 2; taken.has(free); number++) free = `${name}.${number}${LOST}`
  return join(folder, free)
}
