import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { systemClock as clock } from '../../../../src/kit/clock.js'
import { FailStop } from '../../../../src/store/failure.js'
import { disk, type FileSystem } from '../../../../src/store/files/disk/file-system.js'
import { openJournal } from '../../../../src/store/files/open-journal.js'
import { verifyJournal } from '../../../../src/store/files/repair/verify.js'
import { deleteSegments } from '../../../../src/store/files/retention/delete-segments.js'
import { scratchFolders } from '../../scratch-folder.js'

const folderOf = scratchFolders()
const at = clock.date().toISOString()

test('the index of a sealed segment takes memory once it is needed, and not when the journal is opened or written', async () => {
  const folder = folderOf()
  const open = () => openJournal(folder, { fs: disk, failStop: new FailStop(), clock, segmentBytes: 1000 })
  const written = await open()
  await written.attach([])
  for (let n = 0; n < 20; n++) await written.append({ key: 'e', type: 't', name: 'n', at, data: { n } })
  const opened = await written.close().then(open)
  await opened.attach([])
  for (const { parts, sealed } of [written, opened]) {
    expect(sealed.length).toBeGreaterThan(1)
    for (const { path } of sealed) expect(parts.world.indexes.get(path)).toBeUndefined()
  }
  expect(await opened.query({ key: 'e', order: 'asc', limit: 20 })).toHaveLength(20)
  for (const { path } of opened.sealed) expect(opened.parts.world.indexes.get(path)).toBeDefined()
  await opened.close()
})

test.each(['whole', 'gone'])(
  'an index is read once for all who ask for it at the same time (its file is %s)',
  async (file) => {
    const folder = folderOf()
    const reads: string[] = []
    const read: FileSystem['read'] = (path) => {
      reads.push(path)
      return disk.read(path)
    }
    const fs = { ...disk, read }
    const journal = await openJournal(folder, { fs, failStop: new FailStop(), clock, segmentBytes: 1000 })
    await journal.attach([])
    for (let n = 0; n < 20; n++) await journal.append({ key: 'e', type: 't', name: 'n', at, data: { n } })
    const [{ path = '', first = 0 } = {}] = journal.sealed
    const index = path.replace(/ndjson$/, 'index')
    if (file === 'gone') rmSync(index)
    reads.length = 0
    await Promise.all(Array.from({ length: 50 }, () => journal.get(first)))
    expect(reads).toEqual(file === 'gone' ? [index, path] : [index])
    await journal.close()
  },
)

test('a damaged byte is counted once an entry that it is in is read, or its index is gone', async () => {
  const folder = folderOf()
  const open = () => openJournal(folder, { fs: disk, failStop: new FailStop(), clock, segmentBytes: 1000 })
  const written = await open()
  await written.attach([])
  for (let n = 0; n < 40; n++) await written.append({ key: 'e', type: 't', name: 'n', at, data: { n } })
  const opened = await written.close().then(open)
  await opened.attach([])
  const [one, other] = opened.sealed.map(({ path }) => path) as [string, string]
  for (const path of [one, other]) {
    const bytes = readFileSync(path)
    const middle = bytes.length >> 1
    writeFileSync(path, bytes.fill((bytes[middle] ?? 0) ^ 1, middle, middle + 1))
  }
  expect(opened.damagedFiles).toBe(0)
  expect(await opened.query({ order: 'desc', limit: 1 })).toHaveLength(1)
  expect(opened.damagedFiles).toBe(0)
  await expect(opened.query({ order: 'asc', limit: 40 })).rejects.toMatchObject({ name: 'StoreDamaged' })
  await expect(opened.query({ order: 'asc', limit: 40 })).rejects.toMatchObject({ file: one })
  expect(opened.damagedFiles).toBe(1)
  rmSync(other.replace(/ndjson$/, 'index'))
  const after = opened.sealed[1]?.first as number
  await expect(opened.get(after)).rejects.toMatchObject({ file: other })
  expect(opened.damagedFiles).toBe(2)
  await opened.close()
})

/** A disk that does not give these bytes of a file, nor the whole file. A file that was stale once stays so until it is opened again. */
function rotten() {
  const bad: { path: string; from: number; to: number; code: string; opens: boolean } = {
    ...{ path: '', from: 0, to: 0, code: 'EIO', opens: true },
  }
  const failure = () => Object.assign(new Error(`${bad.code}: i/o error, read`), { code: bad.code })
  const fs: FileSystem = {
    ...disk,
    read: (path) => (path === bad.path ? Promise.reject(failure()) : disk.read(path)),
    open: async (path, mode) => {
      if (path === bad.path && !bad.opens) throw failure()
      const file = await disk.open(path, mode)
      let isStale = false
      const read = async (position: number, length: number): Promise<Buffer> => {
        if (isStale || (path === bad.path && position < bad.to && position + length > bad.from)) {
          isStale = bad.code === 'ESTALE'
          throw failure()
        }
        return file.read(position, length)
      }
      return Object.assign(Object.create(file), { read })
    },
  }
  return { fs, bad }
}

