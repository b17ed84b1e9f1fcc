import { refuseNewer, StoreDamaged } from '../../failure.js'
import { ALL } from '../damaged-files.js'
import { unread } from '../disk/unread.js'
import { EntryIndex } from '../index/entry-index.js'
import { decodeIndex, encodeIndex, type IndexFile, isSameSeal, type Sealed } from '../index/index-file.js'
import { isWhole, markOf } from './journal-line.js'
import { firstOf, indexPathOf, type Segment, type SegmentWorld, segmentPath } from './segment.js'
import { NO_CRASH, readSegment, readSegmentFile } from './segment-content.js'

/**
 * A segment that gets no more entries. Of its index only the part that shows whether to search it stays in
 * memory; the rest is in a file beside it, which is read when it is needed, and made again from the segment when it is not
 * right.
 */
export class SealedSegment implements Segment {
  readonly path: string
  readonly version: number
  readonly first: number
  readonly last: number
  readonly size: number
  readonly earliest: number
  readonly latest: number
  readonly present: ReadonlySet<number>
  deleted = false
  #reading: Promise<EntryIndex> | undefined

  constructor(
    readonly world: SegmentWorld,
    readonly sealed: Sealed,
    index: EntryIndex,
  ) {
    this.path = segmentPath(world.folder, sealed.first)
    this.version = sealed.version
    this.first = sealed.first
    this.last = sealed.first + index.length - 1
    this.size = sealed.size
    this.earliest = index.earliest
    this.latest = index.latest
    this.present = index.present
  }

  /**
   * Opens a segment by its index, without reading it but for its last line. Where the index is not of the file
   * that is there, the segment is read, and gets a new one. Throws `StoreDamaged`.
   */
  static async open(world: SegmentWorld, name: string): Promise<SealedSegment> {
    const path = segmentPath(world.folder, firstOf(name))
    const found = await indexFile(world, path)
    if (found && (await isIndexOf(world, path, found))) {
      refuseNewer(path, found.sealed.version, world.upgrades.length + 1)
      return new SealedSegment(world, found.sealed, found.index)
    }
    const { sealed, index } = await readSealed(world, path)
    const segment = new SealedSegment(world, sealed, index)
    // It can be made again: a disk that is full is no reason not to open.
    await segment.writeIndex(index).catch(() => undefined)
    return segment
  }

  /** All who ask while it is being read share one reading: a page of alarms asks a hundred times at once. */
  async index(): Promise<EntryIndex> {
    const held = this.world.indexes.get(this.path)
    if (held) return held
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #read(): Promise<EntryIndex> {
    const { indexes, damaged } = this.world
    const index = await damaged.reading(this.path, [ALL], async () => {
      const found = await indexFile(this.world, this.path)
      return found && isSameSeal(found.sealed, this.sealed) ? found.index : this.#rebuilt()
    })
    if (!this.deleted) indexes.put(this.path, index)
    return index
  }

  /** Not synced: a file that a crash cut short is known by its CRC, and made again. */
  async writeIndex(index: EntryIndex): Promise<void> {
    const { fs, subjects } = this.world
    const path = indexPathOf(this.path)
    const bytes = encodeIndex(index, this.sealed, subjects)
    if ((await fs.read(path)) !== undefined) await fs.remove(path)
    const file = await fs.open(path, 'create')
    try {
      await file.write(bytes, 0)
    } finally {
      await file.close()
    }
  }

  async #rebuilt(): Promise<EntryIndex> {
    try {
      return (await readSealed(this.world, this.path)).index
    } catch (error) {
      if (this.deleted) return new EntryIndex()
      throw error
    }
  }
}

/** What the file of an index has; undefined where it is gone, not whole, or cannot be read: it is made again from the segment. */
async function indexFile({ fs, subjects }: SegmentWorld, path: string): Promise<IndexFile | undefined> {
  const bytes = await fs.read(indexPathOf(path)).catch(() => undefined)
  return bytes && decodeIndex(bytes, subjects)
}

/** Reads the whole file of a segment that is not the newest. Throws `StoreDamaged` where it is not whole. */
async function readSealed(world: SegmentWorld, path: string): Promise<IndexFile> {
  const bytes = await readSegmentFile(world.fs, path)
  if (!bytes) {
    world.damaged.add(path)
    throw new StoreDamaged(path, undefined, 'it is gone')
  }
  const { scan, sealed, index } = readSegment(path, bytes, world.subjects)
  refuseNewer(path, sealed.version, world.upgrades.length + 1)
  // A segment is begun only once the one before is synced to its last byte.
  if (scan.version === undefined || scan.end < bytes.length || scan.entries === 0) {
    world.damaged.add(path)
    throw new StoreDamaged(path, scan.fault, NO_CRASH)
  }
  return { sealed, index }
}

/** True when the file ends where the index says, with the line that it says. */
async function isIndexOf(
  { files }: SegmentWorld,
  path: string,
  { sealed, index }: IndexFile,
): Promise<boolean> {
  try {
    return await files.use(path, async (file) => {
      const lastLine = index.offsets[index.length - 1]
      if (lastLine === undefined || (await file.size()) !== sealed.size) return false
      const line = (await file.read(lastLine, sealed.size - lastLine)).subarray(0, -1)
      return isWhole(line) && markOf(line) === sealed.mark
    })
  } catch (error) {
    throw unread(path, error)
  }
}
