import { existsSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { systemClock as clock } from '../../../src/kit/clock.js'
import type { Entry } from '../../../src/store/entry.js'
import { openStore } from '../../../src/store/files/data-folder.js'
import { NUMBERS_LEFT_OUT } from '../../../src/store/gap.js'
import { readFolder, writeFolder } from '../../../src/store/migration/files-content.js'
import {
  CannotMigrate,
  type ContentForm,
  digestOf,
  type JournalContent,
  NotTheSame,
  type SiteContent,
} from '../../../src/store/migration/site-content.js'
import { scratchFolders } from '../scratch-folder.js'

const scratch = scratchFolders()
const NOW = clock.now()
const form: ContentForm = { collections: ['things'], owned: [], migrations: {}, secrets: { key: 8 } }
const content = { checks: { things: () => [] }, secrets: form.secrets, expected: [] }
const given = { clock, content }

const entry = (seq: number): Entry => ({
  seq,
  key: `eq_${seq % 3}`,
  type: 'message',
  name: 'message_received',
  at: new Date(NOW - 60_000 + seq).toISOString(),
  data: { n: seq },
})

function journal(
  name: JournalContent['name'],
  first: number,
  last: number,
  seqs: readonly number[],
): JournalContent {
  return {
    name,
    first,
    last,
    async *pinned() {
      for (let seq = 1; seq < first; seq++) yield [entry(seq)]
    },
    async *entries() {
      // In chunks that no gap ends.
      for (let at = 0; at < seqs.length; at += 3) yield seqs.slice(at, at + 3).map(entry)
    },
  }
}

const site = (more: Partial<SiteContent> = {}): SiteContent => ({
  journals: [journal('journal', 4, 15, [4, 5, 8, 9, 10, 13]), journal('audit', 1, 2, [1, 2])],
  collections: new Map([['things', [{ id: 'b', n: 1 }, { id: 'a' }]]]),
  secrets: new Map([['key', Buffer.from('12345678')]]),
  ...more,
})

it('a folder has what it was made of: numbers, gaps, records in order, secrets', async () => {
  const folder = scratch()
  const lines = await writeFolder(folder, site(), form, given)
  expect(lines).toEqual([
    expect.stringMatching(/^journal: 9 entries, SHA-256 [0-9a-f]{64}$/),
    expect.stringMatching(/^audit: 2 entries/),
  ])
  const read = await readFolder(folder, form, given)
  expect(read.site.journals.map(({ name, first, last }) => ({ name, first, last }))).toEqual([
    { name: 'journal', first: 4, last: 15 },
    { name: 'audit', first: 1, last: 2 },
  ])
  for (const [n, was] of site().journals.entries())
    expect(await digestOf(read.site.journals[n] as JournalContent)).toBe(await digestOf(was))
  expect([...read.site.collections]).toEqual([...site().collections])
  expect(Buffer.from(read.site.secrets.get('key') ?? []).toString()).toBe('12345678')
  await read.close()
})

/** Another entry each time that it is read. */
function changing(): JournalContent {
  let time = 0
  return {
    ...journal('journal', 1, 1, [1]),
    async *entries() {
      time += 1
      yield [{ ...entry(1), data: { time } }]
    },
  }
}

it('a folder that does not have what it was made of is removed', async () => {
  const folder = scratch()
  const failing = writeFolder(folder, site({ journals: [changing()] }), form, given)
  await expect(failing).rejects.toThrow(NotTheSame)
  expect(existsSync(folder)).toBe(false)
})

it('numbers that were left out are so in the folder, and those that were lost are lost', async () => {
  const folder = scratch()
  const far = 3 + NUMBERS_LEFT_OUT
  await writeFolder(folder, site({ journals: [journal('journal', 1, far + 1, [1, 2, far])] }), form, given)
  const read = await openStore(folder, given)
  expect(read.gaps).toEqual([
    { first: 3, last: far - 1, restored: true },
    { first: far + 1, last: far + 1 },
  ])
  await read.close()
})

it('a folder that has files is refused and left alone, but the lock of a daemon', async () => {
  const folder = scratch()
  await mkdir(folder, { mode: 0o700 })
  writeFileSync(join(folder, 'lock'), '')
  await writeFolder(folder, site(), form, given)
  await expect(writeFolder(folder, site(), form, given)).rejects.toThrow(CannotMigrate)
  const read = await readFolder(folder, form, given)
  expect(read.site.journals[0]?.last).toBe(15)
  await read.close()
})
