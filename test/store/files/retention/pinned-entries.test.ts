import { expect, test } from 'vitest'
import type { Entry } from '../../../../src/store/entry.js'
import { PinnedEntries } from '../../../../src/store/files/retention/pinned-entries.js'
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
  const pinned = await PinnedEntries.open({ fs: unsynced, folder, upgrades: [] })
  expect(await pinned.read([1, 2])).toEqual([])
  async function* further() {
    yield [entry(3), entry(5)]
  }
  await pinned.replace(7, () => true, further())
  expect([pinned.floor, pinned.seqs()]).toEqual([7, [3, 5]])
  expect((await pinned.read([5, 4, 3])).map(({ seq }) => seq)).toEqual([3, 5])
  expect([await pinned.get(4), (await pinned.get(5))?.seq]).toEqual([undefined, 5])
})
