import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { OneAtATime } from '../kit/one-at-a-time.js'
import { BACKUP, removeDrafts, replaceFile } from './durable-file.js'
import { StoreDamaged } from './failure.js'
import type { FileSystem } from './file-system.js'
import { type Gap, withGap } from './gap.js'
import type { Entry } from './journal.js'
import { decodeDocument, encodeDocument, encodeLines, type Place, placesOf } from './sealed-document.js'
import { type Upgrade, upgraded } from './segment.js'

export const CARRIED_NAME = 'carried.ndjson'

type World = { readonly fs: FileSystem; readonly folder: string; readonly upgrades: readonly Upgrade[] }

/** Where an entry is in the file, and the CRC of its line. */
interface Known extends Place {
  readonly crc: number
}

/**
 * What retention took the segments of and could not spare, where what is kept begins, and what was given up. On
 * disk before the first segment goes, so that a segment that is missing without its word is damage.
 */
export class Carried {
  readonly #path: string
  /** One reads, or one replaces, so that a place is always of the file that is there. */
  readonly #turn = new OneAtATime()
  #known: ReadonlyMap<number, Known> = new Map()
  /** Version of the entries' data. */
  #version: number

  private constructor(
    readonly world: World,
    /** The sequence number that what is kept begins with. */
    public floor: number,
    public gaps: readonly Gap[],
  ) {
    this.#path = carriedPath(world.folder)
    this.#version = world.upgrades.length + 1
  }

  /** Throws `StoreDamaged` for a file that is not what was written, or lost. */
  static async open(world: World): Promise<Carried> {
    const path = carriedPath(world.folder)
    await removeDrafts(world.fs, path)
    const bytes = await world.fs.read(path)
    if (!bytes) {
      if ((await world.fs.read(`${path}${BACKUP}`)) === undefined) return new Carried(world, 1, [])
      throw new StoreDamaged(path, undefined, `it is gone, and the one before it is in ${path}${BACKUP}`)
    }
    const document = decodeDocument(bytes)
    if (!document) throw notWritten(path)
    const version = Number(document.head['version'])
    const newest = world.upgrades.length + 1
    if (version > newest) {
      const why = `version ${version} is of a newer secsctl than this (${newest})`
      throw new StoreDamaged(path, undefined, why)
    }
    const gaps = (document.head['gaps'] ?? []) as unknown as readonly Gap[]
    const carried = new Carried(world, Number(document.head['floor']), gaps)
    carried.#note(bytes, version)
    return carried
  }

  /** The numbers of the entries, oldest first. */
  seqs(): readonly number[] {
    return [...this.#known.keys()]
  }

  /** The entries with these numbers, oldest first; those that are not carried are left out. */
  read(seqs: Iterable<number>): Promise<readonly Entry[]> {
    return this.#turn.run(async () => {
      const places = [...seqs].sort((a, b) => a - b).flatMap((seq) => this.#known.get(seq) ?? [])
      if (places.length === 0) return []
      const file = await this.world.fs.open(this.#path, 'read')
      try {
        const entries: Entry[] = []
        for (const { offset, length, crc } of places) {
          const line = await file.read(offset, length)
          if (crc32(line) !== crc) throw notWritten(this.#path)
          const entry = JSON.parse(line.toString('utf8')) as Entry
          entries.push(upgraded(entry, this.#version, this.world.upgrades))
        }
        return entries
      } finally {
        await file.close()
      }
    })
  }

  async get(seq: number): Promise<Entry | undefined> {
    return this.#known.has(seq) ? (await this.read([seq]))[0] : undefined
  }

  /** Carries these entries from now on, and no others. Resolves once that is on disk. */
  replace(floor: number, entries: readonly Entry[]): Promise<void> {
    return this.#write(
      floor,
      this.gaps.filter(({ last }) => last >= floor),
      entries,
    )
  }

  /** Gives numbers up for good. Resolves once that is on disk. */
  async giveUp(gap: Gap): Promise<void> {
    await this.#write(this.floor, withGap(this.gaps, gap), await this.read(this.seqs()))
  }

  #write(floor: number, gaps: readonly Gap[], entries: readonly Entry[]): Promise<void> {
    return this.#turn.run(async () => {
      const version = this.world.upgrades.length + 1
      const head = { carried: 1, version, floor, gaps: gaps.map((gap) => ({ ...gap })) }
      const bytes = encodeDocument({ head, body: encodeLines(entries) })
      await replaceFile(this.world.fs, this.#path, bytes)
      this.floor = floor
      this.gaps = gaps
      this.#note(bytes, version)
    })
  }

  #note(bytes: Buffer, version: number): void {
    this.#version = version
    this.#known = new Map(
      Array.from(placesOf(bytes), ({ offset, length }) => {
        const line = bytes.subarray(offset, offset + length)
        const { seq } = JSON.parse(line.toString('utf8')) as Entry
        return [seq, { offset, length, crc: crc32(line) }]
      }),
    )
  }
}

const notWritten = (path: string): StoreDamaged =>
  new StoreDamaged(path, undefined, 'it is not what was written; --accept-loss goes on without it')

export const carriedPath = (folder: string): string => join(folder, CARRIED_NAME)
