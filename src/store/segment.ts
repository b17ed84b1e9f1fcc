import { join } from 'node:path'
import { EntryIndex, type Vocabulary } from './entry-index.js'
import { StoreDamaged } from './failure.js'
import type { FileSystem, OpenFile } from './file-system.js'
import type { Entry } from './journal.js'
import { decodeEntry, type LineHead } from './journal-line.js'
import { type Scan, scanSegment } from './segment-scan.js'

const SUFFIX = '.ndjson'
const NAME = /^[0-9]{16}\.ndjson$/
/** Lines of a page that lie closer together than this are read in one call. */
const ONE_READ = 256 * 1024

/** The file of a segment is named after the sequence number it begins with, so that names sort as segments do. */
const segmentName = (first: number): string => `${String(first).padStart(16, '0')}${SUFFIX}`
export const isSegmentName = (name: string): boolean => NAME.test(name)
export const firstOf = (name: string): number => Number(name.slice(0, -SUFFIX.length))

/** One file of the journal, and the index of what is in it. */
export class Segment {
  private constructor(
    readonly path: string,
    readonly first: number,
    readonly file: OpenFile,
    readonly index: EntryIndex,
    /** Bytes that are on disk. */
    private bytes: number,
  ) {}

  static async create(fs: FileSystem, folder: string, first: number, words: Vocabulary): Promise<Segment> {
    const path = join(folder, segmentName(first))
    const file = await fs.open(path, 'create')
    try {
      await file.sync()
      await fs.syncFolder(folder)
    } catch (error) {
      await file.close()
      throw error
    }
    return new Segment(path, first, file, new EntryIndex(words), 0)
  }

  /** Reads the whole file; what a crash left behind the last whole batch is in the scan, and still in the file. */
  static async open(
    fs: FileSystem,
    folder: string,
    name: string,
    words: Vocabulary,
  ): Promise<[Segment, Scan, Buffer]> {
    const path = join(folder, name)
    const bytes = await fs.read(path)
    if (!bytes) throw new StoreDamaged(path, undefined, 'it is gone')
    const index = new EntryIndex(words)
    const scan = scanSegment(bytes, firstOf(name), (head, offset) => index.add(head, offset))
    index.cut(scan.entries)
    const segment = new Segment(path, firstOf(name), await fs.open(path, 'update'), index, scan.end)
    return [segment, scan, bytes]
  }

  get size(): number {
    return this.bytes
  }

  /** The last sequence number in it; one less than the first while it is empty. */
  get last(): number {
    return this.first + this.index.length - 1
  }

  /** Puts lines on disk. They are part of the segment once this resolves. */
  async append(
    heads: readonly Omit<LineHead, 'seq' | 'batch' | 'end'>[],
    lines: readonly Buffer[],
  ): Promise<void> {
    await this.file.write(lines.length === 1 ? (lines[0] as Buffer) : Buffer.concat(lines), this.bytes)
    await this.file.sync()
    for (const [at, line] of lines.entries()) {
      this.index.add(heads[at] as LineHead, this.bytes)
      this.bytes += line.length
    }
  }

  /** The entries at these places of the index, which are in rising or in falling order. */
  async readAll(places: readonly number[]): Promise<Entry[]> {
    const entries: Entry[] = []
    for (let from = 0; from < places.length; ) {
      let to = from + 1
      while (to < places.length && this.#span(places[from] as number, places[to] as number) <= ONE_READ) to++
      entries.push(...(await this.#readRun(places.slice(from, to))))
      from = to
    }
    return entries
  }

  /** Bytes on disk of the entry at this place of the index. */
  sizeOf(place: number): number {
    return this.#end(place) - (this.index.offsets[place] as number)
  }

  close(): Promise<void> {
    return this.file.close()
  }

  #end(place: number): number {
    return place + 1 < this.index.length ? (this.index.offsets[place + 1] as number) : this.bytes
  }

  #span(one: number, other: number): number {
    return this.#end(Math.max(one, other)) - (this.index.offsets[Math.min(one, other)] as number)
  }

  async #readRun(places: readonly number[]): Promise<Entry[]> {
    const start = this.index.offsets[Math.min(...places)] as number
    const bytes = await this.file.read(start, this.#end(Math.max(...places)) - start)
    return places.map((place) => {
      const offset = this.index.offsets[place] as number
      const entry = decodeEntry(bytes.subarray(offset - start, this.#end(place) - start - 1))
      if (entry?.seq === this.first + place) return entry
      throw new StoreDamaged(this.path, offset, 'the line is not what was written')
    })
  }
}
