import { join } from 'node:path'
import { BACKUP, nameAside, placeFile, setAside } from '../disk/durable-file.js'
import { decodeDocument } from '../documents/sealed-document.js'
import { PINNED_NAME, type PinnedEntries } from '../retention/pinned-entries.js'
import { lineWithin, NEWLINE } from '../segments/journal-line.js'
import { firstOf, indexPathOf, type SegmentWorld, segmentPath } from '../segments/segment.js'
import { encodeSegmentHead } from '../segments/segment-head.js'
import type { Seen } from '../views/snapshot.js'
import { type DamagedSegment, findDamage } from './damage.js'
import type { Run } from './damaged-ranges.js'

/**
 * Reads every segment, and makes segments of what is whole in those that are damaged; what they were is put
 * aside. What is left is a journal without damage, and with gaps. Their numbers are given up before, so that none
 * of them is used for another entry. Throws `StoreDamaged` only for a segment of a newer version.
 */
export async function putDamageAside(
  world: SegmentWorld,
  pinned: PinnedEntries,
  seen: Seen,
  warn: (text: string) => void,
): Promise<void> {
  const damage = await findDamage(world, pinned, seen)
  if (!damage) return
  const { fs, folder } = world
  await pinned.giveUp(damage.gaps)
  // Newest first: what a crash leaves in between is refused once more, and has every line that is whole.
  for (const segment of damage.segments.toReversed()) {
    const lost = await mend(world, segment)
    warn(`${join(folder, segment.name)} was damaged; as it was, it is kept in ${lost}`)
  }
  // Last: with it gone, what is damaged before it would be the newest, and its end taken for a write cut short.
  if (damage.empty !== undefined) await fs.remove(join(folder, damage.empty))
  await fs.syncFolder(folder)
}

/** Makes a segment of each run. Resolves with the path of the file as it was. */
async function mend(world: SegmentWorld, { name, version, runs }: DamagedSegment): Promise<string> {
  const { fs, folder } = world
  const path = join(folder, name)
  const bytes = (await fs.read(path)) ?? Buffer.alloc(0)
  const aside = await nameAside(fs, path)
  const isOwn = ({ first }: Run): boolean => first === firstOf(name)
  for (const run of runs.toReversed()) {
    // Of the file's own name at last: what else is whole has its place by then.
    if (isOwn(run)) await placeFile(fs, aside, bytes)
    await placeFile(fs, segmentPath(folder, run.first), segmentOf(version, run, bytes))
  }
  const index = indexPathOf(path)
  if ((await fs.read(index)) !== undefined) await fs.remove(index)
  if (!runs.some(isOwn)) await fs.rename(path, aside)
  return aside
}

/** The bytes of a segment that has the lines of a run and no other. */
function segmentOf(version: number, { offset, end, first, last }: Run, bytes: Buffer): Buffer {
  const lines = [encodeSegmentHead(version, first)]
  for (let at = offset; at < end; ) {
    const newline = bytes.indexOf(NEWLINE, at)
    lines.push(lineWithin(bytes.subarray(at, newline), first, last))
    at = newline + 1
  }
  return Buffer.concat(lines)
}

/** The entries that retention pinned; the one before it takes its place when that is whole. */
export async function putPinnedAside({ fs, folder }: Pick<SegmentWorld, 'fs' | 'folder'>): Promise<void> {
  for (const name of [PINNED_NAME, `${PINNED_NAME}${BACKUP}`]) {
    const bytes = await fs.read(join(folder, name))
    if (bytes && !decodeDocument(bytes)) {
      await setAside(fs, join(folder, name))
    }
  }
  const path = join(folder, PINNED_NAME)
  const before = await fs.read(`${path}${BACKUP}`)
  if (before && (await fs.read(path)) === undefined) await fs.rename(`${path}${BACKUP}`, path)
  await fs.syncFolder(folder)
}
