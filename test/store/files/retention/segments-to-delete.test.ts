import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as immediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { FailStop } from '../../../../src/store/failure.js'
import type { FileSystem } from '../../../../src/store/files/disk/file-system.js'
import type { NdjsonJournal } from '../../../../src/store/files/ndjson-journal.js'
import { type JournalOptions, openJournal } from '../../../../src/store/files/open-journal.js'
import { countToDelete } from '../../../../src/store/files/retention/segments-to-delete.js'
import type { View } from '../../../../src/store/view.js'
import { ManualClock } from '../../../support/manual-clock.js'
import { settledAt, until } from '../../../support/until.js'
import { failingDisk } from '../../failing-disk.js'
import { alarm, OpenAlarms } from '../../open-alarms.js'
import { scratchFolders } from '../../scratch-folder.js'

const folderOf = scratchFolders()
/** Nothing here depends on a sync being real. */
const unsynced = failingDisk(Number.POSITIVE_INFINITY, { syncs: false })
const DAY = 24 * 60 * 60 * 1000

/** A journal of which each segment takes two or three entries. */
class Scene {
  readonly clock = new ManualClock()
  readonly failStop = new FailStop()
  readonly view = new OpenAlarms()
  firstHeld = Number.POSITIVE_INFINITY
  /** The first entry whenever retention began: then it is over with the time before. */
  readonly firsts: number[] = []

  constructor(
    readonly folder = folderOf(),
    readonly given: Partial<JournalOptions> = {},
  ) {}

  async open(views: readonly View[] = [this.view]): Promise<NdjsonJournal> {
    const { folder, failStop, clock, given } = this
    const retention = { maxAge: 30 * DAY, maxBytes: 1500 }
    const journal = await openJournal(folder, {
      fs: unsynced,
      failStop,
      clock,
      segmentBytes: 400,
      retention,
      ...given,
    })
    await journal.attach(views, undefined, async () => {
      this.firsts.push(journal.first)
      return this.firstHeld
    })
    return journal
  }

  async append(journal: NdjsonJournal, count: number, key = 'passing'): Promise<void> {
    for (let n = 0; n < count; n++) {
      await journal.append(alarm(key, n % 2 ? 'cleared' : 'set', this.clock.date().toISOString()))
    }
  }

  /** Appends until retention has taken all before `first`. */
  async appendUntil(journal: NdjsonJournal, first: number): Promise<void> {
    for (let n = 0; journal.first < first; n++) {
      await this.append(journal, 2)
      if (n > 5000) throw new Error(`retention left off at ${journal.first}`)
    }
  }

  get segments(): readonly string[] {
    return readdirSync(this.folder).filter((name) => /^\d+\.ndjson$/.test(name))
  }
}

const sealed = (
  ...given: readonly (readonly [last: number, size: number, latest: number, earliest?: number])[]
) => given.map(([last, size, latest, earliest = latest - 10]) => ({ last, size, earliest, latest }))

