import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Entry } from '../../../../src/store/entry.js'
import { FailStop } from '../../../../src/store/failure.js'
import { backUp } from '../../../../src/store/files/backup/backup.js'
import type { FileSystem } from '../../../../src/store/files/disk/file-system.js'
import type { NdjsonJournal } from '../../../../src/store/files/ndjson-journal.js'
import { type JournalOptions, openJournal } from '../../../../src/store/files/open-journal.js'
import { isLoss, verifyJournal } from '../../../../src/store/files/repair/verify.js'
import { segmentName } from '../../../../src/store/files/segments/segment.js'
import { ManualClock } from '../../../support/manual-clock.js'
import { CrashingDisk } from '../../crashing-disk.js'
import { failingDisk } from '../../failing-disk.js'
import { alarm, OpenAlarms } from '../../open-alarms.js'
import { scratchFolders } from '../../scratch-folder.js'

const folderOf = scratchFolders()
const unsynced = failingDisk(Number.POSITIVE_INFINITY, { syncs: false })
const clock = new ManualClock()
const at = clock.date().toISOString()
const RETENTION = { maxAge: 1e12, maxBytes: 5000 }

async function open(
  folder: string,
  given: Partial<JournalOptions> = {},
): Promise<{ journal: NdjsonJournal; view: OpenAlarms }> {
  const options = { fs: unsynced, failStop: new FailStop(), clock, segmentBytes: 500, ...given }
  const journal = await openJournal(join(folder, 'journal'), options)
  const view = new OpenAlarms()
  await journal.attach([view])
  return { journal, view }
}

/** The same disk, on which something happens before each read of a whole file. */
const beforeRead = (disk: CrashingDisk, happens: (path: string) => Promise<void>): FileSystem => ({
  open: (path, mode) => disk.open(path, mode),
  async read(path) {
    await happens(path)
    return disk.read(path)
  },
  rename: (from, to) => disk.rename(from, to),
  remove: (path) => disk.remove(path),
  list: (folder) => disk.list(folder),
  makeFolder: (folder) => disk.makeFolder(folder),
  syncFolder: (folder) => disk.syncFolder(folder),
})

/** Every alarm is set by one of these, and cleared by the seventh behind it. */
const append = (journal: NdjsonJournal): Promise<readonly Entry[]> => {
  const turn = journal.last / 2
  return journal.appendAll([
    alarm(`e${turn % 7}`, Math.floor(turn / 7) % 2 ? 'cleared' : 'set', at),
    alarm('other', 'set', at),
  ])
}

async function lossesIn(folder: string, fs: FileSystem): Promise<string[]> {
  const losses: string[] = []
  for await (const { faults } of verifyJournal(fs, join(folder, 'journal')))
    losses.push(...faults.filter(isLoss).map(({ detail }) => detail))
  return losses
}

