import { join } from 'node:path'
import { refuseNewer } from '../../failure.js'
import { type Gap, nextNumber } from '../../gap.js'
import type { PinnedEntries } from '../retention/pinned-entries.js'
import { firstOf, isSegmentName, type SegmentWorld } from '../segments/segment.js'
import { readSegment, readSegmentFile } from '../segments/segment-content.js'
import { decodeSegmentHead } from '../segments/segment-head.js'
import type { Seen } from '../views/snapshot.js'
import { type Broken, type Run, stretchesOf } from './damaged-ranges.js'

/** A segment that cannot stay as it is. */
export interface DamagedSegment {
  readonly name: string
  /** Version of its entries' data. */
  readonly version: number
  /** What is whole in it, oldest first. */
  readonly runs: readonly Run[]
  /** The highest number that an entry in it can have had. */
  readonly highest: number
}

export interface Damage {
  /** Oldest first. */
  readonly segments: readonly DamagedSegment[]
  /** Every number from the floor on that no entry has. */
  readonly gaps: readonly Gap[]
  /** The newest segment, where it has no entry and stands among what is given up. */
  readonly empty: string | undefined
}

type Numbers = Pick<Run, 'first' | 'last'>

/** Bytes of the shortest line that an entry can have, or less. */
const MIN_LINE_BYTES = 100

/**
 * Reads every segment. Undefined when nothing is lost that was not given up before. Throws `StoreDamaged` only
 * for a segment that is of a newer version or that the disk does not give: its entries may be there still.
 */
export async function findDamage(
  world: SegmentWorld,
  pinned: PinnedEntries,
  seen: Seen,
): Promise<Damage | undefined> {
  const { fs, folder } = world
  const names = (await fs.list(folder)).filter(isSegmentName)
  const kept: Numbers[] = []
  const segments: DamagedSegment[] = []
  let version = 1
  let empty: string | undefined
  let torn: (Numbers & { readonly segment: DamagedSegment }) | undefined
  for (const [at, name] of names.entries()) {
    const path = join(folder, name)
    const bytes = (await readSegmentFile(fs, path)) ?? Buffer.alloc(0)
    const { scan, sealed } = readSegment(path, bytes, world.subjects)
    refuseNewer(path, sealed.version, world.upgrades.length + 1)
    version = scan.version ?? version
    const { first } = sealed
    const last = first + scan.entries - 1
    const following = names[at + 1]
    const until = following === undefined ? undefined : firstOf(following) - 1
    if (scan.end === bytes.length && (until === undefined || (scan.entries > 0 && last <= until))) {
      kept.push({ first, last })
      if (scan.entries === 0) empty = name
      continue
    }
    const { broken, runs } = stretchesOf(bytes, decodeSegmentHead(bytes)?.length ?? 0, first, until)
    // Versions never fall: where the segment's own is lost, it is known when it can be no other.
    const isKnown = scan.version !== undefined || version > world.upgrades.length
    const segment = { name, version, runs: isKnown ? runs : [], highest: highestIn(first, broken, runs) }
    if (until === undefined && !scan.damaged && last >= seen.seq) torn = { segment, first, last }
    else segments.push(segment)
  }
  // A crash explains a torn end, as long as nothing else is wrong.
  const isNew = (gap: Gap): boolean => !pinned.gaps.includes(gap)
  const others = gapsIn(segments, torn ? [...kept, torn] : kept, pinned, seen)
  if (segments.length === 0 && !others.some(isNew) && !isWithin(others, empty)) return undefined
  if (torn) segments.push(torn.segment)
  const gaps = gapsIn(segments, kept, pinned, seen)
  return { segments, gaps, empty: isWithin(gaps, empty) ? empty : undefined }
}

const isWithin = (gaps: readonly Gap[], name: string | undefined): boolean =>
  name !== undefined && gaps.some(({ first, last }) => firstOf(name) >= first && firstOf(name) <= last)

/** The highest possible number: unreadable bytes count as many entries as fit into them. */
function highestIn(first: number, broken: readonly Broken[], runs: readonly Run[]): number {
  const tail = broken.find(({ last }) => last === undefined)
  const room = tail ? tail.first + Math.floor((tail.end - tail.offset) / MIN_LINE_BYTES) : first
  return Math.max(room, ...runs.map(({ last }) => last))
}

/** The numbers that are missing between the segments that are kept. Known gaps stay as they are. */
function gapsIn(
  segments: readonly DamagedSegment[],
  kept: readonly Numbers[],
  { floor, gaps }: PinnedEntries,
  seen: Seen,
): readonly Gap[] {
  const all = [...kept, ...segments.flatMap(({ runs }) => runs)].sort((a, b) => a.first - b.first)
  const known = [...all, ...gaps].map(({ last }) => last)
  const highest = Math.max(floor - 1, seen.seq, ...known, ...segments.map((segment) => segment.highest))
  const found: Gap[] = []
  let due = floor
  // A segment without entries shows a number, but ends no gap.
  const filled = all.filter(({ first, last }) => first <= last)
  for (const { first, last } of [...filled, { first: highest + 1, last: highest }]) {
    if (first > due) {
      const gap = { first: due, last: first - 1 }
      const before = gaps.filter((one) => one.first >= due && one.last < first)
      const isKnown = nextNumber(before, due - 1) === first
      found.push(...(isKnown ? before : [gap.last === highest ? gap : { ...gap, until: highest }]))
    }
    due = last + 1
  }
  return found
}
