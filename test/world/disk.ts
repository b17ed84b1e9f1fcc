import { createHash } from 'node:crypto'
import { basename, dirname } from 'node:path'
import type { FileSystem, OpenFile, OpenMode } from '../../src/store/files/disk/file-system.js'
import { PINNED_NAME } from '../../src/store/files/retention/pinned-entries.js'
import { firstOf, isIndexName, isSegmentName } from '../../src/store/files/segments/segment.js'
import type { Chance } from './chance.js'
import type { Host, World } from './world.js'

/** What a write is made of on the disk: each part may be there after a power cut, or not. */
const SECTOR = 512
const NEWLINE = 0x0a
/** Milliseconds, typically. */
const READ_MS = 0.05
const WRITE_MS = 0.02
const SYNC_MS = 0.4
/** So long retention and the reads of what it removes wait for each other at most, and so often each looks. */
const MEETING_MS = 5000
const LOOK_MS = 20

/** A change that is not synced, and what was there before. */
type Change =
  | {
      readonly kind: 'write'
      readonly at: number
      readonly bytes: Buffer
      readonly before: Buffer
      readonly length: number
    }
  | { readonly kind: 'length'; readonly to: number; readonly before: Buffer; readonly length: number }

/** A file with what it had at its last sync. */
class Inode {
  #bytes = Buffer.alloc(0)
  length = 0
  #unsynced: Change[] = []
  #flipped: { readonly at: number; readonly mask: number } | undefined

