import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { backUpStored } from '../../src/daemon/stored-files.js'
import { systemClock } from '../../src/kit/clock.js'
import { openStore } from '../../src/store/data-folder.js'
import { segmentName } from '../../src/store/segment.js'

const folder = mkdtempSync(join(tmpdir(), 'secsctl-stored-'))
const data = join(folder, 'data')
beforeAll(async () => {
  const store = await openStore(data, { clock: systemClock })
  await store.collection('equipment')
  await store.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a backup takes the place of an empty folder, and leaves nothing beside it', async () => {
  const to = join(folder, 'monday')
  mkdirSync(to)
  writeFileSync(join(data, 'users.json'), '{"version":1,"records":[]}')
  mkdirSync(`${to}.partial`) // one was cut off here
  writeFileSync(join(`${to}.partial`, 'users.json'), '')
  await backUpStored(data, to)
  expect(readdirSync(to)).toContain('users.json')
  expect(existsSync(`${to}.partial`)).toBe(false)
})

test('a backup that fails is not there, not even in part', async () => {
  const unreadable = join(data, 'journal', segmentName(7))
  mkdirSync(unreadable)
  const to = join(folder, 'tuesday')
  await expect(backUpStored(data, to)).rejects.toThrow(/EISDIR/)
  rmSync(unreadable, { recursive: true })
  expect(readdirSync(folder).filter((name) => name.startsWith('tuesday'))).toEqual([])
})
