import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Entry } from '../../../../src/store/entry.js'
import { DamagedFiles } from '../../../../src/store/files/damaged-files.js'
import { PinnedEntries, pinnedPath } from '../../../../src/store/files/retention/pinned-entries.js'
import { failingDisk } from '../../failing-disk.js'
import { scratchFolders } from '../../scratch-folder.js'

const folderOf = scratchFolders()
const unsynced = failingDisk(Number.POSITIVE_INFINITY, { syncs: false })
const entry = (seq: number): Entry => ({
  seq,
  key: 'EQ',
  type: 'state',
  name: 'a',
  at: '2026-01-01T00:00:00.000Z',
  data: {},
})

test('pinned entries are read oldest first, and the file is opened for nothing but those that are there', async () => {
  const folder = folderOf()
  await unsynced.makeFolder(folder)
  const pinned = await PinnedEntries.open({ fs: unsynced, folder, upgrades: [], damaged: new DamagedFiles() })
  expect(await pinned.read([1, 2])).toEqual([])
  async function* further() {
    yield [entry(3), entry(5)]
  }
  await pinned.replace(7, () => true, further())
  expect([pinned.floor, pinned.seqs()]).toEqual([7, [3, 5]])
  expect((await pinned.read([5, 4, 3])).map(({ seq }) => seq)).toEqual([3, 5])
  expect([await pinned.get(4), (await pinned.get(5))?.seq]).toEqual([undefined, 5])
})

test('what was given up is kept until what is kept begins after it, also over an opening', async () => {
  const folder = folderOf()
  await unsynced.makeFolder(folder)
  const world = { fs: unsynced, folder, upgrades: [], damaged: new DamagedFiles() }
  const pinned = await PinnedEntries.open(world)
  async function* further() {
    yield [entry(1)]
  }
  await pinned.replace(3, () => true, further())
  const gaps = [{ first: 4, last: 4 }]
  await pinned.giveUp(gaps)
  await pinned.replace(4, () => true)
  const again = await PinnedEntries.open(world)
  expect([again.floor, again.gaps, again.seqs()]).toEqual([4, gaps, [1]])
  await again.replace(5, () => false)
  expect([again.floor, again.gaps, again.seqs()]).toEqual([5, [], []])
})

test('one that is damaged is noted when it is read', async () => {
  const folder = folderOf()
  await unsynced.makeFolder(folder)
  const world = { fs: unsynced, folder, upgrades: [], damaged: new DamagedFiles() }
  const pinned = await PinnedEntries.open(world)
  async function* further() {
    yield [entry(1), entry(2)]
  }
  await pinned.replace(3, () => true, further())
  const path = pinnedPath(folder)
  const bytes = readFileSync(path)
  const last = bytes.length - 3
  writeFileSync(path, bytes.fill((bytes[last] ?? 0) ^ 1, last, last + 1))
  expect([await pinned.get(1), world.damaged.none]).toMatchObject([{ seq: 1 }, true])
  await expect(pinned.get(2)).rejects.toMatchObject({ name: 'StoreDamaged' })
  expect(world.damaged.has(path)).toBe(true)
  await pinned.replace(3, (seq) => seq === 1)
  expect(world.damaged.none).toBe(true)
})

test('what the disk does not give of them is damage until it is read', async () => {
  const folder = folderOf()
  await unsynced.makeFolder(folder)
  const disk = { ...unsynced }
  const world = { fs: disk, folder, upgrades: [], damaged: new DamagedFiles() }
  const pinned = await PinnedEntries.open(world)
  async function* further() {
    yield [entry(1)]
  }
  await pinned.replace(3, () => true, further())
  disk.open = (path, mode) =>
    mode === 'read'
      ? Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' }))
      : unsynced.open(path, mode)
  await expect(pinned.get(1)).rejects.toMatchObject({ name: 'StoreDamaged', kind: 'unread' })
  // Retention takes nothing then, and the gateway goes on.
  await expect(pinned.replace(4, () => true)).rejects.toMatchObject({ name: 'StoreDamaged' })
  expect(world.damaged.has(pinnedPath(folder))).toBe(true)
  disk.open = unsynced.open
  expect([await pinned.get(1), world.damaged.none]).toMatchObject([{ seq: 1 }, true])
})
