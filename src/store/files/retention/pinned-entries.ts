import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { Mutex } from '../../../kit/mutex.js'
import type { Entry } from '../../entry.js'
import { refuseNewer, StoreDamaged } from '../../failure.js'
import type { Gap } from '../../gap.js'
import type { DamagedFiles } from '../damaged-files.js'
import { BACKUP, removeDrafts } from '../disk/durable-file.js'
import type { FileSystem, OpenFile } from '../disk/file-system.js'
import {
  bodyStart,
  decodeDocument,
  inPieces,
  type Place,
  placesIn,
  replaceDocument,
} from '../documents/sealed-document.js'
import { inChunks } from '../segments/chunks.js'
import { type Upgrade, upgraded } from '../segments/segment.js'

export const PINNED_NAME = 'carried.ndjson'

interface World {
  readonly fs: FileSystem
  readonly folder: string
  readonly upgrades: readonly Upgrade[]
  readonly damaged: DamagedFiles
}

type Further = AsyncIterable<readonly Entry[]>

/** Where an entry is in the file, and the CRC of its line. */
interface Known extends Place {
  readonly crc: number
}

/**
 * Entries of deleted segments that views still need, the lowest sequence number of the kept segments, and the numbers
 * that were given up. On disk before a segment is deleted, so that any other missing segment is damage.
 */
export class PinnedEntries {
  readonly #path: string
  /** One reads, or one replaces, so that a place is always of the file that is there. */
  readonly #turn = new Mutex()
  #known: ReadonlyMap<number, Known> = new Map()
  /** Version of the entries' data. */
  #version: number

  private constructor(
    readonly world: World,
    /** The sequence number that what is kept begins with. */
    public floor: number,
    public gaps: readonly Gap[],
  ) {
    this.#path = pinnedPath(world.folder)
    this.#version = world.upgrades.length + 1
  }

  /** Throws `StoreDamaged` for a file that is not what was written, or lost. */
  static async open(world: World): Promise<PinnedEntries> {
    const path = pinnedPath(world.folder)
    await removeDrafts(world.fs, path)
    const bytes = await world.fs.read(path)
    if (!bytes) {
      const gone = await goneFault(world.fs, path)
      if (gone === undefined) return new PinnedEntries(world, 1, [])
      throw new StoreDamaged(path, undefined, gone)
    }
    const document = decodeDocument(bytes)
    if (!document) throw notWritten(path)
    const version = Number(document.head['version'])
    refuseNewer(path, version, world.upgrades.length + 1)
    const gaps = (document.head['gaps'] ?? []) as unknown as readonly Gap[]
    const pinned = new PinnedEntries(world, Number(document.head['floor']), gaps)
    pinned.#version = version
    const { body } = document
    pinned.#known = new Map(knownIn(body, bytes.length - body.length))
    return pinned
  }

