import type { Entry } from '../../entry.js'
import { placeFile } from '../disk/durable-file.js'
import type { OpenFile } from '../disk/file-system.js'
import { EntryIndex } from '../index/entry-index.js'
import type { Sealed } from '../index/index-file.js'
import { type LineText, markOf } from './journal-line.js'
import { SealedSegment } from './sealed-segment.js'
import { type Segment, type SegmentWorld, segmentPath } from './segment.js'
import { encodeSegmentHead } from './segment-head.js'

/** What was found in a segment that further entries are appended to. */
export interface OpenState {
  readonly version: number
  readonly first: number
  readonly size: number
  readonly index: EntryIndex
  /** The CRC of its last line. */
  readonly mark: string
}

/**
 * A file is made longer by this many bytes at once. To write within a file takes half of the time that it takes to
 * write at its end, since a sync then has no new length to record.
 */
const ROOM_BYTES = 256 * 1024

/** An entry that has its place in the journal, and is not on disk yet. */
export interface PlacedEntry {
  readonly entry: Entry
  /** Of the entry, in milliseconds since 1970. */
  readonly time: number
  /** The number of its subject. */
  readonly subject: number
  /** Its line, as `lineContent` makes it. */
  readonly content: LineText
}

/** The newest segment of a journal: what is appended goes here. Its index is in memory. */
export class OpenSegment implements Segment {
  readonly path: string
  readonly version: number
  readonly first: number
  size: number
  /** The CRC that its last line carries. */
  mark: string
  /** Where the file ends. Between `size` and here are empty lines. */
  #allocated: number
  readonly #index: EntryIndex
  #sealed: SealedSegment | undefined

  constructor(
    readonly world: SegmentWorld,
    readonly file: OpenFile,
    { version, first, size, index, mark }: OpenState,
  ) {
    this.path = segmentPath(world.folder, first)
    this.version = version
    this.first = first
    this.#index = index
    this.size = size
    this.#allocated = size
    this.mark = mark
  }

  /** Begins a segment; its file is on disk when this resolves. Rejects where there is one of its name. */
  static async create(world: SegmentWorld, first: number): Promise<OpenSegment> {
    const head = encodeSegmentHead(versionIn(world), first)
    const path = segmentPath(world.folder, first)
    const file = await world.fs.open(path, 'create')
    try {
      await file.write(head, 0)
      await file.sync()
    } finally {
      await file.close()
    }
    await world.fs.syncFolder(world.folder)
    return OpenSegment.#empty(world, await world.fs.open(path, 'update'), first, head)
  }

  /** The same in the place of an empty one of its name: after any crash one of the two is there. */
  static async replace(world: SegmentWorld, first: number): Promise<OpenSegment> {
    const head = encodeSegmentHead(versionIn(world), first)
    const path = segmentPath(world.folder, first)
    await placeFile(world.fs, path, head)
    return OpenSegment.#empty(world, await world.fs.open(path, 'update'), first, head)
  }

  static #empty(world: SegmentWorld, file: OpenFile, first: number, head: Buffer): OpenSegment {
    const state = { version: versionIn(world), first, size: head.length, mark: markOf(head.subarray(0, -1)) }
    return new OpenSegment(world, file, { ...state, index: new EntryIndex() })
  }

  get last(): number {
    return this.first + this.#index.length - 1
  }

  get earliest(): number {
    return this.#index.earliest
  }

  get latest(): number {
    return this.#index.latest
  }

  /** When its first entry was made, in milliseconds since 1970; undefined while it is empty. */
  get begun(): number | undefined {
    return this.#index.length > 0 ? this.#index.times[0] : undefined
  }

  get present(): ReadonlySet<number> {
    return this.#index.present
  }

  /** A search that began while it was open keeps using it. */
  get deleted(): boolean {
    return this.#sealed?.deleted ?? false
  }

  async index(): Promise<EntryIndex> {
    return this.#index
  }

  /**
   * Puts entries on disk, together or not at all. They are part of the segment once this resolves. `segmentBytes`: how
   * large the segment will grow.
   */
  async append(entries: readonly PlacedEntry[], segmentBytes: number): Promise<void> {
    const { length, allocated, starts, mark } = await this.world.batches.write(
      this.last + 1,
      entries.map(({ content }) => content),
      (bytes, at) => this.file.write(bytes, this.size + at),
      (lines) => this.#roomAfter(this.size + lines, segmentBytes),
    )
    const end = this.size + length
    this.#allocated = Math.max(this.#allocated, this.size + allocated)
    let at = 0
    for (const { entry, time, subject } of entries) {
      const start = starts[at] as number
      at += 1
      this.#index.add(time, this.size + start, subject)
      this.world.entries.wrote(entry, (starts[at] ?? length) - start)
    }
    this.size = end
    this.mark = mark
  }

  /** Bytes by which the file is made longer for lines that end there. */
  #roomAfter(end: number, segmentBytes: number): number {
    return end <= this.#allocated ? 0 : Math.max(0, Math.min(ROOM_BYTES, segmentBytes - end))
  }

  /** Ends it: no entry is appended any more, and its index is written beside it. */
  async seal(): Promise<SealedSegment> {
    const { version, first, size, mark } = this
    const sealed: Sealed = { version, first, size, mark }
    await this.file.truncate(size)
    await this.file.sync()
    const segment = new SealedSegment(this.world, sealed, this.#index)
    await segment.writeIndex(this.#index)
    await this.file.close()
    this.#sealed = segment
    return segment
  }

  async close(): Promise<void> {
    // A start cuts the room off as well.
    await this.file.truncate(this.size).catch(() => undefined)
    await this.file.close()
  }
}

const versionIn = ({ upgrades }: SegmentWorld): number => upgrades.length + 1
