import { setImmediate as immediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { FailStop } from '../../../src/store/failure.js'
import { disk, type FileSystem } from '../../../src/store/files/disk/file-system.js'
import { openJournal } from '../../../src/store/files/open-journal.js'
import { ManualClock } from '../../support/manual-clock.js'
import { scratchFolders } from '../scratch-folder.js'

const folderOf = scratchFolders()
const LONG = 300_000

/** A disk that counts the reads of long lines that are under way, and fails them on request. */
function watchedDisk() {
  const seen = { now: 0, most: 0, fails: false }
  const fs: FileSystem = {
    ...disk,
    open: async (path, mode) => {
      const file = await disk.open(path, mode)
      const read = async (position: number, length: number): Promise<Buffer> => {
        if (length < LONG) return file.read(position, length)
        seen.now += 1
        seen.most = Math.max(seen.most, seen.now)
        try {
          await immediate()
          if (seen.fails) throw new Error('EIO')
          return await file.read(position, length)
        } finally {
          seen.now -= 1
        }
      }
      return Object.assign(Object.create(file), { read })
    },
  }
  return { fs, seen }
}

test('of all who read long entries two read at the same time, also after reads that failed', async () => {
  const { fs, seen } = watchedDisk()
  const journal = await openJournal(folderOf(), { fs, clock: new ManualClock(), failStop: new FailStop() })
  await journal.attach([])
  for (let n = 0; n < 8; n++)
    await journal.append({
      key: 'eq_1',
      type: 'state',
      name: 's',
      at: '2026-01-01T00:00:00.000Z',
      data: { n, text: 'x'.repeat(LONG) },
    })
  const readAll = () => Promise.allSettled(Array.from({ length: 8 }, (_, at) => journal.get(at + 1)))
  seen.fails = true
  expect((await readAll()).every(({ status }) => status === 'rejected')).toBe(true)
  seen.fails = false
  const read = await readAll()
  expect(read.map((one) => one.status === 'fulfilled' && one.value?.data['n'])).toEqual([...Array(8).keys()])
  expect(seen.most).toBe(2)
  await journal.close()
})
