import { basename, join, relative } from 'node:path'
import { refuseNewer, StoreDamaged } from '../../failure.js'
import { entriesAre, type Gap, knowsLost, nextNumber } from '../../gap.js'
import type { ReadingProgress } from '../../reading-progress.js'
import { draftOf } from '../disk/durable-file.js'
import type { OpenFile } from '../disk/file-system.js'
import type { JournalState } from '../documents/checkpoint.js'
import type { Seen } from '../views/snapshot.js'
import { markOf } from './journal-line.js'
import { OpenSegment } from './open-segment.js'
import { SealedSegment } from './sealed-segment.js'
import {
  follows,
  indexPathOf,
  isIndexName,
  isSegmentName,
  type Segment,
  type SegmentWorld,
  segmentPath,
} from './segment.js'
import { NO_CRASH, readSegment, readSegmentFile } from './segment-content.js'
import { readLines } from './segment-entries.js'

/** What is known of the segments from other files, and the receiver of warnings. */
export interface SegmentClues {
  readonly seen: Seen
  /** The last entry that the checkpoint knows. */
  readonly known: JournalState | undefined
  readonly warn: (text: string) => void
  readonly progress: ReadingProgress
}

export interface OpenedSegments {
  /** Oldest first. */
  readonly sealed: SealedSegment[]
  /** Undefined in a folder that has none. */
  readonly newest: OpenSegment | undefined
  /**
   * Where there is no segment with entries: the first number of an empty one of an older version. It is there
   * still, since it may be the only record of the next entry's number.
   */
  readonly empty: number | undefined
}

/**
 * Opens the segments of a folder. What a crash left of the last write is cut off; what is no trace of a crash
 * is thrown as `StoreDamaged`, with nothing changed. Of a sealed segment the index and the last line are
 * checked: damage within it is found when the entry is read, or by `verifyJournal`.
 */
export async function openSegments(
  world: SegmentWorld,
  { floor, gaps }: { readonly floor: number; readonly gaps: readonly Gap[] },
  { seen, known, warn, progress }: SegmentClues,
): Promise<OpenedSegments> {
  const { fs, folder } = world
  const names = (await fs.list(folder)).filter(isSegmentName)
  const { newest, begun, empty } = await openNewest(world, names)
  const sealed: SealedSegment[] = []
  try {
    for (const name of names) {
      refuseGap(folder, gaps, name, sealed.at(-1))
      sealed.push(await SealedSegment.open(world, name))
      progress(`opening the ${basename(folder)}`, sealed.length, names.length)
    }
    if (newest) refuseGap(folder, gaps, newest.name, sealed.at(-1))
    refuseShort(folder, gaps, newest?.segment.last ?? floor - 1, seen)
    if (known) await refuseOther(world, gaps, newest ? [...sealed, newest.segment] : sealed, known)
    // Their heads are not mended: that could need space on a disk that is full.
    for (const { path, bytes } of begun) {
      if (bytes > 0)
        warn(`${path}: removed, ${bytes} bytes of a segment that a crash cut short; it has no entry`)
      await fs.remove(path)
    }
    if (begun.length > 0) await fs.syncFolder(folder)
    if (newest) await settle(world, newest, warn)
    await removeLoose(world)
    return { sealed, newest: newest?.segment, empty }
  } catch (error) {
    await newest?.file.close()
    throw error
  }
}

interface Newest {
  readonly name: string
  readonly segment: OpenSegment
  readonly file: OpenFile
  /** Where its last whole batch begins. */
  readonly lastBatch: number
  /** Bytes in the file, including what a crash left after the last whole batch. */
  readonly length: number
  /** The last number of the batch that is not whole; undefined where it is not known. */
  readonly tornLast: number | undefined
}

/** A segment that was begun and never written to. */
interface Begun {
  readonly path: string
  readonly bytes: number
}

