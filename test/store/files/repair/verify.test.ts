import {
  appendFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Entry } from '../../../../src/store/entry.js'
import { FailStop, StoreDamaged } from '../../../../src/store/failure.js'
import { probeDisk } from '../../../../src/store/files/disk/disk-probe.js'
import { disk } from '../../../../src/store/files/disk/file-system.js'
import { type ExportQuery, exportEntries } from '../../../../src/store/files/export.js'
import type { NdjsonJournal } from '../../../../src/store/files/ndjson-journal.js'
import { openJournal } from '../../../../src/store/files/open-journal.js'
import { isLoss, type Verified, verifyJournal } from '../../../../src/store/files/repair/verify.js'
import { firstOf } from '../../../../src/store/files/segments/segment.js'
import { ManualClock } from '../../../support/manual-clock.js'
import { failingDisk } from '../../failing-disk.js'
import { alarm, OpenAlarms } from '../../open-alarms.js'
import { scratchFolders } from '../../scratch-folder.js'

const folderOf = scratchFolders()
const unsynced = failingDisk(Number.POSITIVE_INFINITY, { syncs: false })
const clock = new ManualClock()
const timeOf = (n: number): string => new Date(clock.date().getTime() + n).toISOString()

/** An open journal of segments with a few entries each, in batches of two, and a view. */
async function filled(): Promise<{ folder: string; journal: NdjsonJournal; segments: readonly string[] }> {
  const folder = folderOf()
  const journal = await openJournal(folder, {
    fs: unsynced,
    failStop: new FailStop(),
    clock,
    segmentBytes: 700,
  })
  await journal.attach([new OpenAlarms()])
  for (let n = 0; n < 8; n++) {
    const first = journal.last + 1
    await journal.appendAll([
      alarm(`e${first % 3}`, 'set', timeOf(first)),
      { ...alarm(`e${first % 3}`, 'set', timeOf(first + 1)), type: 'state' },
    ])
  }
  const segments = readdirSync(folder).filter((name) => /^\d+\.ndjson$/.test(name))
  expect(segments.length).toBeGreaterThan(2)
  return { folder, journal, segments: segments.map((name) => join(folder, name)) }
}

async function verified(folder: string): Promise<Verified[]> {
  const files: Verified[] = []
  for await (const file of verifyJournal(disk, folder)) files.push(file)
  return files
}

const faultsOf = async (folder: string) =>
  (await verified(folder))
    .flatMap(({ faults }) => faults)
    .map(({ kind, file, detail }) => ({ kind, file, detail }))

async function exported(folder: string, query: ExportQuery = {}, fs = disk): Promise<Entry[]> {
  const found: Entry[] = []
  for await (const entry of exportEntries(fs, folder, query)) found.push(entry)
  return found
}

/** Spoils one byte of the n-th line of a file. */
function spoil(path: string, line: number): void {
  const bytes = readFileSync(path)
  let offset = 0
  for (let n = 0; n < line; n++) offset = bytes.indexOf('\n', offset) + 1
  writeFileSync(path, bytes.fill(0x7e, offset + 30, offset + 31))
}

