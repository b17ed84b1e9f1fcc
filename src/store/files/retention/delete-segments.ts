import { basename, join } from 'node:path'
import type { Entry } from '../../entry.js'
import { nextNumber } from '../../gap.js'
import { inChunks } from '../segments/chunks.js'
import type { SealedSegment } from '../segments/sealed-segment.js'
import { firstOf, indexPathOf, isSegmentName, type SegmentWorld } from '../segments/segment.js'
import { readEntries, sizeAt } from '../segments/segment-entries.js'
import type { PinnedEntries } from './pinned-entries.js'

export interface DeletedSegments {
  readonly world: SegmentWorld
  readonly pinned: PinnedEntries
  /** Sequence numbers that have to stay readable, those above the deleted segments left out. */
  readonly needed: ReadonlySet<number>
}

/**
 * Deletes the first `count` sealed segments. The entries in `needed`, and the new lowest sequence number, are on disk
 * before the first segment is deleted. Throws `StoreDamaged`, with nothing changed, if an entry in `needed` is unreadable.
 */
export async function deleteSegments(
  { world, pinned, needed }: DeletedSegments,
  sealed: SealedSegment[],
  count: number,
): Promise<void> {
  const deleting = sealed.slice(0, count)
  const floor = (deleting.at(-1)?.last ?? 0) + 1
  await pinned.replace(floor, (seq) => needed.has(seq), pinnedIn(world, deleting, needed))
  await removeSegments(world, sealed.splice(0, count))
}

async function* pinnedIn(
  world: SegmentWorld,
  segments: readonly SealedSegment[],
  needed: ReadonlySet<number>,
): AsyncGenerator<readonly Entry[]> {
  const seqs = Float64Array.from(needed).sort()
  let begin = 0
  for (const segment of segments) {
    const { first, last } = segment
    while ((seqs[begin] ?? first) < first) begin++
    let end = begin
    while ((seqs[end] ?? Number.POSITIVE_INFINITY) <= last) end++
    const places = Array.from(seqs.subarray(begin, end), (seq) => seq - first)
    const index = await segment.index()
    for (const chunk of inChunks(places, (place) => sizeAt(segment, index, place))) {
      yield await readEntries(world, segment, index, chunk)
    }
  }
}

/** Oldest first, each gone from the disk before the next: a crash in between leaves no gap. */
async function removeSegments(world: SegmentWorld, segments: readonly SealedSegment[]): Promise<void> {
  for (const segment of segments) segment.deleted = true
  for (const { path } of segments) {
    world.files.forget(path)
    world.indexes.forget(path)
  }
  await removeFiles(
    world,
    segments.map(({ path }) => path),
  )
}

/** Deletes segments that an interrupted deletion left: those that end before the lowest kept number. */
export async function removeLeftSegments(world: SegmentWorld, { floor, gaps }: PinnedEntries): Promise<void> {
  const { fs, folder } = world
  const names = (await fs.list(folder)).filter(isSegmentName)
  const begin = nextNumber(gaps, floor - 1)
  // A segment that begins at `floor` has only entries that were accepted as lost, and `--accept-loss` sets it aside.
  const isLeft = (name: string, at: number): boolean =>
    firstOf(name) < floor && firstOf(names[at + 1] ?? '9'.repeat(16)) <= begin
  await removeFiles(
    world,
    names.filter(isLeft).map((name) => join(folder, name)),
  )
}

async function removeFiles({ fs, folder }: SegmentWorld, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return
  const present = new Set(await fs.list(folder))
  for (const path of paths) {
    await fs.remove(path)
    await fs.syncFolder(folder)
    const index = indexPathOf(path)
    if (present.has(basename(index))) await fs.remove(index)
  }
}