describe('A backup of a folder that is written to', () => {
  it('opens without reading its sealed segments whole; an index that is damaged in it is made again', async () => {
    const disk = new CrashingDisk()
    await disk.makeFolder('/data')
    const { journal } = await open('/data', { fs: disk })
    for (let n = 0; n < 14; n++) await append(journal)
    const [first, second] = journal.sealed.map(({ path }) => path.replace('/data', '/copy'))
    const all = await journal.query({ order: 'asc', limit: 100 })
    await backUp(disk, '/data', '/copy')
    await journal.close()
    const index = await disk.open(`${second}`.replace('.ndjson', '.index'), 'update')
    await index.write(Buffer.from('damaged'), 20)
    await index.close()

    const whole: string[] = []
    const watched = beforeRead(disk, async (path) => void whole.push(path))
    const { journal: found } = await open('/copy', { fs: watched })
    expect(whole).not.toContain(first)
    expect(whole).toContain(second)
    expect(await found.query({ order: 'asc', limit: 100 })).toEqual(all)
    await found.close()
  })

  it('opens with what there was at some moment, whatever is appended, sealed and deleted meanwhile', async () => {
    let deleted = 0
    for (let every = 5; every <= 12; every++) {
      const disk = new CrashingDisk()
      await disk.makeFolder('/data')
      const { journal } = await open('/data', { fs: disk, retention: RETENTION })
      for (let n = 0; n < 14; n++) await append(journal)
      const before = { first: journal.first, last: journal.last }
      let reads = 0
      const busy = beforeRead(disk, async () => {
        for (let n = 0; n < 3 && reads % every === 0; n++) await append(journal)
        reads++
      })
      await backUp(busy, '/data', '/copy')
      const all = await journal.query({ order: 'asc', limit: 10_000 })
      if (journal.first > before.first) deleted++
      await journal.close()

      expect(await lossesIn('/copy', disk), `every ${every}`).toEqual([])
      const { journal: found, view } = await open('/copy', { fs: disk })
      expect(found.last).toBeGreaterThanOrEqual(before.last)
      const kept = await found.query({ order: 'asc', limit: 10_000 })
      const isIn = ({ seq }: Entry): boolean => seq >= found.first && seq <= found.last
      expect(kept.filter(({ seq }) => seq >= (all[0]?.seq ?? 0))).toEqual(all.filter(isIn))
      for (const seq of view.pinned()) expect(await found.get(seq), `entry ${seq}`).toMatchObject({ seq })
      const { last } = found
      expect((await append(found))[0]?.seq).toBe(last + 1)
      await found.close()
    }
    expect(deleted).toBeGreaterThan(3)
  })

  it('contains all entries that its last entries need, whatever is cleared and deleted after them', async () => {
    const disk = new CrashingDisk()
    await disk.makeFolder('/data')
    const { journal } = await open('/data', { fs: disk, retention: RETENTION })
    const kept = await journal.append(alarm('kept', 'set', at))
    while (journal.first === 1) await append(journal)
    const { last, newest } = journal
    let isRead = false
    const busy = beforeRead(disk, async (path) => {
      if (path.endsWith(segmentName(newest.first))) isRead = true
      if (!isRead || !path.endsWith('carried.ndjson') || journal.last > last) return
      await journal.append(alarm('kept', 'cleared', at))
      while ((await journal.get(kept.seq)) !== undefined) await append(journal)
    })
    await backUp(busy, '/data', '/copy')
    expect(journal.last).toBeGreaterThan(last)
    await journal.close()

    const { journal: found, view } = await open('/copy', { fs: disk })
    for (const seq of view.pinned()) expect(await found.get(seq), `entry ${seq}`).toMatchObject({ seq })
    await found.close()
  })

  it('has the documents and the key, for its owner alone, and neither lock nor drafts', async () => {
    const folder = folderOf()
    await (await open(folder)).journal.close()
    const files = ['equipment.json', 'equipment.json.bak', 'users.json', 'signing-key']
    for (const name of [...files, 'lock', 'users.json.0123456789ab.tmp'])
      writeFileSync(join(folder, name), name)
    const copy = folderOf()
    await backUp(unsynced, folder, copy)
    expect(readdirSync(copy).sort()).toEqual([...files, 'SHA256SUMS', 'journal'].sort())
    for (const name of files) {
      expect(readFileSync(join(copy, name), 'utf8')).toBe(name)
      expect(statSync(join(copy, name)).mode & 0o777).toBe(0o600)
    }
    await expect(backUp(unsynced, folder, copy)).rejects.toThrow('EEXIST')
  })

  it('is given up where retention is faster than copying', async () => {
    const disk = new CrashingDisk()
    await disk.makeFolder('/data')
    const { journal } = await open('/data', { fs: disk, retention: RETENTION })
    await append(journal)
    const busy = beforeRead(disk, async (path) => {
      const { last } = journal
      if (path.endsWith('carried.ndjson')) while (journal.first <= last) await append(journal)
    })
    await expect(backUp(busy, '/data', '/copy')).rejects.toThrow('faster than it can be copied')
    await journal.close()
  })
})

describe('Verifying a folder that is written to', () => {
  it('takes nothing for missing that retention takes meanwhile', async () => {
    for (let nth = 0; nth < 6; nth++) {
      const disk = new CrashingDisk()
      await disk.makeFolder('/data')
      const { journal } = await open('/data', { fs: disk, retention: RETENTION })
      while (journal.first === 1) await append(journal)
      const { first } = journal
      let reads = 0
      const busy = beforeRead(disk, async () => {
        if (reads++ === nth) while (journal.first === first) await append(journal)
      })
      expect(await lossesIn('/data', busy), `read ${nth}`).toEqual([])
      expect(journal.first).toBeGreaterThan(first)
      await journal.close()
    }
  })
})

describe('A plain copy of a folder that is written to', () => {
  it('says at its start what it may be when its snapshots are the newer files, and continues with all it has on a word', async () => {
    const folder = folderOf()
    const { journal } = await open(folder)
    for (let n = 0; n < 3; n++) await append(journal)
    const copy = folderOf()
    mkdirSync(copy)
    cpSync(join(folder, 'journal'), join(copy, 'journal'), { recursive: true })
    for (let n = 0; n < 3; n++) await append(journal)
    await journal.close()
    rmSync(join(copy, 'journal', 'views'), { recursive: true })
    cpSync(join(folder, 'journal', 'views'), join(copy, 'journal', 'views'), { recursive: true })

    await expect(open(copy)).rejects.toThrow(
      'entries 7 to 12 are missing, and views/open-alarms.ndjson refers to it: the end is lost, or this is a copy that was made while a daemon wrote to the folder',
    )
    const after = await open(copy, { acceptLoss: true })
    const found = await after.journal.query({ order: 'asc', limit: 100 })
    expect([found.map(({ seq }) => seq), after.journal.gaps]).toEqual([
      [1, 2, 3, 4, 5, 6],
      [{ first: 7, last: 12 }],
    ])
    expect((await append(after.journal))[0]?.seq).toBe(13)
    await after.journal.close()
  })
})
