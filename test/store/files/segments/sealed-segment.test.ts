import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { systemClock as clock } from '../../../../src/kit/clock.js'
import { FailStop } from '../../../../src/store/failure.js'
import { disk } from '../../../../src/store/files/disk/file-system.js'
import { openJournal } from '../../../../src/store/files/open-journal.js'
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