describe('Verifying', () => {
  it('finds nothing wrong in a journal that is whole, open or closed, and leaves every byte as it was', async () => {
    const { folder, journal } = await filled()
    expect(await faultsOf(folder)).toEqual([])
    await journal.close()
    const bytes = (): Buffer[] =>
      readdirSync(folder)
        .filter((name) => name !== 'views')
        .map((name) => readFileSync(join(folder, name)))
    const before = bytes()
    const files = await verified(folder)
    expect(files.flatMap(({ faults }) => faults)).toEqual([])
    const counted = files.filter(({ entries }) => entries > 0)
    expect(counted.map(({ first, last, entries }) => [first, last, (last ?? 0) - entries + 1])).toEqual(
      counted
        .map(({ file }) => firstOf(basename(file)))
        .map((first, at, all) => [first, (all[at + 1] ?? 17) - 1, first]),
    )
    expect(counted.map(({ file, bytes }) => [file, bytes])).toEqual(
      counted.map(({ file }) => [file, statSync(file).size]),
    )
    expect(files.some(({ file }) => basename(file) === 'open-alarms.ndjson')).toBe(true)
    expect(bytes()).toEqual(before)
  })

  it('names segments that a newer secsctl wrote, which are no loss', async () => {
    const folder = folderOf()
    const options = { fs: unsynced, failStop: new FailStop(), clock, upgrades: [() => ({})] }
    const journal = await openJournal(folder, options)
    await journal.appendAll([alarm('e1', 'set', timeOf(1))])
    await journal.close()
    const faults = await faultsOf(folder)
    expect(faults).toMatchObject([{ kind: 'newer', detail: 'version 2 is of a newer secsctl than this (1)' }])
    expect(faults.some((fault) => isLoss({ ...fault, offset: null }))).toBe(false)
  })

  it('names a torn tail, which is no loss', async () => {
    const { folder, journal, segments } = await filled()
    const newest = segments.at(-1) ?? ''
    appendFileSync(newest, '{"seq":17,"batch":17,')
    const faults = await faultsOf(folder)
    expect(faults).toMatchObject([{ kind: 'torn', file: newest }])
    expect(faults.some((fault) => isLoss({ ...fault, offset: null }))).toBe(false)
    await journal.close()
  })

  it('takes a segment whose head was cut short for torn as well', async () => {
    const { folder, journal, segments } = await filled()
    const { last } = journal
    await journal.close()
    const begun = join(folder, `${String(last + 1).padStart(16, '0')}.ndjson`)
    for (const text of ['', '{"journal"']) {
      writeFileSync(begun, text)
      const faults = await faultsOf(folder)
      // What was the newest segment has no index.
      expect(faults.map(({ kind, file }) => [kind, file])).toEqual([
        ['index', (segments.at(-1) ?? '').replace(/ndjson$/, 'index')],
        ['torn', begun],
      ])
    }
  })

  it('lists every stretch that is damaged, with the entries that are lost by it, and counts the others', async () => {
    const { folder, journal, segments } = await filled()
    await journal.close()
    const [first = '', second = ''] = segments
    spoil(first, 0)
    spoil(first, 2)
    spoil(second, 1)
    const faults = await faultsOf(folder)
    const entry = Number.parseInt(basename(second), 10)
    expect(faults.map(({ kind, file }) => [kind, file])).toEqual([
      ['damaged', first],
      ['damaged', first],
      ['damaged', second],
    ])
    expect(faults.map(({ detail }) => /: .*$/.exec(detail)?.[0])).toEqual([
      undefined,
      ': entry 2 is lost',
      `: entry ${entry} is lost`,
    ])
    const entries = (await verified(folder)).reduce((sum, file) => sum + file.entries, 0)
    expect(entries).toBe(14)
  })

  it('finds a batch that is not whole in a sealed segment', async () => {
    const { folder, journal, segments } = await filled()
    await journal.close()
    const [first = ''] = segments
    const bytes = readFileSync(first)
    const lastLine = bytes.lastIndexOf('\n', bytes.length - 2) + 1
    writeFileSync(first, bytes.subarray(0, lastLine))
    expect((await faultsOf(folder)).filter((fault) => isLoss({ ...fault, offset: null }))).not.toEqual([])
  })

  it('finds damage in the last line of a sealed segment, and one that is nothing else', async () => {
    const { folder, journal, segments } = await filled()
    await journal.close()
    const [first = '', second = ''] = segments
    const lines = readFileSync(first, 'latin1').split('\n').length - 1
    spoil(first, lines - 1)
    writeFileSync(second, readFileSync(second).fill('?'))
    expect(await faultsOf(folder)).toMatchObject([
      { kind: 'damaged', file: first, detail: expect.stringMatching(/entry \d+ is lost/) },
      {
        kind: 'damaged',
        file: second,
        detail: expect.stringMatching(
          new RegExp(`^bytes 0 to ${statSync(second).size - 1} .*entries \\d+ to \\d+ are lost`),
        ),
      },
    ])
  })

  it('finds a segment that is missing, in between and at the beginning', async () => {
    for (const gone of [0, 1]) {
      const { folder, journal, segments } = await filled()
      await journal.close()
      rmSync(segments[gone] ?? '')
      expect(await faultsOf(folder)).toMatchObject([{ kind: 'missing', file: segments[gone + 1] }])
    }
  })

  it('finds an index that is gone or of something else, a damaged snapshot, and damaged pinned entries', async () => {
    const { folder, journal, segments } = await filled()
    await journal.close()
    const [one = '', two = ''] = segments.map((path) => path.replace(/ndjson$/, 'index'))
    writeFileSync(one, readFileSync(two))
    rmSync(two)
    spoil(join(folder, 'views', 'open-alarms.ndjson'), 1)
    writeFileSync(join(folder, 'carried.ndjson'), '{}\n')
    expect(await faultsOf(folder)).toMatchObject([
      { kind: 'damaged', file: join(folder, 'carried.ndjson') },
      { kind: 'snapshot' },
      { kind: 'index', file: one },
      { kind: 'index', file: two },
    ])
  })
})

