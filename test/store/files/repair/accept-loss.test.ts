import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Entry } from '../../../../src/store/entry.js'
import { FailStop } from '../../../../src/store/failure.js'
import type { NdjsonJournal } from '../../../../src/store/files/ndjson-journal.js'
import { type JournalOptions, openJournal } from '../../../../src/store/files/open-journal.js'
import { type Fault, isLoss, verifyJournal } from '../../../../src/store/files/repair/verify.js'
import { segmentName } from '../../../../src/store/files/segments/segment.js'
import { entriesAre } from '../../../../src/store/gap.js'
import type { View } from '../../../../src/store/view.js'
import { ManualClock } from '../../../support/manual-clock.js'
import { CrashingDisk, randomFrom } from '../../crashing-disk.js'
import { failingDisk } from '../../failing-disk.js'
import { alarm, OpenAlarms } from '../../open-alarms.js'
import { scratchFolders } from '../../scratch-folder.js'

const folderOf = scratchFolders()
const unsynced = failingDisk(Number.POSITIVE_INFINITY, { syncs: false })
const clock = new ManualClock()
const entry = alarm('e', 'set', clock.date().toISOString())

async function open(folder: string, given: Partial<JournalOptions> = {}): Promise<NdjsonJournal> {
  const options = { fs: unsynced, failStop: new FailStop(), clock, segmentBytes: 400, ...given }
  return openJournal(folder, options)
}

/** A journal of some segments with `count` entries. */
async function filled(
  count: number,
  views: readonly View[] = [],
): Promise<{ folder: string; segments: string[] }> {
  const folder = folderOf()
  const journal = await open(folder)
  if (views.length > 0) await journal.attach(views)
  for (let n = 0; n < count; n++) await journal.append(entry)
  await journal.close()
  const segments = readdirSync(folder).filter((name) => /^\d+\.ndjson$/.test(name))
  return { folder, segments: segments.map((name) => join(folder, name)) }
}

/** The same journal with something wrong. */
type Spoil = (segments: readonly string[]) => void

const garbled = (path: string, word: string): void => {
  const bytes = readFileSync(path)
  const at = bytes.indexOf(word)
  writeFileSync(path, bytes.fill(0x7e, at + 30, at + 31))
}

const replaced = (path: string, word: string, other: string): void =>
  writeFileSync(path, readFileSync(path, 'latin1').replace(word, other), 'latin1')

const cutBefore = (path: string, word: string): void => {
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.subarray(0, bytes.indexOf(word)))
}

/** Every file of a folder, by name. */
const contentOf = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(folder, name)).isFile())
      .map((name) => [name, readFileSync(join(folder, name), 'latin1')]),
  )

const blot = (...paths: readonly string[]): void => {
  for (const path of paths) writeFileSync(path, readFileSync(path).fill('?'))
}

type Range = readonly [first: number, last: number]
const numbers = (...ranges: readonly Range[]): number[] =>
  ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => first + at))
const seqs = (entries: readonly Entry[]): number[] => entries.map(({ seq }) => seq)
const everything = async (journal: NdjsonJournal): Promise<readonly Entry[]> =>
  journal.query({ order: 'asc', limit: 100 })

async function lossesIn(folder: string): Promise<readonly Fault[]> {
  const faults: Fault[] = []
  for await (const verified of verifyJournal(unsynced, folder)) faults.push(...verified.faults)
  return faults.filter(isLoss)
}

const CASES: readonly (readonly [string, Spoil, lost: readonly Range[]])[] = [
  ['in the middle', ([, second = '']) => garbled(second, '{"seq":4'), [[4, 4]]],
  ['the beginning of a segment', ([, second = '']) => garbled(second, '{"seq":3'), [[3, 3]]],
  ['a newline', ([, second = '']) => replaced(second, '\n{"seq":4', 'x{"seq":4'), [[3, 3]]],
  ['the head of the first segment', ([first = '']) => garbled(first, '{"journal"'), []],
  ['the head of another', ([, second = '']) => garbled(second, '{"journal"'), []],
  ['all over the first segment', ([first = '']) => writeFileSync(first, 'x'.repeat(500)), [[1, 2]]],
  ['a segment gone', ([, second = '']) => rmSync(second), [[3, 4]]],
  ['the first segment gone', ([first = '']) => rmSync(first), [[1, 2]]],
  ['a sealed segment cut short', ([, second = '']) => cutBefore(second, '{"seq":4'), [[4, 4]]],
  [
    'here and there',
    ([first = '', , third = '', , fifth = '']) => {
      garbled(first, '{"seq":1,')
      garbled(third, '{"seq":6')
      garbled(fifth, '{"seq":9')
      garbled(fifth, '{"seq":10')
    },
    [
      [1, 1],
      [6, 6],
      [9, 10],
    ],
  ],
]

