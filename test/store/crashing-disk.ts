import { basename, dirname } from 'node:path'
import type { FileSystem, OpenFile, OpenMode } from '../../src/store/files/disk/file-system.js'

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

type Content =
  | { readonly kind: 'write'; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'length'; readonly length: number }

/** What a write is made of on the disk: each part may be there after a crash, or not. */
const SECTOR = 512

class Inode {
  durable: Buffer
  unsynced: Content[] = []

  constructor(public now: Buffer = Buffer.alloc(0)) {
    this.durable = now
  }

  change(content: Content): void {
    this.now = changed(this.now, content)
    this.unsynced.push(content)
  }
}

function changed(before: Buffer, content: Content): Buffer {
  const length =
    content.kind === 'length' ? content.length : Math.max(before.length, content.at + content.bytes.length)
  const after = Buffer.alloc(length)
  before.copy(after, 0, 0, length)
  if (content.kind === 'write') content.bytes.copy(after, content.at)
  return after
}

type Naming = (names: Map<string, Inode>) => void

/**
 * A disk in memory that knows what was synced. The n-th call that changes something, and every one after it,
 * fails: the process is dead. `crashed` is a disk as it may be found then: of all that was not synced, content
 * and names, any part is there and any part is not.
 */
export class CrashingDisk implements FileSystem {
  readonly #folders = new Map<
    string,
    { durable: Map<string, Inode>; now: Map<string, Inode>; unsynced: Naming[] }
  >()
  calls = 0

  constructor(private nth = Number.POSITIVE_INFINITY) {}

  /** The process dies now. */
  die(): void {
    this.nth = 0
  }

  /** The process dies at this call. */
  dieAt(nth: number): void {
    this.nth = nth
  }

  /** The same disk for the next process, when the one before died and the machine did not. */
  inherited(nth = Number.POSITIVE_INFINITY): CrashingDisk {
    const found = new CrashingDisk(nth)
    for (const [path, folder] of this.#folders) found.#folders.set(path, folder)
    return found
  }

  crashed(random: () => number, nth = Number.POSITIVE_INFINITY): CrashingDisk {
    const found = new CrashingDisk(nth)
    const inodes = new Map<Inode, Inode>()
    for (const [path, { durable, unsynced }] of this.#folders) {
      const names = new Map(durable)
      for (const naming of unsynced) if (random() < 0.5) naming(names)
      const left = new Map<string, Inode>()
      for (const [name, inode] of names) {
        const copy = inodes.get(inode) ?? new Inode(contentLeft(inode, random))
        inodes.set(inode, copy)
        left.set(name, copy)
      }
      found.#folders.set(path, { durable: left, now: new Map(left), unsynced: [] })
    }
    return found
  }

  async open(path: string, mode: OpenMode): Promise<OpenFile> {
    let inode = this.#find(path)
    if (mode === 'create') {
      this.#changing()
      if (inode) throw codeError('EEXIST', path)
      const made = new Inode()
      inode = made
      this.#name(path, (names) => void names.set(basename(path), made))
    }
    if (!inode) throw codeError('ENOENT', path)
    return this.#file(inode, mode)
  }

  async read(path: string): Promise<Buffer | undefined> {
    const inode = this.#find(path)
    return inode && Buffer.from(inode.now)
  }

  async rename(from: string, to: string): Promise<void> {
    this.#changing()
    const inode = this.#find(from)
    if (!inode) throw codeError('ENOENT', from)
    this.#name(from, (names) => {
      names.delete(basename(from))
      names.set(basename(to), inode)
    })
  }

  async remove(path: string): Promise<void> {
    this.#changing()
    if (!this.#find(path)) throw codeError('ENOENT', path)
    this.#name(path, (names) => void names.delete(basename(path)))
  }

  async list(folder: string): Promise<readonly string[]> {
    return [...(this.#folders.get(folder)?.now.keys() ?? [])].sort()
  }

  async makeFolder(folder: string): Promise<void> {
    if (!this.#folders.has(folder)) {
      this.#folders.set(folder, { durable: new Map(), now: new Map(), unsynced: [] })
    }
  }

  async syncFolder(folder: string): Promise<void> {
    this.#changing()
    const found = this.#folders.get(folder)
    if (!found) throw codeError('ENOENT', folder)
    found.durable = new Map(found.now)
    found.unsynced = []
  }

  #file(inode: Inode, mode: OpenMode): OpenFile {
    const changing = (): void => this.#changing()
    return {
      size: async () => inode.now.length,
      read: async (position, length) => Buffer.from(inode.now.subarray(position, position + length)),
      async write(bytes, at) {
        const kept = Buffer.from(bytes)
        try {
          changing()
        } finally {
          // A process that dies in a write may have handed over all of it.
          inode.change({ kind: 'write', at, bytes: kept })
        }
        if (mode === 'update') await this.sync()
      },
      async truncate(length) {
        changing()
        inode.change({ kind: 'length', length })
      },
      async sync() {
        changing()
        inode.durable = inode.now
        inode.unsynced = []
      },
      close: async () => {},
    }
  }

  #changing(): void {
    this.calls++
    if (this.calls >= this.nth) throw new Error('the process is dead')
  }

  #find(path: string): Inode | undefined {
    return this.#folders.get(dirname(path))?.now.get(basename(path))
  }

  #name(path: string, naming: Naming): void {
    const folder = this.#folders.get(dirname(path))
    if (!folder) throw codeError('ENOENT', path)
    naming(folder.now)
    folder.unsynced.push(naming)
  }
}

function contentLeft({ durable, unsynced }: Inode, random: () => number): Buffer {
  let bytes = durable
  for (const content of unsynced) {
    if (content.kind === 'length') {
      if (random() < 0.5) bytes = changed(bytes, content)
      continue
    }
    const { at, bytes: given } = content
    const after = Buffer.alloc(Math.max(bytes.length, at + given.length))
    let end = bytes.copy(after)
    for (let from = 0; from < given.length; from += SECTOR) {
      if (random() >= 0.5) continue
      const copied = given.copy(after, at + from, from, from + SECTOR)
      end = Math.max(end, at + from + copied)
    }
    bytes = after.subarray(0, end)
  }
  return bytes
}

const codeError = (code: string, path: string): Error =>
  Object.assign(new Error(`${code}: ${path}`), { code })
