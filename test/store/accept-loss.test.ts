import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FailStop } from '../../src/store/failure.js'
import type { NdjsonJournal } from '../../src/store/ndjson-journal.js'
import { type JournalOptions, openJournal } from '../../src/store/open-journal.js'
import { segmentName } from '../../src/store/segment.js'
import { type Fault, isLoss, verifyJournal } from '../../src/store/verify.js'
import type { View } from '../../src/store/view.js'
import { ManualClock } from '../support/manual-clock.js'
import { failingDisk } from './failing-disk.js'
import { alarm, OpenAlarms } from './open-alarms.js'
import { scratchFolders } from './scratch-folder.js'

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

const CASES: readonly (readonly [string, Spoil, kept: number])[] = [
  ['in the middle', ([, second = '']) => garbled(second, '{"seq":4'), 3],
  ['at the very beginning', ([first = '']) => garbled(first, '{"journal"'), 0],
  ['all over the first segment', ([first = '']) => writeFileSync(first, 'x'.repeat(500)), 0],
  ['in every segment but the first', (all) => blot(...all.slice(1)), 2],
  ['a segment gone', ([, second = '']) => rmSync(second), 2],
]

describe('A journal that goes on after a loss', () => {
  it.each(CASES)('gives no number again that was lost: %s', async (_, spoil, kept) => {
    const { folder, segments } = await filled(12)
    spoil(segments)
    const accepting = await open(folder, { acceptLoss: true })
    const left = await accepting.query({ order: 'asc', limit: 100 })
    expect(left.map(({ seq }) => seq)).toEqual(Array.from({ length: kept }, (_, at) => at + 1))
    const { seq } = await accepting.append(entry)
    expect(seq).toBeGreaterThan(12)
    expect(accepting.gaps).toEqual([{ first: kept + 1, last: seq - 1 }])
    expect(await accepting.get(5)).toBeUndefined()
    await accepting.close()

    const again = await open(folder)
    expect((await again.append(entry)).seq).toBe(seq + 1)
    const all = (await again.query({ order: 'desc', limit: 100 })).map((found) => found.seq)
    expect(all).toEqual([seq + 1, seq, ...left.map((found) => found.seq).reverse()])
    expect((await again.query({ order: 'asc', after: 3, limit: 2 })).map((found) => found.seq)).toEqual([
      seq,
      seq + 1,
    ])
    await again.close()
    for await (const { faults } of verifyJournal(unsynced, folder)) expect(faults.filter(isLoss)).toEqual([])
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
    await expect(open(folder)).rejects.toThrow('missing, and views/open-alarms.ndjson tells of it')
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
    const [first] = once.gaps
    await once.close()
    const newest = readdirSync(folder).filter((name) => /^\d+\.ndjson$/.test(name))
    garbled(join(folder, newest.at(-2) ?? ''), '{"seq"')
    const given = { retention: { maxAge: 1e12, maxBytes: 1 } }
    const twice = await open(folder, { acceptLoss: true, ...given })
    expect(twice.gaps).toEqual([first, { first: expect.any(Number), last: expect.any(Number) }])
    const highest = twice.gaps.at(-1)?.last
    await twice.attach([])
    for (let n = 0; n < 10; n++) await twice.append(entry)
    await twice.close()
    expect(twice.first).toBeGreaterThan(highest ?? 100)
    expect(twice.gaps).toEqual([])
    await (await open(folder)).close()
  })

  it('goes on from a word that was cut short at any call, and loses nothing that came after it', async () => {
    const word = async (folder: string, nth: number): Promise<boolean> => {
      const fs = failingDisk(nth, { syncs: false })
      const journal = await open(folder, { acceptLoss: true, fs }).catch(() => undefined)
      await journal?.close()
      return fs.calls() >= nth
    }
    for (let nth = 1, cut = true; cut; nth++) {
      const folder = folderOf()
      const journal = await open(folder)
      for (let n = 0; n < 3; n++) await journal.appendAll(() => [entry, entry])
      await journal.close()
      garbled(join(folder, '0000000000000003.ndjson'), '{"seq":3')
      cut = await word(folder, nth)
      const after = await open(folder, { acceptLoss: true })
      const { seq } = await after.append(entry)
      await after.close()
      const again = await open(folder)
      const all = await again.query({ order: 'asc', limit: 100 })
      expect([seq > 6, all.map((found) => found.seq)], `call ${nth}`).toEqual([true, [1, 2, seq]])
      await again.close()
    }
  })

  it('gives up all there is once more, and opens ever after', async () => {
    const { folder, segments } = await filled(12, [new OpenAlarms()])
    garbled(segments[0] ?? '', '{"seq":1,')
    const once = await open(folder, { acceptLoss: true })
    await once.attach([new OpenAlarms()])
    for (let n = 0; n < 6; n++) await once.append(entry)
    const [gap] = once.gaps
    await once.close()
    garbled(join(folder, segmentName((gap?.last ?? 0) + 1)), '{"journal"')
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
    const retiring = await open(folder, { retention: { maxAge: 1e12, maxBytes: 1 } })
    await retiring.attach([])
    for (let n = 0; n < 10; n++) await retiring.append(entry)
    await retiring.close()
    expect(retiring.gaps).toEqual([])
    const left = [...before].filter(([name]) => /^\d+\.ndjson$/.test(name))
    for (const [name, content] of left) writeFileSync(join(folder, name), content, 'latin1')
    const faults: Fault[] = []
    for await (const verified of verifyJournal(unsynced, folder)) faults.push(...verified.faults)
    expect(faults.filter(isLoss)).toEqual([])
    const again = await open(folder)
    expect(again.first).toBe(retiring.first)
    await again.close()
  })

  it('does not believe a snapshot that knows what was lost', async () => {
    const folder = folderOf()
    const journal = await open(folder)
    await journal.attach([new OpenAlarms()])
    for (const key of ['a', 'b', 'c', 'd', 'lost']) await journal.append({ ...entry, key })
    await journal.close()
    const newest =
      readdirSync(folder)
        .filter((name) => /^\d+\.ndjson$/.test(name))
        .at(-1) ?? ''
    garbled(join(folder, newest), '{"journal"')
    const after = await open(folder, { acceptLoss: true })
    const view = new OpenAlarms()
    await after.attach([view])
    expect([...view.open.keys()]).not.toContain('lost')
    expect(view.open.size).toBe(Math.max(...[...view.open.values()].map(({ first }) => first)))
    await after.close()
    const again = new OpenAlarms()
    const last = await open(folder)
    await last.attach([again])
    expect(again.open).toEqual(view.open)
    await last.close()
  })
})
