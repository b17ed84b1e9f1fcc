import { setImmediate as immediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { NewEntry } from '../../../src/store/entry.js'
import { FailStop } from '../../../src/store/failure.js'
import { disk, type FileSystem } from '../../../src/store/files/disk/file-system.js'
import { openJournal } from '../../../src/store/files/open-journal.js'
import { ManualClock } from '../../support/manual-clock.js'
import { until } from '../../support/until.js'
import { scratchFolders } from '../scratch-folder.js'

const folderOf = scratchFolders()

let writes: number
let clock: ManualClock
let journal: Awaited<ReturnType<typeof openJournal>>

const counting: FileSystem = {
  ...disk,
  open: async (path, mode) => {
    const file = await disk.open(path, mode)
    const write = (bytes: Buffer, position: number): Promise<void> => {
      writes += 1
      return file.write(bytes, position)
    }
    return Object.assign(Object.create(file), { write })
  },
}

const entry = (n: number, more: Partial<NewEntry> = {}): NewEntry => ({
  key: 'eq_1',
  type: 'state',
  name: 's',
  at: '2026-01-01T00:00:00.000Z',
  data: { n },
  ...more,
})
const later = (n: number): NewEntry => entry(n, { mayWait: true })

beforeEach(async () => {
  clock = new ManualClock()
  journal = await openJournal(folderOf(), { fs: counting, clock, failStop: new FailStop() })
  await journal.attach([])
  await journal.append(entry(0))
  writes = 0
})
afterEach(() => journal.close())

/** Long enough for a write that is under way. */
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn += 1) await immediate()
}

test('what several callbacks of one turn of the event loop append is one batch', async () => {
  const appended = [1, 2, 3].map(
    (n) => new Promise((resolve) => setImmediate(() => resolve(journal.append(entry(n))))),
  )
  await Promise.all(appended)
  expect(journal.last).toBe(4)
  expect(writes).toBe(1)
})

test('an entry that nobody waits for goes to the disk with the next one that somebody waits for', async () => {
  const first = journal.append(later(1))
  await turns()
  expect([journal.last, writes]).toEqual([1, 0])
  const second = journal.append(entry(2))
  expect((await first).seq).toBe(2)
  expect((await second).seq).toBe(3)
  expect(writes).toBe(1)
})

test('an entry that nobody waits for goes to the disk by itself after some milliseconds', async () => {
  const alone = journal.append(later(1))
  clock.advance(20)
  expect((await alone).data).toEqual({ n: 1 })
  expect(writes).toBe(1)
  const awaited = journal.append(entry(2))
  const next = awaited.then(() => journal.append(later(3)))
  await until(() => journal.last === 3)
  await turns()
  expect(journal.last).toBe(3)
  clock.advance(20)
  expect((await next).seq).toBe(4)
})

test('a journal that is closed has written what nobody waited for', async () => {
  const alone = journal.append(later(1))
  await journal.close()
  expect((await alone).seq).toBe(2)
  expect(clock.scheduled).toBe(0)
})