describe('Retention', () => {
  const policy = { maxAge: 100, maxBytes: 1000 }
  const three = sealed([10, 400, 500], [20, 400, 520], [30, 400, 540])

  it('takes whole segments, oldest first, by bytes or by the age of their newest entry', () => {
    const world = { newestSize: 100, covered: 99, now: 560 }
    expect(countToDelete(three, world, policy)).toBe(1)
    expect(countToDelete(three, { ...world, newestSize: 300 }, policy)).toBe(2)
    expect(countToDelete(three, { ...world, newestSize: 5000 }, policy)).toBe(3)
    expect(countToDelete(three, { ...world, now: 621 }, policy)).toBe(2)
    expect(countToDelete(three, { ...world, now: 0 }, policy)).toBe(1)
  })

  it('shows the age of a segment with an entry from the future by what follows it', () => {
    const world = { newestSize: -200, newestEarliest: 530, covered: 99, now: 621 }
    const wrong = sealed([10, 400, 500], [20, 400, 90_000, 510], [30, 400, 90_000])
    expect(countToDelete(wrong, world, policy)).toBe(1)
    expect(countToDelete(wrong, { ...world, now: 631 }, policy)).toBe(3)
    expect(countToDelete(wrong, { ...world, newestEarliest: 90_000, now: 900 }, policy)).toBe(1)
    expect(countToDelete(wrong, { ...world, now: 100 }, policy)).toBe(0)
  })

  it('waits for what is held, up to higher limits', () => {
    const held = { ...policy, held: { maxAge: 50, maxBytes: 300 } }
    const world = { newestSize: 100, covered: 99, now: 560, firstHeld: 15 }
    expect(countToDelete(three, { ...world, newestSize: 300 }, held)).toBe(1)
    expect(countToDelete(three, { ...world, newestSize: 501 }, held)).toBe(2)
    expect(countToDelete(three, { ...world, firstHeld: 10 }, held)).toBe(0)
    expect(countToDelete(three, { ...world, firstHeld: 11 }, held)).toBe(1)
    expect(countToDelete(three, { ...world, now: 641 }, held)).toBe(1)
    expect(countToDelete(three, { ...world, now: 671 }, held)).toBe(2)
    expect(countToDelete(three, { ...world, newestSize: 300 }, policy)).toBe(2)
  })

  it('takes nothing that the snapshots do not cover', () => {
    expect(countToDelete(three, { newestSize: 5000, covered: 20, now: 560 }, policy)).toBe(2)
    expect(countToDelete(three, { newestSize: 5000, covered: 0, now: 999 }, policy)).toBe(0)
  })

  it('keeps the bytes bounded, raises the first number, and gives no number twice', async () => {
    const scene = new Scene()
    const journal = await scene.open()
    await scene.appendUntil(journal, 100)
    await journal.close()
    const bytes = scene.segments.reduce((sum, name) => sum + readFileSync(join(scene.folder, name)).length, 0)
    expect(bytes).toBeLessThan(0.6 * 190 * journal.last)
    expect(await journal.get(1)).toBeUndefined()
    const again = await scene.open()
    expect([again.first, again.last]).toEqual([journal.first, journal.last])
    expect((await again.append(alarm('e', 'set', scene.clock.date().toISOString()))).seq).toBe(
      journal.last + 1,
    )
    // Retention is at work beside the query.
    const before = again.first
    const kept = await again.query({ order: 'asc', limit: 10_000 })
    expect(kept[0]?.seq).toBeGreaterThanOrEqual(before)
    expect(kept[0]?.seq).toBeLessThanOrEqual(again.first)
    await again.close()
  })

  it('takes what is older than is kept, though it is little', async () => {
    const scene = new Scene(folderOf(), { retention: { maxAge: 30 * DAY, maxBytes: 1e9 }, segmentBytes: 1e6 })
    const journal = await scene.open()
    const begun = scene.clock.now()
    const daysKept = async (): Promise<number> => {
      const [oldest] = await journal.query({ order: 'asc', limit: 1 })
      return (scene.clock.date().getTime() - Date.parse(oldest?.at ?? '')) / DAY
    }
    let days = 0
    for (; journal.first === 1 || (await daysKept()) > 33; days++) {
      await scene.append(journal, 2)
      scene.clock.advance(DAY + 1)
      // It is at work beside the appends, and on a busy machine days behind.
      if (journal.first > 1) await settledAt(() => journal.first)
      if (journal.first > 1) expect(await daysKept()).toBeGreaterThan(29)
      if (days > 2000) throw new Error(`${await daysKept()} days are kept`)
    }
    expect(scene.clock.now() - begun).toBeGreaterThan(29 * DAY)
    await journal.close()
  })

  it('keeps what is held by its bytes until it is passed or the higher limit is, and then takes the rest', async () => {
    const retention = { maxAge: 30 * DAY, maxBytes: 1500, held: { maxAge: DAY, maxBytes: 20_000 } }
    const scene = new Scene(folderOf(), { retention })
    const bytes = () =>
      scene.segments.reduce((sum, name) => sum + readFileSync(join(scene.folder, name)).length, 0)
    scene.firstHeld = 4
    const journal = await scene.open()
    await scene.append(journal, 60)
    // Retention is at work beside the appends, and has had its turns.
    for (let n = 0; n < 50; n++) await immediate()
    expect(journal.first).toBeLessThanOrEqual(4)
    expect(await journal.query({ order: 'asc', limit: 100, after: 3 })).toHaveLength(57)
    expect(bytes()).toBeGreaterThan(4000)
    scene.firstHeld = 30
    // One after the other: retention that is slower than the appends would come to the higher limit.
    await until(async () => {
      if (journal.first < 25) await scene.append(journal, 1)
      return journal.first >= 25
    })
    expect(journal.first).toBeLessThanOrEqual(30)
    // Nobody reads on: the limit ends the wait.
    await scene.appendUntil(journal, 40)
    // Retention looks when a segment is sealed: what is appended after the last one counts, too.
    await until(async () => {
      await scene.append(journal, 1)
      return bytes() < 22_000
    })
    expect(bytes()).toBeGreaterThan(15_000)
    scene.firstHeld = Number.POSITIVE_INFINITY
    await scene.appendUntil(journal, journal.last - 20)
    await journal.close()
  })

  it('keeps what is held by its age for a while longer', async () => {
    const retention = { maxAge: 30 * DAY, maxBytes: 1e9, held: { maxAge: 10 * DAY, maxBytes: 0 } }
    const scene = new Scene(folderOf(), { segmentBytes: 1e6, retention })
    scene.firstHeld = 4
    const journal = await scene.open()
    await scene.append(journal, 4)
    const pass = async (): Promise<void> => {
      const { length } = scene.firsts
      scene.clock.advance(DAY)
      while (scene.firsts.length === length) await immediate()
    }
    for (let days = 0; days < 39; days++) await pass()
    const { length } = scene.firsts
    // Nobody reads on: the limit ends the wait.
    while (journal.first === 1) await pass()
    // As the first look of the 40th day has found it.
    expect(scene.firsts[length]).toBe(1)
    expect(journal.first).toBe(5)
    await journal.close()
  })

  it('takes what is old also where nothing happens any more', async () => {
    const scene = new Scene(folderOf(), { segmentBytes: 1e6 })
    const journal = await scene.open()
    await scene.append(journal, 1, 'lasting')
    await scene.append(journal, 4)
    let days = 0
    for (; journal.first === 1; days++) {
      scene.clock.advance(DAY + 1)
      await immediate()
    }
    expect(days).toBeGreaterThan(29)
    expect([journal.first, journal.last]).toEqual([6, 5])
    expect((await journal.get(1))?.key).toBe('lasting')
    expect((await journal.append(alarm('e', 'set', scene.clock.date().toISOString()))).seq).toBe(6)
    await journal.close()
  })

  it('seals what a clock that was ahead had begun, once the clock is put right', async () => {
    const scene = new Scene(folderOf(), { segmentBytes: 1e6 })
    const journal = await scene.open()
    await journal.append(alarm('e', 'set', '2046-01-01T00:00:00.000Z'))
    await scene.append(journal, 2)
    await journal.close()
    expect(scene.segments).toHaveLength(2)
  })

  it('deletes nothing, and says so, while a pinned entry cannot be read', async () => {
    const warnings: string[] = []
    const scene = new Scene(folderOf(), { warn: (text) => void warnings.push(text) })
    const journal = await scene.open()
    await scene.append(journal, 1, 'lasting')
    const [name = ''] = scene.segments
    const path = join(scene.folder, name)
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.fill(0x7e, bytes.indexOf('xxx'), bytes.indexOf('xxx') + 1))
    await scene.append(journal, 60)
    await journal.close()
    expect([journal.first, journal.failure]).toEqual([1, undefined])
    expect(warnings[0]).toContain(path)
    expect(readdirSync(scene.folder).filter((file) => /carried|tmp/.test(file))).toEqual([])
  })

  it('takes the index of a segment with it, where it has one', async () => {
    const scene = new Scene()
    const journal = await scene.open()
    await scene.append(journal, 8)
    for (const name of readdirSync(scene.folder))
      if (name.endsWith('.index')) rmSync(join(scene.folder, name))
    await scene.appendUntil(journal, 20)
    await journal.close()
    const indexes = readdirSync(scene.folder).filter((name) => name.endsWith('.index'))
    expect(indexes.map((name) => name.replace('index', 'ndjson'))).toEqual(scene.segments.slice(0, -1))
  })

  it('ends all acknowledging when it cannot write what it keeps', async () => {
    const rename: FileSystem['rename'] = (from, to) =>
      to.endsWith('carried.ndjson') ? Promise.reject(new Error('EIO')) : unsynced.rename(from, to)
    const scene = new Scene(folderOf(), { fs: { ...unsynced, rename } })
    const journal = await scene.open()
    await expect(scene.appendUntil(journal, 2)).rejects.toMatchObject({ name: 'StoreUnavailable' })
    await journal.close()
    expect([journal.first, scene.segments.length > 1]).toEqual([1, true])
  })

  it('takes nothing before the views are known', async () => {
    const { folder, clock, failStop } = new Scene()
    const retention = { maxAge: DAY, maxBytes: 1 }
    const journal = await openJournal(folder, { fs: unsynced, failStop, clock, segmentBytes: 400, retention })
    for (let n = 0; n < 20; n++) await journal.append(alarm('e', 'set', clock.date().toISOString()))
    await journal.close()
    expect(journal.first).toBe(1)
  })

  it('keeps pinned entries readable, over restarts, until no view pins them', async () => {
    const scene = new Scene()
    const journal = await scene.open()
    await scene.append(journal, 1, 'lasting')
    const first = await journal.get(1)
    await scene.appendUntil(journal, 20)
    await journal.close()
    const again = await scene.open()
    expect(await again.get(1)).toEqual(first)
    expect(await again.query({ key: 'lasting', order: 'asc', limit: 5 })).toEqual([])
    expect(scene.view.open.get('lasting')).toEqual({ first: 1, count: 1 })
    await again.append(alarm('lasting', 'cleared', scene.clock.date().toISOString()))
    await scene.appendUntil(again, again.last + 1)
    await again.close()
    const last = await scene.open()
    expect(await last.get(1)).toBeUndefined()
    await last.close()
  })

  it('keeps what several views pin, in whatever order they name it', async () => {
    const scene = new Scene()
    const late = Object.assign(new OpenAlarms(), { name: 'late', kinds: [{ type: 'alarm', name: 'late' }] })
    const journal = await scene.open([late, scene.view])
    const at = scene.clock.date().toISOString()
    const keys = ['a', 'b', 'c', 'd']
    for (const key of keys)
      await journal.append({ ...alarm(key, 'set', at), ...(key === 'd' && { name: 'late' }) })
    await scene.appendUntil(journal, 20)
    for (const [n, key] of keys.entries()) expect(await journal.get(n + 1)).toMatchObject({ key })
    await journal.close()
  })

  it('looks for what is old once in a thirtieth of the age, and not more often than each second', async () => {
    for (const [maxAge, ms] of [
      [30 * DAY, DAY],
      [60, 1000],
    ] as const) {
      const scene = new Scene(folderOf(), { retention: { maxAge, maxBytes: 1e9 } })
      const due: number[] = []
      const { clock } = scene
      const at = clock.at.bind(clock)
      clock.at = (time, run) => {
        due.push(time - clock.now())
        return at(time, run)
      }
      const journal = await scene.open()
      clock.advance(3 * ms)
      expect(due).toEqual([ms, ms, ms, ms])
      await journal.close()
      expect(clock.scheduled).toBe(0)
    }
  })

  it('continues where a process died while it was at work', async () => {
    const removed = new Map<string, Buffer>()
    const fs: FileSystem = {
      ...unsynced,
      remove(path) {
        removed.set(path, readFileSync(path))
        return unsynced.remove(path)
      },
    }
    const scene = new Scene(folderOf(), { fs })
    const before = await scene.open()
    await scene.appendUntil(before, 20)
    await before.close()
    const { segments } = scene
    // As if the newest of those that had to go were there still, and its index; and damage in it matters no more.
    const last = [...removed.keys()].filter((path) => /\d\.(ndjson|index)$/.test(path)).slice(-2)
    for (const path of last) writeFileSync(path, removed.get(path)?.fill(0x7e, 100, 110) ?? '')
    expect(scene.segments).toHaveLength(segments.length + 1)
    const after = await scene.open()
    expect([after.first, after.last]).toEqual([before.first, before.last])
    expect(scene.segments).toEqual(segments)
    await after.close()
  })

  it('may take all there is, and a later version continues with the next number', async () => {
    const scene = new Scene()
    const journal = await scene.open()
    await scene.append(journal, 4)
    await until(async () => {
      scene.clock.advance(DAY)
      for (let turn = 0; turn < 20; turn++) await immediate()
      return journal.first === 5
    })
    await journal.close()
    expect(scene.segments).toHaveLength(1)
    for (const seq of [5, 6]) {
      const later = await new Scene(scene.folder, { upgrades: [({ data }) => data] }).open()
      expect((await later.append(alarm('e', 'set', scene.clock.date().toISOString()))).seq).toBe(seq)
      await later.close()
    }
  })

  it('ends nothing that is being read', async () => {
    const held: Array<() => void> = []
    let hold = false
    const fs: FileSystem = {
      ...unsynced,
      async open(path, mode) {
        const file = await unsynced.open(path, mode)
        const read: typeof file.read = async (position, length) => {
          if (hold) await new Promise<void>((resolve) => held.push(resolve))
          return file.read(position, length)
        }
        return { ...file, read }
      },
    }
    const before = new Scene(folderOf(), { retention: { maxAge: 30 * DAY, maxBytes: 1e9 } })
    const earlier = await before.open()
    await before.append(earlier, 6, 'so long that it is not kept in memory'.repeat(1000))
    await earlier.close()
    const scene = new Scene(before.folder, { fs })
    const journal = await scene.open()
    hold = true
    const reading = journal.query({ order: 'asc', limit: 100 })
    await until(async () => held.length > 0)
    for (let n = 0; n < 40; n++) await scene.append(journal, 2)
    hold = false
    for (const release of held) release()
    const found = (await reading).map(({ seq }) => seq)
    expect(found).toEqual([1, 2, 3, 4, 5, 6].slice(-found.length || 6))
    await journal.close()
    expect(scene.failStop.failure).toBeUndefined()
  })
})