async function rottenJournal() {
  const { fs, bad } = rotten()
  const folder = folderOf()
  const open = () => openJournal(folder, { fs, failStop: new FailStop(), clock, segmentBytes: 1000 })
  const written = await open()
  await written.attach([])
  for (let n = 0; n < 40; n++) await written.append({ key: 'e', type: 't', name: 'n', at, data: { n } })
  const opened = await written.close().then(open)
  await opened.attach([])
  const [one] = opened.sealed
  if (!one) throw new Error('no segment was sealed')
  const { offsets } = await one.index()
  opened.parts.world.indexes.forget(one.path)
  return { folder, fs, bad, opened, one, offsets }
}

test('bytes that the disk does not give are damage, which is named, until they are read', async () => {
  const { bad, opened, one, offsets } = await rottenJournal()
  const damage = { name: 'StoreDamaged', kind: 'unread', file: one.path }
  Object.assign(bad, { path: one.path, from: offsets[2], to: (offsets[2] as number) + 1 })
  await expect(opened.query({ order: 'asc', limit: 40 })).rejects.toMatchObject(damage)
  await expect(opened.get(one.first + 2)).rejects.toThrow('it cannot be read: EIO')
  expect(opened.damagedFiles).toBe(1)
  // The rest of the file is readable, which does not make the sector good.
  for (let seq = one.first; seq <= one.last; seq++)
    if (seq !== one.first + 2) expect(await opened.get(seq)).toMatchObject({ seq })
  expect(await opened.query({ order: 'asc', after: one.first + 2, limit: 40 })).toHaveLength(37)
  expect(opened.damagedFiles).toBe(1)
  bad.path = ''
  expect(await opened.get(one.first + 2)).toMatchObject({ data: { n: 2 } })
  expect(opened.damagedFiles).toBe(0)
  await opened.close()
})

test.each([
  ['ESTALE', true],
  ['EIO', false],
])('a file that cannot be read for a time (%s) is damaged for that time', async (code, opens) => {
  const { bad, opened, one } = await rottenJournal()
  await opened.get(one.first + 1)
  Object.assign(bad, { path: one.path, from: 0, to: Number.POSITIVE_INFINITY, code, opens })
  if (!opens) opened.parts.world.files.forget(one.path)
  await expect(opened.get(one.first)).rejects.toMatchObject({ kind: 'unread', file: one.path })
  expect(opened.damagedFiles).toBe(1)
  bad.path = ''
  expect(await opened.get(one.first)).toMatchObject({ seq: one.first })
  expect(opened.damagedFiles).toBe(0)
  await opened.close()
})

test('an index that the disk does not give is made of its segment, and damage where that is not given, too', async () => {
  const { bad, opened, one } = await rottenJournal()
  const index = one.path.replace(/ndjson$/, 'index')
  bad.path = index
  expect(await opened.get(one.first)).toMatchObject({ seq: one.first })
  expect(opened.damagedFiles).toBe(0)
  opened.parts.world.indexes.forget(one.path)
  rmSync(index)
  Object.assign(bad, { path: one.path })
  await expect(opened.get(one.first + 1)).rejects.toMatchObject({ kind: 'unread', file: one.path })
  expect(opened.damagedFiles).toBe(1)
  bad.path = ''
  await opened.get(one.first + 1)
  expect(opened.damagedFiles).toBe(0)
  await opened.close()
})

test.each(['EIO', 'EISDIR'])(
  'verify names a segment that the disk does not give, and reads the others',
  async (code) => {
    const { folder, fs, bad, opened, one } = await rottenJournal()
    await opened.close()
    Object.assign(bad, { path: one.path, code })
    const faults = []
    let files = 0
    for await (const { file, entries, faults: found } of verifyJournal(fs, folder)) {
      if (file !== one.path && entries > 0) files += 1
      faults.push(...found)
    }
    const detail = expect.stringContaining(`it cannot be read: ${code}`)
    expect(faults).toEqual([{ kind: 'damaged', file: one.path, offset: null, detail }])
    expect(files).toBe(opened.sealed.length)
  },
)

test('retention removes nothing for an entry that the disk does not give, and the journal goes on', async () => {
  const { bad, opened, one, offsets } = await rottenJournal()
  Object.assign(bad, { path: one.path, from: offsets[0], to: offsets[1] })
  const { world, pinned } = opened.parts
  const deletion = deleteSegments({ world, pinned, needed: new Set([one.first]) }, opened.sealed, 1)
  await expect(deletion).rejects.toMatchObject({ name: 'StoreDamaged', kind: 'unread' })
  expect(opened.damagedFiles).toBe(1)
  await opened.close()
})

test('a start names a segment whose end the disk does not give, and --accept-loss gives up nothing of it', async () => {
  const { folder, fs, bad, opened, one } = await rottenJournal()
  await opened.close()
  const names = readdirSync(folder)
  Object.assign(bad, { path: one.path, from: one.size - 1, to: one.size })
  for (const acceptLoss of [false, true]) {
    const opening = openJournal(folder, { fs, failStop: new FailStop(), clock, acceptLoss })
    await expect(opening).rejects.toMatchObject({ name: 'StoreDamaged', kind: 'unread', file: one.path })
  }
  expect(readdirSync(folder)).toEqual(names)
})