  read(position: number, length: number): Buffer {
    return Buffer.from(this.#bytes.subarray(position, Math.min(this.length, position + length)))
  }

  write(at: number, bytes: Buffer): void {
    const before = this.read(at, bytes.length)
    this.#unsynced.push({ kind: 'write', at, bytes: Buffer.from(bytes), before, length: this.length })
    this.#put(at, bytes)
  }

  truncate(to: number): void {
    const before = this.read(to, this.length)
    this.#unsynced.push({ kind: 'length', to, before, length: this.length })
    this.#cut(to)
  }

  synced(): void {
    this.#unsynced = []
  }

  /** Of all that was not synced, any part is there after a power cut, and any part is not. */
  loseSome(chance: Chance): void {
    const changes = this.#unsynced
    for (const change of [...changes].reverse()) {
      if (change.kind === 'length') this.#put(change.to, change.before)
      else this.#put(change.at, change.before)
      this.#cut(change.length)
    }
    for (const change of changes) {
      if (change.kind === 'length') {
        if (chance.is(0.5)) this.#cut(change.to)
        continue
      }
      for (let from = 0; from < change.bytes.length; from += SECTOR) {
        if (chance.is(0.5)) this.#put(change.at + from, change.bytes.subarray(from, from + SECTOR))
      }
    }
    this.#unsynced = []
  }

  /** False where there is nothing to flip. Padding is left alone: most of some files is. */
  flipBit(chance: Chance): boolean {
    for (let tries = 0; tries < 50 && this.length > 0; tries++) {
      const at = chance.below(this.length)
      if (this.#bytes[at] === NEWLINE) continue
      this.#flipped = { at, mask: 1 << chance.below(8) }
      this.#flip(this.#flipped)
      return true
    }
    return false
  }

  /** As it was, unless something else was written there. */
  flipBack(): void {
    if (this.#flipped) this.#flip(this.#flipped)
    this.#flipped = undefined
  }

  #flip({ at, mask }: { readonly at: number; readonly mask: number }): void {
    this.#bytes[at] = (this.#bytes[at] as number) ^ mask
  }

  #put(at: number, bytes: Uint8Array): void {
    const end = at + bytes.length
    if (this.#flipped && this.#flipped.at >= at && this.#flipped.at < end) this.#flipped = undefined
    if (end > this.#bytes.length) {
      const grown = Buffer.alloc(Math.max(end, 2 * this.#bytes.length, 4096))
      this.#bytes.copy(grown, 0, 0, this.length)
      this.#bytes = grown
    }
    this.#bytes.set(bytes, at)
    this.length = Math.max(this.length, end)
  }

  #cut(to: number): void {
    if (to > this.length) this.#put(this.length, Buffer.alloc(to - this.length))
    else this.#bytes.fill(0, to, this.length)
    if (this.#flipped && this.#flipped.at >= to) this.#flipped = undefined
    this.length = to
  }
}

/** The history of a gateway, and what retention notes there before it removes segments. */
const JOURNAL = '/data/journal'
const NOTES = `${JOURNAL}/${PINNED_NAME}`
const FLOOR = /"floor":(\d+)/
const HEAD_BYTES = 200

/** A process that is about to remove segments before a number, and how many reads of them have begun. */
interface Meeting {
  readonly host: Host
  readonly floor: number
  reads: number
}

type Naming = (names: Map<string, Inode>) => void

interface Folder {
  durable: Map<string, Inode>
  readonly now: Map<string, Inode>
  unsynced: Naming[]
}

/** The disk of a machine: its files survive processes, and what was synced survives a power cut. */
export class Disk {
  readonly folders = new Map<string, Folder>()
  /** Times of everything are multiplied by it. */
  slowness = 1
  isFull = false
  /** Called when segments before a number are about to be removed. Each returns how many reads of them it has begun. */
  readonly beforeRemoval = new Set<(floor: number) => number>()
  #meeting: Meeting | undefined
  readonly #chance: Chance

  constructor(
    readonly world: World,
    name: string,
  ) {
    this.#chance = world.chance.fork(`disk of ${name}`)
  }

  /** Bytes of all files. */
  get size(): number {
    let size = 0
    for (const { now } of this.folders.values()) for (const inode of now.values()) size += inode.length
    return size
  }

  /** Bytes of the files of a folder. */
  sizeOf(folder: string): number {
    let size = 0
    for (const { length } of this.folders.get(folder)?.now.values() ?? []) size += length
    return size
  }

  /** The machine loses its power: names and content that were not synced are there, or not. */
  losePower(): void {
    for (const [path, folder] of this.folders) {
      const names = new Map(folder.durable)
      for (const naming of folder.unsynced) if (this.#chance.is(0.5)) naming(names)
      for (const inode of new Set(names.values())) inode.loseSome(this.#chance)
      this.folders.set(path, { durable: names, now: new Map(names), unsynced: [] })
    }
  }

  /** The paths of all files. */
  paths(): string[] {
    return [...this.folders].flatMap(([path, { now }]) => [...now.keys()].map((name) => `${path}/${name}`))
  }

  /** The content of all files in a folder and in the folders in it, by the rest of their paths. */
  copyOf(folder: string): ReadonlyMap<string, Buffer> {
    const inside = this.paths().filter((path) => path.startsWith(`${folder}/`))
    return new Map(
      inside.map((path) => [
        path.slice(folder.length),
        this.inode(path)?.read(0, Number.MAX_SAFE_INTEGER) ?? Buffer.alloc(0),
      ]),
    )
  }

  /** A person puts these files in the place of what is in a folder, and waits until all is on disk. */
  replace(folder: string, files: ReadonlyMap<string, Buffer>): void {
    for (const path of [...this.folders.keys()]) {
      if (path === folder || path.startsWith(`${folder}/`)) this.folders.delete(path)
    }
    for (const [rest, bytes] of files) {
      const path = dirname(folder + rest)
      const inode = new Inode()
      inode.write(0, bytes)
      inode.synced()
      const names = this.folders.get(path)?.durable ?? new Map<string, Inode>()
      names.set(basename(rest), inode)
      this.folders.set(path, { durable: names, now: new Map(names), unsynced: [] })
    }
  }

  /** Of all names and content. */
  digest(): string {
    const hash = createHash('sha256')
    for (const path of this.paths().sort()) {
      const inode = this.inode(path)
      hash.update(`${path} ${inode?.length}\n`).update(inode?.read(0, inode.length) ?? '')
    }
    return hash.digest('hex').slice(0, 16)
  }

  inode(path: string): Inode | undefined {
    return this.folders.get(dirname(path))?.now.get(basename(path))
  }

  rename(path: string, naming: Naming): void {
    const folder = this.folders.get(dirname(path))
    if (!folder) throw codeError('ENOENT', path)
    naming(folder.now)
    folder.unsynced.push(naming)
  }

  /** The result of `work`, when the disk has done it. Of a process that died, nobody learns it. */
  async done<T>(host: Host, ms: number, work: () => T): Promise<T> {
    await new Promise<void>((resolve) => {
      this.world.after(host, this.#chance.around(ms) * this.slowness, resolve)
    })
    return work()
  }

  /**
   * Retention has noted with which number history begins, and removes segments next: where somebody wants them to be read
   * just then, once these reads have begun.
   */
  async noted(host: Host, inode: Inode | undefined): Promise<void> {
    const floor = Number(FLOOR.exec(inode?.read(0, HEAD_BYTES).toString('latin1') ?? '')?.[1])
    const names = [...(this.folders.get(JOURNAL)?.now.keys() ?? [])]
    if (!names.some((name) => isSegmentName(name) && firstOf(name) < floor)) return
    const meeting = { host, floor, reads: 0 }
    this.#meeting = meeting
    let awaited = 0
    for (const begin of this.beforeRemoval) awaited += begin(floor)
    await this.#until(host, () => meeting.reads >= awaited)
    if (meeting.reads === 0) this.#meeting = undefined
  }

  /** What is read while retention waits to remove it is read once it is gone. */
  async meets(host: Host, path: string): Promise<void> {
    const meeting = this.#meeting
    if (meeting?.host !== host || dirname(path) !== JOURNAL) return
    const name = basename(path)
    if (!(isSegmentName(name) || isIndexName(name)) || firstOf(name) >= meeting.floor) return
    meeting.reads += 1
    await this.#until(host, () => !this.inode(path))
    if (!this.inode(path)) this.world.count('reads of history that was removed meanwhile')
  }

  async #until(host: Host, isSo: () => boolean): Promise<void> {
    const end = this.world.now + MEETING_MS
    while (!isSo() && this.world.now < end) await this.world.sleep(host, LOOK_MS)
  }

  requireSpace(path: string): void {
    if (this.isFull) throw codeError('ENOSPC', path)
  }
}

/** The files of a disk, as a process on `host` uses them. */
export function filesOf(disk: Disk, host: Host): FileSystem {
  const named = (path: string, naming: Naming): Promise<void> =>
    disk.done(host, WRITE_MS, () => {
      if (!disk.inode(path)) throw codeError('ENOENT', path)
      disk.rename(path, naming)
    })
  return {
    async open(path, mode) {
      if (mode === 'read') await disk.meets(host, path)
      return disk.done(host, READ_MS, () => openFile(disk, host, path, mode))
    },
    async read(path) {
      await disk.meets(host, path)
      return disk.done(host, READ_MS, () => {
        const inode = disk.inode(path)
        return inode?.read(0, inode.length)
      })
    },
    async rename(from, to) {
      if (to === NOTES && disk.beforeRemoval.size > 0) await disk.noted(host, disk.inode(from))
      await named(from, (names) => {
        const inode = names.get(basename(from))
        if (!inode) return
        names.delete(basename(from))
        names.set(basename(to), inode)
        if (basename(to) === 'checkpoint.json') disk.world.count('checkpoints written')
      })
    },
    remove: (path) =>
      named(path, (names) => {
        if (names.delete(basename(path)) && isSegment(path)) disk.world.count('segments removed')
      }),
    list: (folder) =>
      disk.done(host, READ_MS, () => [...(disk.folders.get(folder)?.now.keys() ?? [])].sort()),
    makeFolder: (folder) =>
      disk.done(host, WRITE_MS, () => {
        if (!disk.folders.has(folder)) {
          disk.folders.set(folder, { durable: new Map(), now: new Map(), unsynced: [] })
        }
      }),
    syncFolder: (path) =>
      disk.done(host, SYNC_MS, () => {
        const folder = disk.folders.get(path)
        if (!folder) throw codeError('ENOENT', path)
        folder.durable = new Map(folder.now)
        folder.unsynced = []
      }),
  }
}

const isSegment = (path: string): boolean => /\/journal\/\d+\.ndjson$/.test(path)

function openFile(disk: Disk, host: Host, path: string, mode: OpenMode): OpenFile {
  let inode = disk.inode(path)
  if (mode === 'create') {
    if (inode) throw codeError('EEXIST', path)
    disk.requireSpace(path)
    const made = new Inode()
    inode = made
    if (isSegment(path)) disk.world.count('segments begun')
    disk.rename(path, (names) => void names.set(basename(path), made))
  }
  if (!inode) throw codeError('ENOENT', path)
  const file = inode
  return {
    size: () => disk.done(host, READ_MS, () => file.length),
    async read(position, length) {
      await disk.meets(host, path)
      return disk.done(host, READ_MS, () => file.read(position, length))
    },
    async write(bytes, position) {
      disk.requireSpace(path)
      // The system has it from the call on, whether the process lives on or not.
      file.write(position, bytes)
      await disk.done(host, mode === 'update' ? SYNC_MS : WRITE_MS, () => {
        if (mode === 'update') file.synced()
      })
    },
    truncate: (length) => disk.done(host, WRITE_MS, () => file.truncate(length)),
    sync: () => disk.done(host, SYNC_MS, () => file.synced()),
    close: async () => {},
  }
}

const codeError = (code: string, path: string): Error =>
  Object.assign(new Error(`${code}: ${path}`), { code })
