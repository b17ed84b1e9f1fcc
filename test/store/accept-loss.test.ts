import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FailStop } from '../../src/store/failure.js'
import type { NdjsonJournal } from '../../src/store/ndjson-journal.js'
import { type JournalOptions, openJournal } from '../../src/store/open-journal.js'
import { isLoss, verifyJournal } from '../../src/store/verify.js'
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
async function filled(count: number): Promise<{ folder: string; segments: string[] }> {
  const folder = folderOf()
  const journal = await open(folder)
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