describe('A journal whose beginning is missing', () => {
  it('is refused unless retention took it, and begins later on a person’s word', async () => {
    const scene = new Scene(folderOf(), { retention: { maxAge: 30 * DAY, maxBytes: 1e9 } })
    const journal = await scene.open()
    await scene.append(journal, 10)
    await journal.close()
    const second = Number.parseInt(scene.segments[1] ?? '', 10)
    rmSync(join(scene.folder, scene.segments[0] ?? ''))
    await expect(scene.open()).rejects.toThrow(`entries 1 to ${second - 1} are missing`)
    const accepting = new Scene(scene.folder, { acceptLoss: true })
    const left = await accepting.open()
    expect([left.first > 1, left.last]).toEqual([true, 10])
    await left.close()
    await (await scene.open()).close()
  })

  it('is refused where retention has left some and every segment is gone', async () => {
    const scene = new Scene()
    const journal = await scene.open()
    await scene.appendUntil(journal, 20)
    await journal.close()
    for (const name of [...scene.segments, 'views']) rmSync(join(scene.folder, name), { recursive: true })
    await expect(scene.open()).rejects.toThrow(`entries from ${journal.first} on are missing`)
  })

  it('is refused with pinned entries damaged or gone, and continues with the one before on a person’s word', async () => {
    for (const spoil of [
      (path: string) => writeFileSync(path, readFileSync(path).fill(0, 40, 41)),
      (path: string) => rmSync(path),
    ]) {
      const scene = new Scene()
      const journal = await scene.open()
      await scene.append(journal, 1, 'lasting')
      await scene.appendUntil(journal, 20)
      await journal.close()
      spoil(join(scene.folder, 'carried.ndjson'))
      await expect(scene.open()).rejects.toMatchObject({ name: 'StoreDamaged' })
      const left = await new Scene(scene.folder, { acceptLoss: true }).open()
      expect(left.last).toBe(journal.last)
      expect(await left.get(1)).toMatchObject({ key: 'lasting' })
      await left.close()
      await (await scene.open()).close()
    }
  })
})

describe('Without a policy of its own', () => {
  it('a journal keeps entries for 30 days', async () => {
    const { clock, ...parts } = { clock: new ManualClock(), fs: unsynced, failStop: new FailStop() }
    const view = new OpenAlarms()
    const journal = await openJournal(folderOf(), { ...parts, clock, segmentBytes: 400 })
    await journal.attach([view])
    const append = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n++)
        await journal.append(alarm('a', n % 2 ? 'cleared' : 'set', clock.date().toISOString()))
    }
    await append(6)
    clock.advance(29 * DAY)
    await append(6)
    for (let n = 0; n < 50; n++) await immediate()
    expect(journal.first).toBe(1)
    clock.advance(2 * DAY)
    await append(6)
    await until(() => journal.first > 1)
    await journal.close()
  })
})
