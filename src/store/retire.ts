import { basename } from 'node:path'
import type { Carried } from './carried.js'
import { StoreDamaged } from './failure.js'
import type { Entry } from './journal.js'
import type { SealedSegment } from './sealed-segment.js'
import { indexPathOf, type SegmentWorld } from './segment.js'

export interface Retiring {
  readonly world: SegmentWorld
  readonly carried: Carried
  /** Sequence numbers that have to stay readable. */
  readonly owed: ReadonlySet<number>
  get(seq: number): Promise<Entry | undefined>
}

/**
 * Takes the first `count` of the sealed segments. What is owed of them, and where what is kept begins, is on
 * disk before the first goes. Damage in what is owed keeps them where they are.
 */
export async function retire(
  { world, carried, owed, get }: Retiring,
  sealed: SealedSegment[],
  count: number,
): Promise<void> {
  const floor = (sealed[count - 1]?.last ?? 0) + 1
  const entries: Entry[] = []
  try {
    entries.push(...(await carried.read(owed)))
    for (const seq of [...owed].sort((a, b) => a - b)) {
      const entry = seq >= carried.floor && seq < floor ? await get(seq) : undefined
      if (entry) entries.push(entry)
    }
  } catch (error) {
    if (error instanceof StoreDamaged) return
    throw error
  }
  await carried.replace(floor, entries)
  await removeSegments(world, sealed.splice(0, count))
}

/** Oldest first, each gone from the disk before the next: a crash in between leaves no gap. */
export async function removeSegments(world: SegmentWorld, segments: readonly SealedSegment[]): Promise<void> {
  if (segments.length === 0) return
  const { fs, folder, files, indexes } = world
  const present = new Set(await fs.list(folder))
  for (const segment of segments) segment.retired = true
  for (const { path } of segments) {
    files.forget(path)
    indexes.forget(path)
    await fs.remove(path)
    await fs.syncFolder(folder)
    const index = indexPathOf(path)
    if (present.has(basename(index))) await fs.remove(index)
  }
}
