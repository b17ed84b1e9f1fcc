import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FailStop } from '../../src/store/failure.js'
import type { NdjsonJournal } from '../../src/store/ndjson-journal.js'
import { type JournalOptions, openJournal } from '../../src/store/open-journal.js'
import type { View } from '../../src/store/view.js'
import { ManualClock } from '../support/manual-clock.js'
import { failingDisk } from './failing-disk.js'
import { alarm, OpenAlarms } from './open-alarms.js'
import { scratchFolders } from './scratch-folder.js'

const folderOf = scratchFolders()
/** Nothing here depends on a sync being real. */
const unsynced = failingDisk(Number.POSITIVE_INFINITY, { syncs: false })
const clock = new ManualClock()
const at = clock.date().toISOString()

async function open(
  folder: string,
  views: readonly View[],
  given: Partial<JournalOptions> = {},
): Promise<NdjsonJournal> {
  const journal = await openJournal(folder, {
    fs: unsynced,
    failStop: new FailStop(),
    clock,
    segmentBytes: 400,
    ...given,
  })
  try {
    await journal.attach(views)
    return journal
  } catch (error) {
    await journal.close()
    throw error
  }
}

/** Runs a journal with the view from start to stop. */
async function session(
  folder: string,
  count: number,
  view = new OpenAlarms(),
  given: Partial<JournalOptions> = {},
): Promise<OpenAlarms> {
  const journal = await open(folder, [view], given)
  for (let n = 0; n < count; n++)
    await journal.append(alarm(`e${(journal.last * 5) % 7}`, n % 3 ? 'set' : 'cleared', at))
  await journal.append({ ...alarm('other', 'set', at), type: 'state' })
  await journal.close()
  return view
}

/** Appends what nobody owes until retention has taken all before `first`. */
async function passingUntil(journal: NdjsonJournal, first: number): Promise<void> {
  for (let n = 0; journal.first < first; n++) {
    for (const name of ['set', 'cleared'] as const) await journal.append(alarm('passing', name, at))
    if (n > 5000) throw new Error(`retention left off at ${journal.first}`)
  }
}

const snapshot = (folder: string): string => join(folder, 'views', 'open-alarms.ndjson')

async function filled(): Promise<{ folder: string; before: OpenAlarms }> {
  const folder = folderOf()
  await session(folder, 10)
  const before = await session(folder, 10)
  return { folder, before }
}

async function restored(folder: string, view = new OpenAlarms()): Promise<OpenAlarms> {
  await (await open(folder, [view])).close()
  return view
}