  /** The numbers of the entries, oldest first. */
  seqs(): readonly number[] {
    return [...this.#known.keys()]
  }

  /** The entries with these numbers, oldest first; those that are not pinned are left out. */
  read(seqs: Iterable<number>): Promise<readonly Entry[]> {
    const places = [...seqs].sort((a, b) => a - b)
    return this.#turn.run(async () => {
      const wanted = places.flatMap((seq) => this.#known.get(seq) ?? [])
      if (wanted.length === 0) return []
      return this.#reading(wanted, async (file) => {
        const entries: Entry[] = []
        for (const place of wanted) entries.push(this.#entryIn(await this.#line(file, place)))
        return entries
      })
    })
  }

  async get(seq: number): Promise<Entry | undefined> {
    return this.#known.has(seq) ? (await this.read([seq]))[0] : undefined
  }

  /**
   * Keeps only its entries that `needed` accepts, and adds `further` entries, which have higher numbers, in
   * chunks: there may be hundreds of thousands. Resolves once that is on disk.
   */
  replace(floor: number, needed: (seq: number) => boolean, further: Further = nothing()): Promise<void> {
    const gaps = this.gaps.filter(({ last }) => last >= floor)
    return this.#write(floor, gaps, needed, further)
  }

  /** Records numbers as given up; some may have been recorded before. Resolves once that is on disk. */
  async giveUp(gaps: readonly Gap[]): Promise<void> {
    // Twice, so that the previous generation has it, too: without it the entries after the gap would be lost.
    for (const _ of ['in place', 'as the one before']) {
      await this.#write(this.floor, gaps, () => true, nothing())
    }
  }

  #write(
    floor: number,
    gaps: readonly Gap[],
    needed: (seq: number) => boolean,
    further: Further,
  ): Promise<void> {
    return this.#turn.run(async () => {
      const version = this.world.upgrades.length + 1
      const head = { carried: 1, version, floor, gaps: gaps.map((gap) => ({ ...gap })) }
      const known = new Map<number, Known>()
      const pieces = noted(known, bodyStart(head), this.#pieces(needed, further))
      await replaceDocument(this.world.fs, this.#path, head, pieces)
      this.floor = floor
      this.gaps = gaps
      this.world.damaged.forget(this.#path)
      this.#version = version
      this.#known = known
    })
  }

  async *#pieces(needed: (seq: number) => boolean, further: Further): AsyncGenerator<Buffer> {
    for (const places of inChunks(this.#placesOf(needed), ({ length }) => length)) {
      const lines = await this.#reading(places, (file) =>
        Promise.all(places.map((place) => this.#line(file, place))),
      )
      yield* inPieces(lines.map((line) => this.#entryIn(line)))
    }
    for await (const entries of further) yield* inPieces(entries)
  }

  *#placesOf(needed: (seq: number) => boolean): Generator<Known> {
    for (const [seq, known] of this.#known) if (needed(seq)) yield known
  }

  #reading<T>(places: readonly Known[], run: (file: OpenFile) => Promise<T>): Promise<T> {
    const { damaged, fs } = this.world
    const offsets = places.map(({ offset }) => offset)
    return damaged.reading(this.#path, offsets, async () => {
      const file = await fs.open(this.#path, 'read')
      try {
        return await run(file)
      } finally {
        await file.close()
      }
    })
  }

  async #line(file: OpenFile, { offset, length, crc }: Known): Promise<Buffer> {
    const line = await file.read(offset, length)
    if (crc32(line) !== crc) {
      this.world.damaged.add(this.#path)
      throw notWritten(this.#path)
    }
    return line
  }

  #entryIn(line: Buffer): Entry {
    return upgraded(JSON.parse(line.toString('utf8')) as Entry, this.#version, this.world.upgrades)
  }
}

async function* nothing(): AsyncGenerator<never> {}

/** The pieces as they come, with what is in them noted. */
async function* noted(
  known: Map<number, Known>,
  start: number,
  pieces: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  let end = start
  for await (const piece of pieces) {
    for (const [seq, place] of knownIn(piece, end)) known.set(seq, place)
    end += piece.length
    yield piece
  }
}

const NUMBER = '{"seq":'.length

/** What is in the lines of these bytes, which begin at `start` of the file. */
function* knownIn(bytes: Buffer, start: number): Generator<readonly [seq: number, known: Known]> {
  for (const { offset, length } of placesIn(bytes)) {
    const line = bytes.subarray(offset, offset + length)
    const seq = Number.parseInt(line.toString('latin1', NUMBER, NUMBER + 16), 10)
    yield [seq, { offset: start + offset, length, crc: crc32(line) }]
  }
}

/** Why a file that is not there should be; undefined where there never was one. */
export const goneFault = async (fs: FileSystem, path: string): Promise<string | undefined> =>
  (await fs.read(`${path}${BACKUP}`)) && `it is gone, and the one before it is in ${path}${BACKUP}`

const notWritten = (path: string): StoreDamaged =>
  new StoreDamaged(path, undefined, 'it is not what was written')

export const pinnedPath = (folder: string): string => join(folder, PINNED_NAME)