describe('Exporting', () => {
  it('gives what a query of the open journal gives, with any filter, and leaves out a torn tail', async () => {
    const { folder, journal, segments } = await filled()
    const queries: readonly ExportQuery[] = [
      {},
      { key: 'e1' },
      { kinds: [{ type: 'state' }], key: 'e0' },
      { from: timeOf(5), to: timeOf(9) },
      { after: 4, before: 12 },
      { key: 'nobody' },
    ]
    const asked = await Promise.all(
      queries.map((query) => journal.query({ ...query, order: 'asc', limit: 100 })),
    )
    await journal.close()
    appendFileSync(segments.at(-1) ?? '', '{"seq":17,')
    for (const [at, query] of queries.entries()) expect(await exported(folder, query)).toEqual(asked[at])
  })

  it('begins after any number, and reads none of the segments before it', async () => {
    const { folder, journal, segments } = await filled()
    const { last } = journal
    await journal.close()
    const ends = segments.map((_, at) =>
      at + 1 < segments.length ? firstOf(basename(segments[at + 1] ?? '')) - 1 : last,
    )
    const read: string[] = []
    const noting: typeof disk = {
      ...disk,
      read: (path) => {
        if (segments.includes(path)) read.push(path)
        return disk.read(path)
      },
    }
    for (let after = 0; after < last; after++) {
      read.length = 0
      const found = await exported(folder, { after }, noting)
      expect([found[0]?.seq, found.length]).toEqual([after + 1, last - after])
      expect(read).toEqual(segments.filter((_, at) => (ends[at] ?? 0) > after))
    }
  })

  it('reads a segment whose index is gone or of something else', async () => {
    const { folder, journal, segments } = await filled()
    const all = await journal.query({ order: 'asc', limit: 100 })
    await journal.close()
    const [one = '', two = ''] = segments.map((path) => path.replace(/ndjson$/, 'index'))
    writeFileSync(one, readFileSync(two))
    rmSync(two)
    const next = firstOf(basename(segments[1] ?? ''))
    expect(await exported(folder, { before: next })).toEqual(all.filter(({ seq }) => seq < next))
    expect(await exported(folder)).toEqual(all)
  })

  it('passes over a segment that retention takes meanwhile, and brings entries up to date', async () => {
    const { folder, journal, segments } = await filled()
    const all = await journal.query({ order: 'asc', limit: 100 })
    await journal.close()
    const [first = '', second = ''] = segments
    const fs = { ...disk, read: async (path: string) => (path === first ? undefined : disk.read(path)) }
    const next = firstOf(basename(second))
    expect(await exported(folder, {}, fs)).toEqual(all.filter(({ seq }) => seq >= next))
    const found: Entry[] = []
    for await (const entry of exportEntries(disk, folder, {}, [({ seq }) => ({ seq })])) found.push(entry)
    expect(found.map(({ data }) => data)).toEqual(all.map(({ seq }) => ({ seq })))
  })

  it('throws where a sealed segment was cut short, after what is before it', async () => {
    const { folder, journal, segments } = await filled()
    await journal.close()
    const [first = '', second = ''] = segments
    truncateSync(first, statSync(first).size - 1)
    const found: Entry[] = []
    const reading = async (): Promise<void> => {
      for await (const entry of exportEntries(disk, folder, {})) found.push(entry)
    }
    await expect(reading()).rejects.toMatchObject({ name: 'StoreDamaged', file: first })
    // The last batch has two entries.
    expect(found).toHaveLength(firstOf(basename(second)) - 3)
  })

  it('throws at damage, after what is before it', async () => {
    const { folder, journal, segments } = await filled()
    await journal.close()
    spoil(segments[1] ?? '', 3)
    const found: Entry[] = []
    const reading = async (): Promise<void> => {
      for await (const entry of exportEntries(disk, folder, {})) found.push(entry)
    }
    await expect(reading()).rejects.toBeInstanceOf(StoreDamaged)
    expect(found.map(({ seq }) => seq)).toEqual(found.map((_, at) => at + 1))
    expect(found.length).toBeGreaterThan(2)
  })
})

describe('Probing the disk', () => {
  it.each([
    [30, 'slow'],
    [20, 'fine'],
    [1, 'fine'],
    [0.001, 'too_fast'],
  ] as const)('calls a sync of %d ms %s, and leaves nothing behind', async (ms, verdict) => {
    const folder = folderOf()
    await disk.makeFolder(folder)
    const standing = new ManualClock()
    let syncs = 0
    const sync = async (): Promise<void> => standing.advance(syncs++ === 0 ? 100 : ms)
    const fs = {
      ...disk,
      open: async (...given: Parameters<typeof disk.open>) =>
        Object.assign(Object.create(await disk.open(...given)), { sync }),
    }
    const probe = await probeDisk(fs, folder, standing)
    expect(probe.verdict).toBe(verdict)
    expect([probe.median, probe.slowest].map((time) => Math.round(time * 1000))).toEqual([ms * 1000, 100_000])
    expect(readdirSync(folder)).toEqual([])
  })

  it('leaves no file and nothing open when the disk fails, and removes what a killed one left', async () => {
    const folder = folderOf()
    await disk.makeFolder(folder)
    const fs = failingDisk(5)
    await expect(probeDisk({ ...fs, remove: disk.remove }, folder, clock)).rejects.toThrow('EIO')
    expect([fs.openFiles(), readdirSync(folder)]).toEqual([0, []])
    writeFileSync(join(folder, 'probe.0123456789ab.tmp'), 'x')
    await probeDisk(disk, folder, clock)
    expect(readdirSync(folder)).toEqual([])
  })
})