describe('A view', () => {
  it('is after a restart what it was, and is shown nothing that its snapshot knows', async () => {
    const { folder, before } = await filled()
    const after = await restored(folder)
    expect(after.open).toEqual(before.open)
    expect(after.open.size).toBeGreaterThan(2)
    expect([after.loaded, after.shown]).toEqual([before.open.size, 0])
  })

  it('is shown what followed its snapshot when the process died', async () => {
    const { folder } = await filled()
    const kept = readFileSync(snapshot(folder))
    const before = await session(folder, 5)
    writeFileSync(snapshot(folder), kept)
    const after = await restored(folder)
    expect(after.open).toEqual(before.open)
    expect(after.shown).toBe(5)
  })

  for (const [what, spoil] of [
    ['gone', (path: string) => rmSync(path)],
    ['cut short', (path: string) => writeFileSync(path, readFileSync(path).subarray(0, -1))],
    ['damaged', (path: string) => writeFileSync(path, readFileSync(path).fill(0x31, 20, 21))],
  ] as const) {
    it(`starts from the snapshot before when the newest is ${what}, and from all that is kept without any`, async () => {
      const { folder, before } = await filled()
      spoil(snapshot(folder))
      const after = await restored(folder)
      expect(after.open).toEqual(before.open)
      expect([after.loaded > 0, after.shown < 20]).toEqual([true, true])
      spoil(snapshot(folder))
      spoil(`${snapshot(folder)}.bak`)
      const anew = await restored(folder)
      expect(anew.open).toEqual(before.open)
      expect([anew.loaded, anew.shown]).toEqual([0, 20])
    })
  }

  it('does not read a snapshot of another version of itself', async () => {
    const { folder, before } = await filled()
    const after = await restored(folder, new OpenAlarms(2))
    expect([after.loaded, after.shown, after.open]).toEqual([0, 20, before.open])
  })

  it('does not believe a snapshot of a history that was lost, though its numbers were given again', async () => {
    const folder = folderOf()
    const given = { segmentBytes: 1e6 }
    const append = async (key: string, views: readonly View[], type = 'alarm'): Promise<void> => {
      const journal = await open(folder, views, given)
      await journal.append({ ...alarm(key, 'set', at), type })
      await journal.close()
    }
    await append('kept', [new OpenAlarms()])
    const path = join(folder, '0000000000000001.ndjson')
    const beginning = readFileSync(path)
    await append('lost', [new OpenAlarms()])
    writeFileSync(path, beginning)
    await append('other', [], 'state')
    const after = await restored(folder)
    expect([...after.open.keys()]).toEqual(['kept'])
  })

  it('has lost nothing that is owed when retention was at work and every snapshot is gone', async () => {
    const folder = folderOf()
    const given = { retention: { maxAge: 1e9, maxBytes: 1200 } }
    const journal = await open(folder, [new OpenAlarms()], given)
    await journal.append(alarm('lasting', 'set', at))
    await passingUntil(journal, 20)
    await journal.close()
    rmSync(join(folder, 'views'), { recursive: true })
    expect((await restored(folder)).open).toEqual(new Map([['lasting', { first: 1, count: 1 }]]))
  })

  it('does not believe snapshots from before what retention took', async () => {
    const folder = folderOf()
    const given = { retention: { maxAge: 1e9, maxBytes: 1200 } }
    const early = await open(folder, [new OpenAlarms()], given)
    for (const key of ['lasting', 'over']) await early.append(alarm(key, 'set', at))
    await early.close()
    const old = readFileSync(snapshot(folder))
    const later = await open(folder, [new OpenAlarms()], given)
    await later.append(alarm('over', 'cleared', at))
    await passingUntil(later, 20)
    await later.close()
    for (const path of [snapshot(folder), `${snapshot(folder)}.bak`]) writeFileSync(path, old)
    expect([...(await restored(folder)).open.keys()]).toEqual(['lasting'])
  })

  it('keeps retention from what only one of its two snapshots knows', async () => {
    const folder = folderOf()
    const given = { retention: { maxAge: 1e9, maxBytes: 1 } }
    const journal = await open(folder, [new OpenAlarms()], given)
    while (journal.first === 1) await journal.append(alarm('e', 'set', at))
    const last = journal.last
    // As a process that is killed at this moment leaves it.
    const left = folderOf()
    cpSync(folder, left, { recursive: true })
    await journal.close()
    rmSync(snapshot(left))
    expect((await restored(left)).open).toEqual(new Map([['e', { first: 1, count: last }]]))
  })

  it('is attached once, and under a name that a file may have', async () => {
    const journal = await open(folderOf(), [])
    await expect(journal.attach([])).rejects.toThrow('once')
    await journal.close()
    const odd = Object.assign(new OpenAlarms(), { name: '../odd' })
    await expect(open(folderOf(), [odd])).rejects.toBeInstanceOf(TypeError)
  })

  it('ends all acknowledging when its snapshot cannot be written', async () => {
    const folder = folderOf()
    const failStop = new FailStop()
    const fs = failingDisk(Number.POSITIVE_INFINITY)
    const rename = (): Promise<void> => Promise.reject(new Error('EIO: made up'))
    const journal = await open(folder, [new OpenAlarms()], { failStop, fs: { ...fs, rename } })
    const appending = async (): Promise<void> => {
      for (let n = 0; n < 100; n++) await journal.append(alarm('e', 'set', at))
    }
    await expect(appending()).rejects.toMatchObject({ name: 'StoreUnavailable' })
    await journal.close()
    expect(fs.openFiles()).toBe(0)
    expect((await restored(folder)).open.get('e')?.count).toBeGreaterThan(0)
  })
})

describe('Entries of an older version', () => {
  const double = ({ data }: { readonly data: { readonly [name: string]: unknown } }) => ({
    text: `${data['text']}!`,
  })

  it('are read as those of today, over every segment, and new ones are left alone', async () => {
    const folder = folderOf()
    const journal = await open(folder, [])
    for (let n = 0; n < 5; n++) await journal.append(alarm('e', 'set', at))
    await journal.close()
    const newer = await open(folder, [], { upgrades: [double] })
    await newer.append({ ...alarm('e', 'set', at), data: { text: 'new' } })
    await newer.close()
    const again = await open(folder, [], { upgrades: [double] })
    const texts = (await again.query({ order: 'asc', limit: 10 })).map(({ data }) => data['text'])
    expect(texts).toEqual([...Array(5).fill(`${'x'.repeat(40)}!`), 'new'])
    await again.close()
  })

  it('are carried over as those of today', async () => {
    const folder = folderOf()
    const old = await open(folder, [new OpenAlarms()])
    await old.append(alarm('lasting', 'set', at))
    await old.close()
    const given = { upgrades: [double], retention: { maxAge: 1e9, maxBytes: 1200 } }
    const newer = await open(folder, [new OpenAlarms()], given)
    await passingUntil(newer, 2)
    await newer.close()
    const again = await open(folder, [new OpenAlarms()], { upgrades: [double, double] })
    expect(again.first).toBeGreaterThan(1)
    expect((await again.get(1))?.data['text']).toBe(`${'x'.repeat(40)}!!`)
    await again.close()
  })

  it('of a newer version are refused, also when their segment is sealed or empty', async () => {
    for (const count of [0, 1, 8]) {
      const folder = folderOf()
      const journal = await open(folder, [], { upgrades: [double] })
      for (let n = 0; n < count; n++) await journal.append(alarm('e', 'set', at))
      await journal.close()
      await expect(open(folder, [])).rejects.toThrow('of a newer secsctl')
    }
  })
})
