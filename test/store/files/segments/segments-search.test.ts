import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Entry } from '../../../../src/store/entry.js'
import { FailStop } from '../../../../src/store/failure.js'
import type { FileSystem } from '../../../../src/store/files/disk/file-system.js'
import { openJournal } from '../../../../src/store/files/open-journal.js'
import { segmentName } from '../../../../src/store/files/segments/segment.js'
import type { JournalQuery } from '../../../../src/store/journal.js'
import { ManualClock } from '../../../support/manual-clock.js'
import { failingDisk } from '../../failing-disk.js'
import { scratchFolders } from '../../scratch-folder.js'

const folderOf = scratchFolders()
const unsynced = failingDisk(Number.POSITIVE_INFINITY, { syncs: false })
const clock = new ManualClock()

/** A journal of two segments, 1 to 100 and the rest, none of whose entries is in memory. */
async function scene() {
  const folder = folderOf()
  let reads = 0
  const fs: FileSystem = {
    ...unsynced,
    async open(path, mode) {
      const file = await unsynced.open(path, mode)
      const read: typeof file.read = (position, length) => {
        if (mode === 'read') reads++
        return file.read(position, length)
      }
      return { ...file, read }
    },
  }
  const open = (segmentBytes: number) =>
    openJournal(folder, { fs, failStop: new FailStop(), clock, segmentBytes })
  const at = clock.date().toISOString()
  const entry = { key: 'e', type: 't', name: 'n', at, data: {} }
  const written = await open(1e6)
  for (let n = 0; n < 100; n++) await written.append(entry)
  await written.close()
  const rotated = await open(1)
  for (let n = 0; n < 5; n++) await rotated.append(entry)
  await rotated.close()
  const journal = await open(1e6)
  const [, line = ''] = readFileSync(join(folder, segmentName(1)), 'latin1').split('\n')
  return {
    /** Bytes of each of the first nine lines. */
    bytes: line.length + 1,
    /** What a query finds, which entries it has looked at, and how often it has read from the disk. */
    async asked(query: Partial<JournalQuery>) {
      const looked: number[] = []
      const where = (one: Entry): boolean => {
        looked.push(one.seq)
        return query.where?.(one) ?? true
      }
      reads = 0
      const found = await journal.query({ order: 'asc', limit: 3, ...query, ...(query.where && { where }) })
      return { found: found.map(({ seq }) => seq), looked: looked.length, reads }
    },
    close: () => journal.close(),
  }
}

test('a query with a filter reads as many entries as it may need, and more at once where few are wanted', async () => {
  const { asked, close } = await scene()
  expect(await asked({ where: () => true, limit: 1 })).toMatchObject({ found: [1], looked: 1 })
  expect(await asked({ where: () => true, limit: 100 })).toMatchObject({ looked: 100 })
  expect(await asked({ where: ({ seq }) => seq !== 1 })).toMatchObject({ found: [2, 3, 4], looked: 9 })
  // The rest of the first segment is enough.
  expect(await asked({ where: ({ seq }) => seq !== 96, after: 95 })).toMatchObject({
    found: [97, 98, 99],
    looked: 5,
  })
  await close()
})

test('the entries between those that are wanted are read in few calls', async () => {
  const { asked, close } = await scene()
  const { found, reads } = await asked({ where: ({ seq }) => seq === 90, limit: 1 })
  // 1, 2, 4, 8, 16, 32 and 37 entries.
  expect([found, reads]).toEqual([[90], 7])
  await close()
})

test('a query ends with the entry that brings what was read to its bytes, but not before it has found one', async () => {
  const { asked, bytes, close } = await scene()
  expect((await asked({ bytes: 2 * bytes })).found).toEqual([1, 2])
  expect((await asked({ bytes: 2 * bytes + 1 })).found).toEqual([1, 2, 3])
  for (const most of [1, bytes])
    expect((await asked({ bytes: most, where: ({ seq }) => seq === 5 })).found).toEqual([5])
  await close()
})
