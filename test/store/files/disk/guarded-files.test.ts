import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { disk, type FileSystem } from '../../../../src/store/files/disk/file-system.js'
import { guardedFiles } from '../../../../src/store/files/disk/guarded-files.js'
import { ManualClock } from '../../../support/manual-clock.js'
import { scratchFolders } from '../../scratch-folder.js'

const folderOf = scratchFolders()
const lost = new Error('lost')
let folder = ''
let path = ''
let clock: ManualClock
let checks = 0
let isLost = false
let fs: FileSystem

beforeEach(async () => {
  folder = folderOf()
  await disk.makeFolder(folder)
  path = join(folder, 'file')
  writeFileSync(path, 'before')
  clock = new ManualClock()
  clock.advance(1000)
  checks = 0
  isLost = false
  fs = guardedFiles(
    disk,
    async () => {
      checks++
      if (isLost) throw lost
    },
    clock,
  )
})

test.each<[string, () => Promise<unknown>, ends: boolean]>([
  ['renames', () => fs.rename(path, join(folder, 'other')), true],
  ['removes', () => fs.remove(path), true],
  ['syncs the folder', () => fs.syncFolder(folder), true],
  ['reads', () => fs.read(path), false],
  ['lists', () => fs.list(folder), false],
])(
  'once the folder is lost, a step that %s changes nothing, and counts only where it needs no check',
  async (_, step, ends) => {
    isLost = true
    if (ends) await expect(step()).rejects.toBe(lost)
    else await step()
    expect([readdirSync(folder), readFileSync(path, 'utf8')]).toEqual([['file'], 'before'])
    isLost = false
    await step()
  },
)

test('a file is not written once the folder is lost, and a check stands for 5 ms', async () => {
  const file = await fs.open(path, 'update')
  expect([checks, await file.size(), String(await file.read(0, 3))]).toEqual([0, 6, 'bef'])
  await file.write(Buffer.from('after!'), 0)
  expect(checks).toBe(1)
  clock.advance(4)
  await file.write(Buffer.from('again!'), 0)
  await file.sync()
  expect(checks).toBe(1)
  isLost = true
  await expect(file.truncate(1)).rejects.toBe(lost)
  clock.advance(5)
  for (const step of [() => file.write(Buffer.from('x'), 0), () => file.sync()])
    await expect(step()).rejects.toBe(lost)
  expect(readFileSync(path, 'utf8')).toBe('again!')
  isLost = false
  await file.truncate(1)
  await file.close()
  expect(readFileSync(path, 'utf8')).toBe('a')
})

test('no write counts of a file that was replaced, and none that is read is looked at', async () => {
  const [written, read] = [await fs.open(path, 'update'), await fs.open(path, 'read')]
  await disk.remove(path)
  writeFileSync(path, 'another')
  expect(String(await read.read(0, 9))).toBe('before')
  await expect(written.write(Buffer.from('x'), 0)).rejects.toThrow('was moved, replaced or removed')
  await expect(written.sync()).rejects.toThrow('was moved, replaced or removed')
  for (const file of [written, read]) await file.close()
})
