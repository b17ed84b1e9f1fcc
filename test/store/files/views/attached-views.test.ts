import { expect, test } from 'vitest'
import { AttachedViews } from '../../../../src/store/files/views/attached-views.js'
import { failingDisk } from '../../failing-disk.js'
import { OpenAlarms } from '../../open-alarms.js'
import { scratchFolders } from '../../scratch-folder.js'

const folderOf = scratchFolders()
const unsynced = failingDisk(Number.POSITIVE_INFINITY, { syncs: false })

test('views are known once they are attached, and cover what both of their snapshots have', async () => {
  const views = new AttachedViews(unsynced, folderOf())
  expect([views.known, views.covered]).toEqual([false, 0])
  const history = {
    first: 1,
    last: 0,
    gaps: [],
    pinned: async () => [],
    query: async () => [],
    markAt: async () => undefined,
  }
  await views.attach([new OpenAlarms()], history)
  expect([views.known, views.covered]).toEqual([true, 0])
  await views.write(views.capture(5, 'mark'))
  expect(views.covered).toBe(0)
  await views.write(views.capture(7, 'mark'))
  expect(views.covered).toBe(5)
  // Both generations get what is the newest, and are left alone then.
  await views.write(views.capture(7, 'mark'))
  expect([views.covered, views.capture(7, 'mark')]).toEqual([7, []])
})