describe('A journal that continues after a loss', () => {
  it.each(CASES)('has all that is whole, and gives no number again: %s', async (_, spoil, lost) => {
    const { folder, segments } = await filled(12)
    const before = await open(folder)
    const whole = (await everything(before)).filter(({ seq }) => !numbers(...lost).includes(seq))
    await before.close()
    spoil(segments)
    const damaged = contentOf(folder)
    const told: string[] = []
    const accepting = await open(folder, { acceptLoss: true, warn: (text) => told.push(text) })
    expect(await everything(accepting)).toEqual(whole)
    expect(accepting.gaps).toEqual(lost.map(([first, last]) => ({ first, last, until: 12 })))
    expect((await accepting.append(entry)).seq).toBe(13)
    for (const seq of numbers(...lost)) expect(await accepting.get(seq)).toBeUndefined()
    await accepting.close()
    // Every file that was changed is there as it was, and told of.
    const after = contentOf(folder)
    const changed = segments.flatMap((path) => {
      const content = damaged.get(basename(path))
      return content === undefined || after.get(basename(path))?.startsWith(content) ? [] : [content]
    })
    const kept = [...after.keys()].filter((name) => name.endsWith('.lost'))
    expect(kept.map((name) => after.get(name))).toEqual(changed)
    for (const name of kept) expect(told.filter((text) => text.includes(join(folder, name)))).toHaveLength(1)

    const again = await open(folder)
    expect((await again.append(entry)).seq).toBe(14)
    const all = [...seqs(whole), 13, 14]
    expect(seqs(await again.query({ order: 'desc', limit: 100 }))).toEqual(all.toReversed())
    expect(seqs(await again.query({ order: 'asc', after: 3, limit: 2 }))).toEqual(
      all.filter((seq) => seq > 3).slice(0, 2),
    )
    await again.close()
    const faults: Fault[] = []
    for await (const verified of verifyJournal(unsynced, folder)) faults.push(...verified.faults)
    expect(faults.map(({ kind, detail }) => [kind, detail.split(' lost')[0]])).toEqual(
      lost.map(([first, last]) => ['given_up', entriesAre(first, last)]),
    )
  })

  it('has what is whole of a batch, and of every batch after it', async () => {
    for (let lost = 1; lost <= 8; lost++) {
      const folder = folderOf()
      const journal = await open(folder, { segmentBytes: 1e6 })
      for (const size of [3, 1, 4])
        await journal.appendAll(Array.from({ length: size }, () => ({ ...entry, data: { 'ü"\n': 1 } })))
      const all = await everything(journal)
      await journal.close()
      garbled(join(folder, segmentName(1)), `{"seq":${lost},`)
      const accepting = await open(folder, { acceptLoss: true })
      // In the last batch a crash explains it.
      const kept = all.filter(({ seq }) => (lost < 5 ? seq !== lost : seq < 5))
      expect(await everything(accepting), `entry ${lost}`).toEqual(kept)
      await accepting.close()
      expect(await lossesIn(folder)).toEqual([])
    }
  })

  it('gives up the rest where all but the first segment is blotted', async () => {
    const { folder, segments } = await filled(12)
    blot(...segments.slice(1))
    const accepting = await open(folder, { acceptLoss: true })
    const { seq } = await accepting.append(entry)
    expect(seq).toBeGreaterThan(12)
    expect([seqs(await everything(accepting)), accepting.gaps]).toEqual([
      [1, 2, seq],
      [{ first: 3, last: seq - 1 }],
    ])
    await accepting.close()
    expect(await lossesIn(folder)).toEqual([])
  })

  it('goes above what the end of a segment had room for, where nothing can be read of it', async () => {
    const folder = folderOf()
    const journal = await open(folder, { segmentBytes: 1e6 })
    for (let n = 0; n < 50; n++) await journal.append({ ...entry, data: {} })
    await journal.close()
    const [name = ''] = readdirSync(folder)
    const bytes = readFileSync(join(folder, name))
    // Only that there is a later batch can still be told, so that it is damage.
    const [start, end] = [bytes.indexOf('{"seq":10,'), bytes.indexOf('{"seq":11,')]
    const later = Buffer.from(bytes.subarray(bytes.indexOf('{"seq":12,'), bytes.indexOf('{"seq":13,')))
    bytes.fill(0x7e, start)
    writeFileSync(join(folder, name), Buffer.concat([bytes.subarray(0, end), later, bytes.subarray(end)]))
    const after = await open(folder, { acceptLoss: true })
    expect((await after.append(entry)).seq).toBeGreaterThan(50)
    await after.close()
  })

  const SHORT: readonly (readonly [string, Spoil, kept: number])[] = [
    ['its newest segment is gone', (all) => rmSync(all.at(-1) ?? ''), 10],
    ['every segment is gone', (all) => void all.map((path) => rmSync(path)), 0],
    ['its last batch is damaged', (all) => garbled(all.at(-1) ?? '', '{"seq":12'), 11],
    ['its last batch is cut off', (all) => cutBefore(all.at(-1) ?? '', '{"seq":12'), 11],
    ['its newest segment is blotted', (all) => blot(all.at(-1) ?? ''), 10],
  ]
  it.each(SHORT)('is refused and left alone when a snapshot knows more: %s', async (_, spoil, kept) => {
    const { folder, segments } = await filled(12, [new OpenAlarms()])
    spoil(segments)
    const left = contentOf(folder)
    await expect(open(folder)).rejects.toThrow('missing, and views/open-alarms.ndjson refers to it')
    expect(contentOf(folder)).toEqual(left)
    const faults: Fault[] = []
    for await (const verified of verifyJournal(unsynced, folder)) faults.push(...verified.faults)
    expect(faults.filter(isLoss)).not.toEqual([])

    const accepting = await open(folder, { acceptLoss: true })
    const view = new OpenAlarms()
    await accepting.attach([view])
    expect([...view.open.values()].map(({ count }) => count)).toEqual(kept === 0 ? [] : [kept])
    const { seq } = await accepting.append(entry)
    expect([seq > 12, accepting.gaps]).toEqual([true, [{ first: kept + 1, last: seq - 1 }]])
    await accepting.close()
    const again = new OpenAlarms()
    const after = await open(folder)
    await after.attach([again])
    expect([after.last, again.open]).toEqual([seq, view.open])
    await after.close()
  })

  it('knows of the gap still when what tells of it is damaged, too', async () => {
    const { folder, segments } = await filled(12)
    garbled(segments[1] ?? '', '{"seq":4')
    const accepting = await open(folder, { acceptLoss: true })
    for (let n = 0; n < 6; n++) await accepting.append(entry)
    const all = await accepting.query({ order: 'asc', limit: 100 })
    await accepting.close()
    garbled(join(folder, 'carried.ndjson'), '{"carried"')
    await expect(open(folder)).rejects.toThrow('carried.ndjson')
    const again = await open(folder, { acceptLoss: true })
    expect(await again.query({ order: 'asc', limit: 100 })).toEqual(all)
    expect(again.gaps).toEqual(accepting.gaps)
    await again.close()
  })

  it('gives up more than once, and what retention takes is given up no more', async () => {
    const { folder, segments } = await filled(12)
    garbled(segments[1] ?? '', '{"seq":4')
    const once = await open(folder, { acceptLoss: true })
    for (let n = 0; n < 6; n++) await once.append(entry)
    expect(once.gaps).toEqual([{ first: 4, last: 4, until: 12 }])
    await once.close()
    const newest = readdirSync(folder).filter((name) => /^\d+\.ndjson$/.test(name))
    garbled(join(folder, newest.at(-2) ?? ''), '{"seq"')
    const given = { retention: { maxAge: 1e12, maxBytes: 1 } }
    const twice = await open(folder, { acceptLoss: true, ...given })
    expect(twice.gaps).toEqual([
      { first: 4, last: 4, until: 12 },
      { first: expect.any(Number), last: expect.any(Number), until: 18 },
    ])
    await twice.attach([])
    for (let n = 0; n < 10; n++) await twice.append(entry)
    await twice.close()
    expect(twice.first).toBeGreaterThan(18)
    expect(twice.gaps).toEqual([])
    await (await open(folder)).close()
  })

  it('loses nothing that is whole when the process or the machine fails at any call of it', async () => {
    const place = '/data/journal'
    const build = async (): Promise<CrashingDisk> => {
      const fs = new CrashingDisk()
      const journal = await open(place, { fs })
      for (let n = 0; n < 6; n++) await journal.appendAll([entry, entry])
      await journal.close()
      for (const seq of [2, 5, 7]) {
        const path = join(place, segmentName(seq - ((seq + 1) % 2)))
        const file = await fs.open(path, 'update')
        const at = (await fs.read(path))?.indexOf(`{"seq":${seq}`) ?? 0
        await file.write(Buffer.from('~'), at + 30)
        await file.sync()
        await file.close()
      }
      return fs
    }
    const disk = await build()
    for (let nth = 1, isCut = true; isCut; nth++) {
      for (const fails of ['process', 'machine']) {
        const random = randomFrom(nth)
        const dying = disk.crashed(random, nth)
        await open(place, { fs: dying, acceptLoss: true }).catch(() => undefined)
        isCut = dying.calls >= nth
        const left = fails === 'process' ? dying.inherited() : dying.crashed(random)
        const after = await open(place, { fs: left, acceptLoss: true })
        expect((await after.append(entry)).seq).toBe(13)
        await after.close()
        const again = await open(place, { fs: left })
        const all = seqs(await everything(again))
        expect(all, `call ${nth}, ${fails}`).toEqual([1, 3, 4, 6, 8, 9, 10, 11, 12, 13])
        await again.close()
      }
    }
  })

  it('gives up all there is once more, and opens ever after', async () => {
    const { folder, segments } = await filled(12, [new OpenAlarms()])
    blot(...segments)
    const once = await open(folder, { acceptLoss: true })
    await once.attach([new OpenAlarms()])
    for (let n = 0; n < 6; n++) await once.append(entry)
    const [gap] = once.gaps
    await once.close()
    const newer = readdirSync(folder).filter((name) => /^\d+\.ndjson$/.test(name))
    blot(...newer.map((name) => join(folder, name)))
    const twice = await open(folder, { acceptLoss: true })
    expect(twice.gaps).toEqual([{ first: 1, last: expect.any(Number) }])
    const { seq } = await twice.append(entry)
    expect(seq).toBeGreaterThan((gap?.last ?? 0) + 6)
    await twice.close()
    const again = await open(folder)
    expect([again.first, again.last]).toEqual([seq, seq])
    await again.close()
  })

  it('is whole to who verifies it where a process died while retention took what lies about the gap', async () => {
    const { folder, segments } = await filled(12)
    garbled(segments[1] ?? '', '{"seq":4')
    const accepting = await open(folder, { acceptLoss: true })
    for (let n = 0; n < 6; n++) await accepting.append(entry)
    await accepting.close()
    const before = contentOf(folder)
    const deleting = await open(folder, { retention: { maxAge: 1e12, maxBytes: 1 } })
    await deleting.attach([])
    for (let n = 0; n < 10; n++) await deleting.append(entry)
    await deleting.close()
    expect(deleting.gaps).toEqual([])
    const left = [...before].filter(([name]) => /^\d+\.ndjson$/.test(name))
    for (const [name, content] of left) writeFileSync(join(folder, name), content, 'latin1')
    const faults: Fault[] = []
    for await (const verified of verifyJournal(unsynced, folder)) faults.push(...verified.faults)
    expect(faults.filter(isLoss)).toEqual([])
    const again = await open(folder)
    expect(again.first).toBe(deleting.first)
    await again.close()
  })

  it('does not believe a snapshot that knows what was lost', async () => {
    const folder = folderOf()
    const journal = await open(folder)
    await journal.attach([new OpenAlarms()])
    for (const key of ['a', 'lost', 'b', 'c', 'd']) await journal.append({ ...entry, key })
    await journal.close()
    garbled(join(folder, segmentName(1)), '{"seq":2')
    const after = await open(folder, { acceptLoss: true })
    const view = new OpenAlarms()
    await after.attach([view])
    expect([...view.open.keys()]).toEqual(['a', 'b', 'c', 'd'])
    await after.append({ ...entry, key: 'new' })
    await after.close()
    const again = new OpenAlarms()
    const last = await open(folder)
    await last.attach([again])
    expect(again.open).toEqual(view.open)
    await last.close()
  })
})
