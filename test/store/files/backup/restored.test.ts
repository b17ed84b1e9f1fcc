import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backUp } from '../../../../src/store/files/backup/backup.js'
import { openFiles, type StoreOptions } from '../../../../src/store/files/data-folder.js'
import { disk } from '../../../../src/store/files/disk/file-system.js'
import { isLoss, verifyJournal } from '../../../../src/store/files/repair/verify.js'
import { type Gap, NUMBERS_LEFT_OUT } from '../../../../src/store/gap.js'
import type { Store } from '../../../../src/store/store.js'
import { ManualClock } from '../../../support/manual-clock.js'
import { failingDisk } from '../../failing-disk.js'
import { scratchFolders } from '../../scratch-folder.js'

const folderOf = scratchFolders()
const fs = failingDisk(Number.POSITIVE_INFINITY, { syncs: false })
const KEPT = { maxAge: 1e12, maxBytes: 1e9 }
const entry = { key: 'e', type: 't', name: 'n', at: '2026-01-01T00:00:00.000Z', data: {} }

const opened = (folder: string, given: Partial<StoreOptions> = {}): Promise<Store> =>
  openFiles(folder, { clock: new ManualClock(), fs, ...given })

/** A backup of a folder with a tool, a key and two entries in each journal. */
async function backup(): Promise<string> {
  const [folder, copy] = [folderOf(), folderOf()]
  await disk.makeFolder(folder)
  const store = await opened(folder)
  await (await store.collection('tools')).put({ id: 'a' })
  await store.secret('signing-key', 32)
  const audit = await store.furtherJournal('audit', KEPT)
  for (const journal of [store.journal, audit]) await journal.appendAll([entry, entry])
  await store.close()
  await backUp(fs, folder, copy)
  return copy
}

/** What is left out of both journals: of the audit as the next entry's number. */
async function leftOut(
  folder: string,
): Promise<readonly [gaps: readonly Gap[], next: number, audit: number]> {
  const store = await opened(folder)
  try {
    const audit = await store.furtherJournal('audit', KEPT)
    const [next, inAudit] = [await store.journal.append(entry), await audit.append(entry)]
    return [store.gaps, next.seq, inAudit.seq]
  } finally {
    await store.close()
  }
}

test('every journal of a restored backup leaves out numbers, once more after a process that died in between', async () => {
  const folder = await backup()
  const dying: StoreOptions['fs'] = {
    ...disk,
    open: async (path, mode) => {
      if (mode === 'create' && /\d\.ndjson$/.test(path)) throw new Error('killed')
      return disk.open(path, mode)
    },
  }
  await expect(opened(folder, { fs: dying })).rejects.toThrow('killed')
  // The next one dies before it opens the audit.
  await (await opened(folder)).close()
  expect([existsSync(join(folder, 'SHA256SUMS')), existsSync(join(folder, 'restored'))]).toEqual([
    false,
    true,
  ])
  const [second, third] = [3 + 2 * NUMBERS_LEFT_OUT, 3 + 3 * NUMBERS_LEFT_OUT]
  const gaps = [
    { first: 3, last: second - 1, restored: true },
    { first: second, last: third - 1, restored: true },
  ]
  expect(await leftOut(folder)).toEqual([gaps, third, 3 + NUMBERS_LEFT_OUT])
  expect(existsSync(join(folder, 'restored'))).toBe(false)
  expect(await leftOut(folder)).toEqual([gaps, third + 1, 4 + NUMBERS_LEFT_OUT])
  const faults = []
  for await (const verified of verifyJournal(fs, join(folder, 'journal')))
    faults.push(...verified.faults.filter(isLoss))
  expect(faults).toEqual([])
  const accepting = await opened(folder, { acceptLoss: true })
  expect([accepting.gaps, accepting.journal.last]).toEqual([gaps, third + 1])
  await accepting.close()
})

test('what was given up at the end of a restored journal stays given up', async () => {
  const folder = await backup()
  rmSync(join(folder, 'journal', '0000000000000001.ndjson'))
  const store = await opened(folder, { acceptLoss: true })
  expect(store.gaps).toEqual([{ first: 1, last: 2 + NUMBERS_LEFT_OUT, until: 2 }])
  await store.close()
})

const spoilt = (folder: string, name: string): void =>
  writeFileSync(
    join(folder, name),
    readFileSync(join(folder, name), 'latin1').replace(/[a-f]/, 'x'),
    'latin1',
  )

test.each<[what: string, spoil: (folder: string) => void, edits: boolean]>([
  ['a document was changed', (folder) => spoilt(folder, 'tools.json'), true],
  ['a document is gone', (folder) => rmSync(join(folder, 'tools.json')), false],
  ['the key was changed', (folder) => writeFileSync(join(folder, 'signing-key'), Buffer.alloc(32)), false],
  ['its digests were changed', (folder) => spoilt(folder, 'SHA256SUMS'), false],
])('a backup is not opened where %s, but on a person’s word', async (_, spoil, edits) => {
  const folder = await backup()
  spoil(folder)
  await expect(opened(folder)).rejects.toMatchObject({ name: 'StoreDamaged' })
  const edited = opened(folder, { acceptEdits: true }).then((store) => store.close())
  if (edits) await edited
  else await expect(edited).rejects.toMatchObject({ name: 'StoreDamaged' })
  await (await opened(folder, { acceptLoss: true })).close()
})
