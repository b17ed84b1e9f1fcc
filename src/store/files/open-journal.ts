import { join } from 'node:path'
import type { Clock } from '../../kit/clock.js'
import { type FailStop, StoreDamaged } from '../failure.js'
import { entriesAre, type Gap, leftOut, nextNumber } from '../gap.js'
import { type ReadingProgress, SILENT } from '../reading-progress.js'
import type { RetentionClock } from '../retention-clock.js'
import { DEFAULT_RETENTION, type RetentionPolicy } from '../retention-policy.js'
import type { FileSystem } from './disk/file-system.js'
import type { Checkpoint } from './documents/checkpoint.js'
import { NdjsonJournal } from './ndjson-journal.js'
import { putDamageAside, putPinnedAside } from './repair/accept-loss.js'
import { removeLeftSegments } from './retention/delete-segments.js'
import { PinnedEntries } from './retention/pinned-entries.js'
import { OpenSegment } from './segments/open-segment.js'
import { type OpenedSegments, openSegments, type SegmentClues } from './segments/reopen-segments.js'
import type { KeptInMemory, SegmentWorld, Upgrade } from './segments/segment.js'
import { segmentName, segmentPath, segmentWorld } from './segments/segment.js'
import { AttachedViews, viewsFolder } from './views/attached-views.js'
import { highestSeen, latest } from './views/snapshot.js'

export interface JournalOptions extends KeptInMemory {
  readonly fs: FileSystem
  readonly failStop: FailStop
  readonly clock: Clock
  /** A segment that has grown to this many bytes is followed by the next. */
  readonly segmentBytes?: number
  readonly retention?: RetentionPolicy
  /** How `data` of older versions is read: the first leads from version 1 to 2, and so on. */
  readonly upgrades?: readonly Upgrade[]
  /** The operator accepts that damaged parts are cut off; they are set aside, not deleted. Every byte is read. */
  readonly acceptLoss?: boolean
  /** It is a backup that was restored: the numbers that its original may have given since are left out. */
  readonly isRestored?: boolean
  /** Knows what was on disk, and is kept up to date. */
  readonly checkpoint?: Checkpoint
  /** The time by which history gets old, of another journal of the folder. */
  readonly time?: RetentionClock
  /** Called with warnings for the operator; the journal keeps working. */
  readonly warn?: (text: string) => void
  /** Called with what the operator may want to know. */
  readonly info?: (text: string) => void
  /** Called while much is read. */
  readonly progress?: ReadingProgress
}

/** Small enough that the newest one, which is read whole at every start, takes a moment. */
const SEGMENT_BYTES = 16 * 1024 * 1024

/** Opens the journal of a folder, mends what a crash left, and throws `StoreDamaged` for what no crash explains. */
export async function openJournal(folder: string, options: JournalOptions): Promise<NdjsonJournal> {
  const {
    fs,
    failStop,
    clock,
    upgrades = [],
    acceptLoss = false,
    checkpoint,
    warn = () => {},
    info = () => {},
    progress = SILENT,
  } = options
  const { segmentBytes = SEGMENT_BYTES, retention = DEFAULT_RETENTION } = options
  await fs.makeFolder(folder)
  const world = segmentWorld(fs, folder, upgrades, options)
  try {
    if (acceptLoss) await putPinnedAside(world)
    const pinned = await PinnedEntries.open(world)
    await removeLeftSegments(world, pinned)
    const seen = latest(await highestSeen(fs, viewsFolder(folder)), folder, checkpoint?.journal)
    // What was given up may have been in the batch of the last entry that was known.
    const known = acceptLoss ? undefined : checkpoint?.journal
    if (acceptLoss) await putDamageAside(world, pinned, seen, warn)
    const { sealed, newest } = await openKept(world, pinned, { seen, known, warn, progress }, options)
    const views = new AttachedViews(fs, viewsFolder(folder), progress)
    const { time } = options
    const kept = { pinned, views, segmentBytes, retention, checkpoint, time }
    const parts = { world, failStop, clock, ...kept, warn, info }
    const journal = new NdjsonJournal(parts, sealed, newest)
    if (journal.last > 0) await checkpoint?.noteOpened(journal.shown)
    return journal
  } catch (error) {
    await world.files.close()
    throw error
  }
}

/** The segments as far back as retention left them. */
async function openKept(
  world: SegmentWorld,
  pinned: PinnedEntries,
  clues: SegmentClues,
  { acceptLoss = false, isRestored = false }: JournalOptions,
): Promise<Pick<OpenedSegments, 'sealed'> & { readonly newest: OpenSegment }> {
  const { sealed, newest, empty } = await openSegments(world, pinned, clues)
  try {
    const first = sealed[0]?.first ?? newest?.first ?? empty
    const due = nextNumber(pinned.gaps, pinned.floor - 1)
    const isLost = first === undefined ? pinned.floor > 1 && due === pinned.floor : first > due
    if (isLost && !acceptLoss) throw lostBeginning(world.folder, due, first)
    if (isRestored) await leaveOut(pinned, newest?.last ?? pinned.floor - 1)
    return { sealed, newest: await goneOnWith(world, pinned, { sealed, newest, empty }) }
  } catch (error) {
    await newest?.close()
    throw error
  }
}

/** Leaves out numbers after the last entry, also after those that were given up or left out there before. */
async function leaveOut(pinned: PinnedEntries, last: number): Promise<void> {
  const before: Gap | undefined = pinned.gaps.find(({ first }) => first === last + 1)
  const further = leftOut(before?.last ?? last)
  const { restored = false, until = before?.last } = before ?? { restored: true }
  const gap = restored
    ? { ...further, first: last + 1 }
    : { first: last + 1, last: further.last, ...(until !== undefined && { until }) }
  await pinned.giveUp([...pinned.gaps.filter((one) => one !== before), gap])
}

/** The segment for further appends: a new one after numbers that were given up. */
async function goneOnWith(
  world: SegmentWorld,
  { floor, gaps }: PinnedEntries,
  { sealed, newest, empty }: OpenedSegments,
): Promise<OpenSegment> {
  const next = nextNumber(gaps, newest?.last ?? floor - 1)
  if (newest && next === newest.last + 1) return newest
  if (next === empty) return OpenSegment.replace(world, next)
  const left = newest?.first ?? empty
  if (newest?.begun !== undefined) sealed.push(await newest.seal())
  else if (left !== undefined) {
    // The rest of a segment that was given up as a whole: followed by another segment, it would count as damage.
    await newest?.close()
    await world.fs.remove(segmentPath(world.folder, left))
    await world.fs.syncFolder(world.folder)
  }
  return OpenSegment.create(world, next)
}

function lostBeginning(folder: string, due: number, first: number | undefined): StoreDamaged {
  const missing = first === undefined ? `entries from ${due} on are` : entriesAre(due, first - 1)
  const why = `it is gone, and retention has not taken it: ${missing} missing`
  return new StoreDamaged(join(folder, segmentName(due)), undefined, why)
}