/** Takes the newest segment off `names`, and before it those that were begun and never written to. */
async function openNewest(
  world: SegmentWorld,
  names: string[],
): Promise<Pick<OpenedSegments, 'empty'> & { newest: Newest | undefined; begun: readonly Begun[] }> {
  const { fs, folder } = world
  const begun: Begun[] = []
  let empty: number | undefined
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    const path = join(folder, name)
    const bytes = await readSegmentFile(fs, path)
    if (!bytes) throw new StoreDamaged(path, undefined, 'it is gone')
    const { scan, index, sealed } = readSegment(path, bytes, world.subjects)
    refuseNewer(path, sealed.version, world.upgrades.length + 1)
    if (scan.damaged) throw new StoreDamaged(path, scan.fault, NO_CRASH)
    const isOld = scan.version !== undefined && scan.version <= world.upgrades.length
    if (scan.version === undefined || (isOld && scan.entries === 0)) {
      begun.push({ path, bytes: bytes.length })
      if (isOld) empty = sealed.first
      continue
    }
    const file = await fs.open(path, 'update')
    const segment = new OpenSegment(world, file, { ...sealed, index })
    const { lastBatch, tornLast } = scan
    const newest = { name, segment, file, lastBatch, tornLast, length: bytes.length }
    return { newest, begun, empty: undefined }
  }
  const kept = empty === undefined ? undefined : segmentPath(folder, empty)
  return { newest: undefined, begun: begun.filter(({ path }) => path !== kept), empty }
}

/**
 * Puts on disk what was read. The process before may have died ahead of its sync, or at one that failed: then
 * the kernel may hold pages that it takes for clean, which a sync alone would not write. Takes no new space.
 */
async function settle(
  { fs, folder }: SegmentWorld,
  { segment, file, lastBatch, length, tornLast }: Newest,
  warn: (text: string) => void,
): Promise<void> {
  if (length > segment.size) {
    const { path, size, last } = segment
    const which = tornLast === undefined ? `from entry ${last + 1} on` : entriesFrom(last + 1, tornLast)
    warn(`${path}: ${length - size} bytes cut off at byte ${size}, a write that a crash cut short: ${which}`)
  }
  await file.truncate(segment.size)
  await file.write(await file.read(lastBatch, segment.size - lastBatch), lastBatch)
  await file.sync()
  await fs.syncFolder(folder)
}

const entriesFrom = (first: number, last: number): string =>
  first === last ? `entry ${first}` : `entries ${first} to ${last}`

function refuseGap(
  folder: string,
  gaps: readonly Gap[],
  name: string,
  before: SealedSegment | undefined,
): void {
  if (!before || follows(gaps, name, before.last)) return
  const why = `it should begin with ${before.last + 1}, so entries between the segments are missing`
  throw new StoreDamaged(join(folder, name), undefined, why)
}

/** A snapshot knows entries only that were on disk before: a crash does not take them. */
function refuseShort(folder: string, gaps: readonly Gap[], last: number, seen: Seen): void {
  const due = nextNumber(gaps, last)
  if (seen.seq < due) return
  const why = `${entriesAre(due, seen.seq)} missing, and ${relative(folder, seen.file)} refers to it: the end is lost, or this is a copy that was made while a daemon wrote to the folder`
  throw new StoreDamaged(folder, undefined, why)
}

/** The last entry that was known is the one that has its number now. */
async function refuseOther(
  world: SegmentWorld,
  gaps: readonly Gap[],
  segments: readonly Segment[],
  { seq, mark }: JournalState,
): Promise<void> {
  const segment = segments.find(({ first, last }) => seq >= first && seq <= last)
  // Lines of a batch of which a part was given up were written anew.
  if (!segment || knowsLost(gaps, seq)) return
  const [line] = await readLines(world, segment, await segment.index(), [seq - segment.first])
  if (line && markOf(line) === mark) return
  const why = `entry ${seq} is not the one that checkpoint.json refers to: another journal has taken its place, or an older one that was continued`
  throw new StoreDamaged(segment.path, undefined, why)
}

/** Indexes whose segment is gone, by retention or by a person, and what a crash left as drafts. */
async function removeLoose({ fs, folder }: SegmentWorld): Promise<void> {
  const names = await fs.list(folder)
  const owned = new Set(names.filter(isSegmentName).map(indexPathOf))
  for (const name of names) {
    const isLoose = isIndexName(name) ? !owned.has(name) : draftOf(name) !== undefined
    if (isLoose) await fs.remove(join(folder, name))
  }
}
