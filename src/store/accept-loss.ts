import { join } from 'node:path'
import { brokenStretches } from './broken-stretches.js'
import { CARRIED_NAME, type Carried } from './carried.js'
import { BACKUP } from './durable-file.js'
import type { FileSystem } from './file-system.js'
import { nextNumber } from './gap.js'
import { decodeDocument } from './sealed-document.js'
import { firstOf, follows, indexPathOf, isSegmentName, type SegmentWorld } from './segment.js'
import { readSegment, refuseNewer } from './segment-content.js'
import type { Seen } from './snapshot.js'

/** What a person allowed to be cut off is kept under this name beside its segment. */
const LOST = '.lost'
/** Bytes of the shortest line that an entry can have, or less. */
const SHORTEST_LINE = 100

/** The first damage of a journal. */
interface Damage {
  /** The segments from it on, the one that it is in first. */
  readonly names: readonly string[]
  /** The last number before it. */
  readonly last: number
  /** Of the first of these segments, as much as stays; undefined when nothing does. */
  readonly whole: { readonly path: string; readonly bytes: Buffer; readonly end: number } | undefined
}

/**
 * Reads every segment, and puts the first damage aside with all that follows it: what is left is a journal
 * without damage. The numbers of what is lost are given up before, so that none of them comes to name another
 * entry. Throws `StoreDamaged` only for a segment of a newer version.
 */
export async function putDamageAside(world: SegmentWorld, carried: Carried, seen: Seen): Promise<void> {
  const damage = await firstDamage(world, carried, seen)
  if (!damage) return
  const { fs, folder } = world
  const { names, last, whole } = damage
  const highest = Math.max(last + 1, seen.seq, await highestWritten(world, damage))
  await carried.giveUp({ first: last + 1, last: highest })
  const [name, ...following] = names
  if (!whole || name === undefined) return putAside(fs, folder, names)
  await keep(fs, folder, name, whole.bytes.subarray(whole.end))
  await putAside(fs, folder, following)
  const file = await fs.open(whole.path, 'update')
  try {
    await file.truncate(whole.end)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function firstDamage(
  world: SegmentWorld,
  { floor, gaps }: Carried,
  seen: Seen,
): Promise<Damage | undefined> {
  const { fs, folder } = world
  const names = (await fs.list(folder)).filter(isSegmentName)
  let last: number | undefined
  for (const [at, name] of names.entries()) {
    const path = join(folder, name)
    const bytes = (await fs.read(path)) ?? Buffer.alloc(0)
    const { scan, sealed } = readSegment(path, bytes, world.subjects)
    refuseNewer(world, path, sealed.version)
    const from = names.slice(at)
    if (last !== undefined && !follows(gaps, name, last)) return { names: from, last, whole: undefined }
    const torn = scan.end < bytes.length || scan.entries === 0
    const isShort = sealed.first + scan.entries <= seen.seq
    if (scan.damaged || (torn && (isShort || at < names.length - 1))) {
      const isLost = scan.version === undefined || scan.entries === 0
      const whole = isLost ? undefined : { path, bytes, end: scan.end }
      return { names: from, last: isLost ? (last ?? floor - 1) : sealed.first + scan.entries - 1, whole }
    }
    last = sealed.first + scan.entries - 1
  }
  const end = last ?? floor - 1
  return seen.seq < nextNumber(gaps, end) ? undefined : { names: [], last: end, whole: undefined }
}

/** The highest number that the segments tell of; where bytes tell nothing, as many as they have room for. */
async function highestWritten({ fs, folder }: SegmentWorld, { names, last, whole }: Damage): Promise<number> {
  let highest = last
  for (const [at, name] of names.entries()) {
    const offset = at === 0 && whole ? whole.end : 0
    const bytes = (await fs.read(join(folder, name))) ?? Buffer.alloc(0)
    const stretches = brokenStretches(bytes, offset, at === 0 && whole ? last + 1 : firstOf(name))
    const tail = stretches.broken.find((broken) => broken.last === undefined)
    const room = tail ? Math.floor((tail.end - tail.offset) / SHORTEST_LINE) : 0
    highest = Math.max(highest, stretches.last + room)
  }
  return highest
}

/** What retention carried over; the one before it takes its place when that is whole. */
export async function putCarriedAside({ fs, folder }: Pick<SegmentWorld, 'fs' | 'folder'>): Promise<void> {
  for (const name of [CARRIED_NAME, `${CARRIED_NAME}${BACKUP}`]) {
    const bytes = await fs.read(join(folder, name))
    if (bytes && !decodeDocument(bytes)) {
      await fs.rename(join(folder, name), await freeName(fs, folder, name))
    }
  }
  const path = join(folder, CARRIED_NAME)
  const before = await fs.read(`${path}${BACKUP}`)
  if (before && (await fs.read(path)) === undefined) await fs.rename(`${path}${BACKUP}`, path)
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
  const present = new Set(await fs.list(folder))
  for (const name of names.toReversed()) {
    const index = indexPathOf(name)
    if (present.has(index)) await fs.remove(join(folder, index))
    await fs.rename(join(folder, name), await freeName(fs, folder, name))
  }
  await fs.syncFolder(folder)
}

/** What was lost before under the same name stays. */
async function freeName(fs: FileSystem, folder: string, name: string): Promise<string> {
  const taken = new Set(await fs.list(folder))
  let free = `${name}${LOST}`
  for (let number = 2; taken.has(free); number++) free = `${name}.${number}${LOST}`
  return join(folder, free)
}
