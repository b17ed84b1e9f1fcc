import type { Entry } from '../../entry.js'
import { StoreDamaged } from '../../failure.js'
import { FILE } from '../damaged-files.js'
import type { EntryIndex } from '../index/entry-index.js'
import { decodeEntry } from './journal-line.js'
import { decodeLongEntry, LONG_LINE_BYTES } from './long-entry.js'
import { type Segment, type SegmentWorld, upgraded } from './segment.js'

/** Lines that lie closer together than this, in bytes, are read in one call. */
const MAX_READ_BYTES = 64 * 1024

/** The entries at these places of a segment's index, which are in rising or in falling order. */
export async function readEntries(
  world: SegmentWorld,
  segment: Segment,
  index: EntryIndex,
  places: readonly number[],
): Promise<Entry[]> {
  const lines = await readLines(world, segment, index, places)
  return lines.map((line, at) => checked(decodeEntry(line), world, segment, index, places[at] as number))
}

/** The same, read only where they are not in memory: each is shared by all who ask for it. */
export async function sharedEntries(
  world: SegmentWorld,
  segment: Segment,
  index: EntryIndex,
  places: readonly number[],
): Promise<Entry[]> {
  if (segment.deleted) return []
  const held = places.map((place) => world.entries.get(segment.first + place))
  const missing = places.filter((_, at) => !held[at])
  if (missing.length === 0) return held as Entry[]
  const missingEntries = async (): Promise<Entry[]> => {
    const lines = await readLines(world, segment, index, missing)
    const { revive } = world.entries
    const isOld = segment.version <= world.upgrades.length
    const entries: Entry[] = []
    for (const [at, line] of lines.entries()) {
      const inSteps = line.length > LONG_LINE_BYTES && !isOld
      const entry = inSteps ? await decodeLongEntry(line, revive.base64In) : decodeEntry(line)
      entries.push(revive(checked(entry, world, segment, index, missing[at] as number)))
    }
    return entries
  }
  const isLong = missing.some((place) => sizeAt(segment, index, place) > LONG_LINE_BYTES)
  const giveBack = isLong ? await world.longReads.take() : undefined
  const read = await missingEntries().finally(giveBack)
  if (read.length === 0) return []
  for (const [at, entry] of read.entries())
    world.entries.read(entry, sizeAt(segment, index, missing[at] as number))
  const rest = read.values()
  return held.map((entry) => entry ?? (rest.next().value as Entry))
}

/** The same as lines, without their newlines, unchecked. None once the segment is deleted. */
export async function readLines(
  { files, damaged }: SegmentWorld,
  segment: Segment,
  index: EntryIndex,
  places: readonly number[],
): Promise<Buffer[]> {
  if (places.length === 0 || segment.deleted) return []
  const end = (place: number): number => endOf(segment, index, place)
  const start = (place: number): number => index.offsets[place] as number
  const span = (one: number, other: number): number => end(Math.max(one, other)) - start(Math.min(one, other))
  const runs: number[][] = []
  for (const place of places) {
    const run = runs.at(-1)
    if (run && span(run[0] as number, place) <= MAX_READ_BYTES) run.push(place)
    else runs.push([place])
  }
  try {
    const lines = await damaged.reading(segment.path, [FILE], () =>
      files.use(segment.path, async (file) => {
        const read = async (run: readonly number[]): Promise<Buffer[]> => {
          const [one, other] = [run[0] as number, run.at(-1) as number]
          const begin = start(Math.min(one, other))
          const bytes = await file.read(begin, span(one, other))
          return run.map((place) => bytes.subarray(start(place) - begin, end(place) - begin - 1))
        }
        return Promise.all(runs.map((run) => damaged.reading(segment.path, run, () => read(run))))
      }),
    )
    return lines.flat()
  } catch (error) {
    // The file of a network drive that was away stays unreadable until it is opened anew.
    files.forget(segment.path)
    if (segment.deleted) return []
    throw error
  }
}

/** Bytes on disk of the entry at this place of the index. */
export const sizeAt = (segment: Segment, index: EntryIndex, place: number): number =>
  endOf(segment, index, place) - (index.offsets[place] as number)

const endOf = (segment: Segment, index: EntryIndex, place: number): number =>
  place + 1 < index.length ? (index.offsets[place + 1] as number) : segment.size

/** The entry at this place, upgraded. Throws `StoreDamaged` where another was read, or none. */
function checked(
  entry: Entry | undefined,
  { upgrades, damaged }: SegmentWorld,
  segment: Segment,
  index: EntryIndex,
  place: number,
): Entry {
  if (entry?.seq !== segment.first + place) {
    damaged.add(segment.path)
    throw new StoreDamaged(segment.path, index.offsets[place], 'the line is not what was written')
  }
  return upgraded(entry, segment.version, upgrades)
}
