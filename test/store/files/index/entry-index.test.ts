import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Entry, NewEntry } from '../../../../src/store/entry.js'
import { FailStop } from '../../../../src/store/failure.js'
import { FilePool } from '../../../../src/store/files/disk/file-pool.js'
import { disk, type FileSystem } from '../../../../src/store/files/disk/file-system.js'
import { EntryIndex } from '../../../../src/store/files/index/entry-index.js'
import { IndexCache } from '../../../../src/store/files/index/index-cache.js'
import { decodeIndex, encodeIndex, isSameSeal } from '../../../../src/store/files/index/index-file.js'
import { Subjects } from '../../../../src/store/files/index/subjects.js'
import type { NdjsonJournal } from '../../../../src/store/files/ndjson-journal.js'
import { type JournalOptions, openJournal } from '../../../../src/store/files/open-journal.js'
import { ManualClock } from '../../../support/manual-clock.js'
import { failingDisk } from '../../failing-disk.js'
import { scratchFolders } from '../../scratch-folder.js'

const folderOf = scratchFolders()
const clock = new ManualClock()
const entry = (n: number): NewEntry => ({
  key: `e${n % 3}`,
  type: n % 2 ? 'message' : 'state',
  name: 'a',
  at: new Date(clock.date().getTime() + n).toISOString(),
  data: { n },
})
const open = (folder: string, given: Partial<JournalOptions> = {}): Promise<NdjsonJournal> =>
  openJournal(folder, { fs: disk, failStop: new FailStop(), clock, segmentBytes: 400, ...given })

/** A folder with a journal of several segments, and its entries. */
async function filled(): Promise<{ folder: string; all: readonly Entry[]; indexes: readonly string[] }> {
  const folder = folderOf()
  const journal = await open(folder)
  for (let n = 1; n <= 10; n++) await journal.append(entry(n))
  const all = await journal.query({ order: 'asc', limit: 100 })
  await journal.close()
  const indexes = readdirSync(folder).filter((name) => name.endsWith('.index'))
  expect(indexes.length).toBeGreaterThan(2)
  return { folder, all, indexes: indexes.map((name) => join(folder, name)) }
}

/** A disk that tells which files were read whole. */
function watched(): { fs: FileSystem; read: string[] } {
  const read: string[] = []
  const fs = {
    ...disk,
    read: (path: string) => {
      read.push(basename(path))
      return disk.read(path)
    },
  }
  return { fs, read }
}

async function expectAll(
  folder: string,
  all: readonly Entry[],
  given: Partial<JournalOptions> = {},
): Promise<void> {
  const journal = await open(folder, given)
  try {
    expect(await journal.query({ order: 'asc', limit: 100 })).toEqual(all)
    const ofOne = all.filter(({ key, type }) => key === 'e1' && type === 'state')
    const asked = { key: 'e1', kinds: [{ type: 'state', name: 'a' }], order: 'asc', limit: 100 } as const
    expect(await journal.query(asked)).toEqual(ofOne)
    for (const one of all) expect(await journal.get(one.seq)).toEqual(one)
  } finally {
    await journal.close()
  }
}

