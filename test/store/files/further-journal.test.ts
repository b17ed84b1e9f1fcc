import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { NewEntry } from '../../../src/store/entry.js'
import { backUp } from '../../../src/store/files/backup/backup.js'
import { openFiles } from '../../../src/store/files/data-folder.js'
import { disk } from '../../../src/store/files/disk/file-system.js'
import { isLoss } from '../../../src/store/files/repair/verify.js'
import { verifyFolder } from '../../../src/store/files/repair/verify-folder.js'
import type { Store } from '../../../src/store/store.js'
import { ManualClock } from '../../support/manual-clock.js'
import { scratchFolders } from '../scratch-folder.js'

const DAY = 24 * 60 * 60_000
const scratch = scratchFolders()
const folderOf = (): string => {
  const folder = scratch()
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}
const FILE = join('audit', '0000000000000001.ndjson')

const entryAt = (clock: ManualClock): NewEntry => ({
  ...{ key: 'eq_1', type: 'audit', name: 'sendCommand' },
  ...{ at: clock.date().toISOString(), data: { filler: 'x'.repeat(400) } },
})

async function opened(folder: string, clock: ManualClock) {
  const retention = { maxAge: DAY, maxBytes: 1e9 }
  const store: Store = await openFiles(folder, { clock, retention, segmentBytes: 1000 })
  const audit = await store.furtherJournal('audit', { maxAge: 100 * DAY, maxBytes: 5000 })
  await store.journal.attach([])
  await audit.attach([])
  return { store, audit }
}

test('a further journal has a retention of its own, by age and by bytes', async () => {
  const folder = folderOf()
  const clock = new ManualClock()
  const first = await opened(folder, clock)
  for (let n = 0; n < 6; n++) {
    await first.store.journal.append(entryAt(clock))
    await first.audit.append(entryAt(clock))
  }
  await first.store.close()
  clock.advance(3 * DAY)
  const { store, audit } = await opened(folder, clock)
  expect(audit.last).toBe(6)
  for (let n = 0; n < 3; n++) {
    clock.advance(DAY)
    await store.journal.append(entryAt(clock))
    await audit.append(entryAt(clock))
  }
  await expect.poll(() => store.journal.first).toBeGreaterThan(6)
  expect(audit.first).toBe(1)
  for (let n = 0; n < 20; n++) await audit.append(entryAt(clock))
  await expect.poll(() => audit.first).toBeGreaterThan(10)
  await store.close()
})

test('a backup has it, and damage in it is found', async () => {
  const folder = folderOf()
  const clock = new ManualClock()
  const { store, audit } = await opened(folder, clock)
  for (let n = 0; n < 2; n++) await audit.append(entryAt(clock))
  const copy = folderOf()
  await backUp(disk, folder, copy)
  await store.close()
  expect(readFileSync(join(copy, FILE), 'utf8')).toContain('sendCommand')
  const losses = async (): Promise<string[]> => {
    const found: string[] = []
    for await (const { file, faults } of verifyFolder(disk, folder)) if (faults.some(isLoss)) found.push(file)
    return found
  }
  const whole = readFileSync(join(folder, FILE), 'utf8')
  writeFileSync(join(folder, FILE), whole.replace('sendCommand', 'sendMessage'))
  expect(await losses()).toEqual([join(folder, FILE)])
})
