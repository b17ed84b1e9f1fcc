import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { deferred } from '../../src/kit/deferred.js'
import { FailStop } from '../../src/store/failure.js'
import type { FileSystem } from '../../src/store/files/disk/file-system.js'
import type { NdjsonJournal } from '../../src/store/files/ndjson-journal.js'
import { type JournalOptions, openJournal } from '../../src/store/files/open-journal.js'
import { highestSeen } from '../../src/store/files/views/snapshot.js'
import type { View } from '../../src/store/view.js'
import { ManualClock } from '../support/manual-clock.js'
import { until } from '../support/until.js'
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
    await expect(append('other', [])).rejects.toThrow(
      'entry 2 is missing, and views/open-alarms.ndjson refers to it',
    )
    // Somebody puts back what was there at different times.
    renameSync(join(folder, 'views'), join(folder, 'aside'))
    await append('other', [], 'state')
    rmSync(join(folder, 'views'), { recursive: true })
    renameSync(join(folder, 'aside'), join(folder, 'views'))
    const after = await restored(folder)
    expect([...after.open.keys()]).toEqual(['kept'])
  })

  it('that is new to a journal is made from what is kept and the pinned entries, of its topics alone', async () => {
    const folder = folderOf()
    const given = { retention: { maxAge: 1e9, maxBytes: 1200 } }
    const journal = await open(folder, [new OpenAlarms()], given)
    await journal.append(alarm('lasting', 'set', at))
    await journal.append({ ...alarm('silent', 'set', at), topic: 'other' })
    await passingUntil(journal, 20)
    await journal.append({ ...alarm('topical', 'set', at), topic: 'wanted' })
    await journal.append({ ...alarm('silent', 'set', at), topic: 'other' })
    await journal.close()
    const topical = (): OpenAlarms =>
      Object.assign(new OpenAlarms(), { name: 'topical', topics: new Set(['', 'wanted']) })
    const made = topical()
    const again = await open(folder, [new OpenAlarms(), made], given)
    expect([...made.open.keys()].sort()).toEqual(['lasting', 'topical'])
    await again.append({ ...alarm('silent', 'set', at), topic: 'other' })
    await again.append({ ...alarm('later', 'set', at), topic: 'wanted' })
    await passingUntil(again, again.last)
    await again.close()
    const after = await restored(folder, topical())
    expect([...after.open.keys()].sort()).toEqual(['lasting', 'later', 'topical'])
    expect(after.loaded).toBeGreaterThan(0)
  })

  it('has two generations to start from again after one of them was damaged', async () => {
    const { folder, before } = await filled()
    for (let time = 0; time < 2; time++) {
      writeFileSync(snapshot(folder), 'nothing')
      const after = await restored(folder)
      expect([after.open, after.loaded > 0]).toEqual([before.open, true])
    }
  })

  it('gives its snapshot what it was, though entries come while that is written', async () => {
    const folder = folderOf()
    const gate = deferred<void>()
    const reached = deferred<void>()
    const fs: FileSystem = {
      ...unsynced,
      async open(path, mode) {
        if (path.startsWith(snapshot(folder)) && mode === 'create') {
          reached.resolve()
          await gate.promise
        }
        return unsynced.open(path, mode)
      },
    }
    const journal = await open(folder, [new OpenAlarms()], { fs })
    for (let n = 0; n < 5; n++) await journal.append(alarm('e', 'set', at))
    await reached.promise
    for (let n = 0; n < 5; n++) await journal.append(alarm('e', 'set', at))
    gate.resolve()
    await until(() => existsSync(snapshot(folder)))
    const left = folderOf()
    cpSync(folder, left, { recursive: true })
    await journal.close()
    const after = await restored(left)
    expect([after.loaded, after.open]).toEqual([1, new Map([['e', { first: 1, count: 10 }]])])
  })

  it('has lost no pinned entry when retention was at work and every snapshot is gone', async () => {
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
    // As a process that is killed at this moment leaves it: once more where a file went while it was copied.
    const left = folderOf()
    await until(() => {
      try {
        cpSync(folder, left, { recursive: true })
        return true
      } catch {
        rmSync(left, { recursive: true, force: true })
        return false
      }
    })
    await journal.close()
    rmSync(snapshot(left))
    expect((await restored(left)).open).toEqual(new Map([['e', { first: 1, count: last }]]))
  })

  it('whose snapshot goes while it is looked at has none, and one that cannot be read is an error', async () => {
    const folder = folderOf()
    await session(folder, 3)
    const views = join(folder, 'views')
    expect(await highestSeen(unsynced, views)).toMatchObject({ seq: 4, file: snapshot(folder) })
    for (const [code, seen] of [
      ['ENOENT', { seq: 0 }],
      ['EIO', { code: 'EIO' }],
    ] as const) {
      const fs: FileSystem = {
        ...unsynced,
        open: () => Promise.reject(Object.assign(new Error(code), { code })),
      }
      expect(await highestSeen(fs, views).catch((error) => error)).toMatchObject(seen)
    }
  })

  it('is attached once, and under a name that a file may have', async () => {
    const journal = await open(folderOf(), [])
    await expect(journal.attach([])).rejects.toThrow('once')
    await journal.close()
    for (const name of ['../odd', 'odd/..', 'Odd', '']) {
      const odd = Object.assign(new OpenAlarms(), { name })
      await expect(open(folderOf(), [odd]), name).rejects.toBeInstanceOf(TypeError)
    }
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

it('gives the event loop back while a view reads a long entry, and shows it then', async () => {
  const seen: string[] = []
  const view: View = {
    ...{ name: 'long', version: 1, kinds: [{ type: 'alarm' }], load: () => {} },
    ahead: function* ({ seq }) {
      seen.push(`${seq} is read`)
      setImmediate(() => seen.push('a turn'))
      yield
      seen.push(`${seq} is read to its end`)
    },
    apply: ({ seq }) => void seen.push(`${seq} is shown`),
    lines: () => [],
    *pinned() {},
  }
  const journal = await open(folderOf(), [view])
  await journal.append(alarm('a', 'set', at))
  expect(seen).toEqual(['1 is read', 'a turn', '1 is read to its end', '1 is shown'])
  await journal.close()
})