describe('The index beside a sealed segment', () => {
  it('spares reading the segment at the next start', async () => {
    const { folder, all } = await filled()
    const { fs, read } = watched()
    await expectAll(folder, all, { fs })
    expect(read.filter((name) => name.endsWith('.ndjson') && name !== 'carried.ndjson')).toHaveLength(1)
  })

  for (const [what, spoil] of [
    ['gone', (path: string) => rmSync(path)],
    ['empty', (path: string) => writeFileSync(path, '')],
    ['cut short', (path: string) => writeFileSync(path, readFileSync(path).subarray(0, -1))],
    ['of another layout', (path: string) => writeFileSync(path, readFileSync(path).fill(9, 0, 1))],
  ] as const) {
    it(`is made again when it is ${what}, and is as before`, async () => {
      const { folder, all, indexes } = await filled()
      const before = indexes.map((path) => readFileSync(path))
      for (const path of indexes) spoil(path)
      await expectAll(folder, all)
      expect(indexes.map((path) => readFileSync(path))).toEqual(before)
    })
  }

  it('is not believed with any bit flipped', async () => {
    const subjects = new Subjects()
    const index = new EntryIndex()
    for (let n = 0; n < 5; n++)
      index.add(n * 1.5, n * 100, subjects.number({ key: `k${n % 2}`, type: 't', name: 'n' }))
    const sealed = { version: 1, first: 7, size: 500, mark: '0123abcd' }
    const bytes = encodeIndex(index, sealed, subjects)
    const found = decodeIndex(bytes, new Subjects())
    expect(found?.sealed).toEqual(sealed)
    expect([...(found?.index.times ?? [])]).toEqual([0, 1.5, 3, 4.5, 6])
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = Buffer.from(bytes)
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(decodeIndex(flipped, new Subjects()), `bit ${bit}`).toBeUndefined()
    }
  })

  it('has its columns at a multiple of 8 bytes, however long its head is', () => {
    for (let length = 0; length < 9; length++) {
      const subjects = new Subjects()
      const index = new EntryIndex()
      index.add(7, 8, subjects.number({ key: 'k'.repeat(length), type: 't', name: 'n' }))
      const bytes = encodeIndex(index, { version: 1, first: 7, size: 500, mark: 'x' }, subjects)
      expect([bytes.length % 8, bytes.readDoubleLE(bytes.length - 16), bytes.length < 140]).toEqual([
        0,
        7,
        true,
      ])
    }
  })

  it('is that of a segment only where all is the same that binds it', () => {
    const seal = { version: 1, first: 7, size: 500, mark: 'a' }
    expect(isSameSeal(seal, { ...seal })).toBe(true)
    for (const other of [{ version: 2 }, { first: 8 }, { size: 501 }, { mark: 'b' }])
      expect(isSameSeal(seal, { ...seal, ...other })).toBe(false)
  })

  it('is not believed when it is of another segment that began with the same entry', async () => {
    const { folder, all, indexes } = await filled()
    const other = folderOf()
    const journal = await open(other)
    for (let n = 1; n <= 10; n++) await journal.append({ ...entry(n), name: 'b' })
    await journal.close()
    for (const path of indexes) writeFileSync(path, readFileSync(join(other, basename(path))))
    await expectAll(folder, all)
  })

  it('that cannot be written again keeps nobody from opening', async () => {
    const { folder, all, indexes } = await filled()
    for (const path of indexes) rmSync(path)
    const fs = { ...disk, open: failingDisk(1).open }
    const settling: FileSystem = {
      ...disk,
      open: (path, mode) => (mode === 'create' ? fs.open(path, mode) : disk.open(path, mode)),
    }
    await expectAll(folder, all, { fs: settling })
    expect(indexes.filter((path) => existsSync(path))).toEqual([])
  })

  it('is read again, or made again, once it had to leave the memory', async () => {
    const { folder, all, indexes } = await filled()
    await expectAll(folder, all, { indexBytes: 1 })
    const journal = await open(folder, { indexBytes: 1 })
    for (const path of indexes) rmSync(path)
    expect(await journal.query({ order: 'asc', limit: 100 })).toEqual(all)
    await journal.close()
  })

  it('that belongs to no segment any more is removed', async () => {
    const { folder, all } = await filled()
    writeFileSync(join(folder, '0000000000009999.index'), 'x')
    await expectAll(folder, all)
    expect(existsSync(join(folder, '0000000000009999.index'))).toBe(false)
  })
})

describe('Entries that are read', () => {
  it('come in one call of the disk where their lines are close together, in either order', async () => {
    const folder = folderOf()
    const journal = await open(folder, { segmentBytes: 1e6 })
    for (const length of [1, 1, 40_000, 1, 30_000, 1]) {
      await journal.append({ ...entry(1), data: { text: 'x'.repeat(length) } })
    }
    await journal.close()
    let reads: number[] = []
    const fs: FileSystem = {
      ...disk,
      async open(path, mode) {
        const file = await disk.open(path, mode)
        const read: typeof file.read = async (position, length) => {
          if (mode === 'read') reads.push(length)
          return file.read(position, length)
        }
        return Object.assign(Object.create(file), { read })
      },
    }
    for (const order of ['asc', 'desc'] as const) {
      const again = await open(folder, { fs })
      reads = []
      const found = await again.query({ order, limit: 9 })
      expect(found.map(({ seq }) => seq)).toEqual(order === 'asc' ? [1, 2, 3, 4, 5, 6] : [6, 5, 4, 3, 2, 1])
      expect(reads.map((bytes) => Math.round(bytes / 10_000))).toEqual(order === 'asc' ? [4, 3] : [3, 4])
      // Neither is one read again that is in memory, nor one that was not wanted.
      reads = []
      await again.query({ order, limit: 2, before: 3 })
      expect(reads).toEqual([])
      await again.close()
    }
  })
})

describe('What is kept in memory', () => {
  it('of indexes is bounded, and what was used last stays', () => {
    const cache = new IndexCache(3 * new EntryIndex().bytes)
    const [a, b, c, d] = [new EntryIndex(), new EntryIndex(), new EntryIndex(), new EntryIndex()]
    for (const [path, index] of Object.entries({ a, b, c })) cache.put(path, index)
    cache.get('a')
    cache.put('d', d)
    expect(['a', 'b', 'c', 'd'].map((path) => cache.get(path) !== undefined)).toEqual([
      true,
      false,
      true,
      true,
    ])
  })

  it('of open files is bounded, and one that is being read is not closed', async () => {
    const folder = folderOf()
    mkdirSync(folder)
    const paths = ['a', 'b', 'c'].map((name) => join(folder, name))
    for (const path of paths) writeFileSync(path, path)
    const fs = failingDisk(Number.POSITIVE_INFINITY)
    const pool = new FilePool(fs, 2)
    const [a = '', b = '', c = ''] = paths
    await pool.use(a, async (file) => {
      await pool.use(b, async () => {})
      await pool.use(c, async () => {})
      pool.forget(a)
      expect(String(await file.read(0, 1000))).toBe(a)
    })
    expect(fs.openFiles()).toBe(1)
    await pool.close()
    expect(fs.openFiles()).toBe(0)
    await expect(pool.use(join(folder, 'none'), async () => {})).rejects.toThrow('ENOENT')
    await pool.close()
  })
})
