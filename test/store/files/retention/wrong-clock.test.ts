import { mkdirSync } from 'node:fs'
import { setImmediate as immediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { FailStop } from '../../../../src/store/failure.js'
import { openFiles } from '../../../../src/store/files/data-folder.js'
import type { Store } from '../../../../src/store/store.js'
import { ManualClock } from '../../../support/manual-clock.js'
import { until } from '../../../support/until.js'
import { failingDisk } from '../../failing-disk.js'
import { scratchFolders } from '../../scratch-folder.js'

const DAY = 24 * 60 * 60_000
const HOUR = DAY / 24
const MINUTE = HOUR / 60
const KEEP_DAYS = 30
const folderOf = scratchFolders()
const unsynced = failingDisk(Number.POSITIVE_INFINITY, { syncs: false })

/** A clock whose time of day is set by hand. */
class SetClock extends ManualClock {
  ahead = 0

  override date(): Date {
    return new Date(super.date().getTime() + this.ahead)
  }
}

/** A store over its starts and ends, and when its entries were really made. */
class Site {
  readonly folder = folderOf()
  readonly clock = new SetClock()
  readonly #made: number[] = []
  #failStop = new FailStop()
  #store: Store | undefined

  constructor(readonly keep = KEEP_DAYS * DAY) {}

  get store(): Store {
    if (!this.#store) throw new Error('it is not open')
    return this.#store
  }

  async open(): Promise<void> {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 })
    this.#failStop = new FailStop()
    const retention = { maxAge: this.keep, maxBytes: 1e9 }
    this.#store = await openFiles(this.folder, { clock: this.clock, fs: unsynced, retention }, this.#failStop)
    await this.store.journal.attach([])
    await this.store.furtherJournal('audit', { maxAge: KEEP_DAYS * DAY, maxBytes: 1e9 })
  }

  async restart(how: 'stopped' | 'killed'): Promise<void> {
    if (how === 'killed') this.#failStop.stop(new Error('killed'))
    await this.store.close().catch(() => {})
    await this.open()
  }

  /** Time passes, with an entry every hour. */
  async pass(ms: number, step = HOUR): Promise<void> {
    for (let passed = 0; passed < ms; passed += step) {
      this.clock.advance(step)
      const at = this.clock.date().toISOString()
      const { seq } = await this.store.journal.append({ key: 'e', type: 'state', name: 's', at, data: {} })
      this.#made[seq] = this.clock.now()
      // Retention works beside the appends.
      for (let turn = 0; turn < 5; turn++) await immediate()
    }
  }

  /** Days since the oldest entry that is kept was made. */
  get daysKept(): number {
    return (this.clock.now() - (this.#made[this.store.journal.first] ?? 0)) / DAY
  }

  /** The numbers of entries that are gone too early. */
  get lost(): number {
    const needed = this.#made.findIndex((made) => made > this.clock.now() - this.keep)
    return Math.max(0, this.store.journal.first - needed)
  }
}

test.each(['stopped', 'killed'] as const)(
  'a clock that was 40 days ahead for some hours removes nothing early, also where the daemon was %s meanwhile',
  async (how) => {
    const site = new Site()
    await site.open()
    await site.pass(5 * DAY + HOUR)
    site.clock.ahead = 40 * DAY
    for (let restarts = 0; restarts < 4; restarts++) {
      await site.pass(2 * HOUR)
      await site.restart(how)
    }
    await site.pass(2 * HOUR)
    expect([site.store.journal.first, site.lost]).toEqual([1, 0])

    site.clock.ahead = 0
    await site.restart(how)
    for (let days = 0; days < KEEP_DAYS + 10; days++) {
      await site.pass(DAY)
      expect(site.lost).toBe(0)
      if (days % 7 === 0) await site.restart(how)
    }
    await until(() => site.daysKept < KEEP_DAYS + 3)
    await site.store.close()
  },
)

test.each([10, 30, 59])(
  'a clock that is 20 minutes ahead removes nothing early where history is kept for %i minutes',
  async (minutes) => {
    const site = new Site(minutes * MINUTE)
    await site.open()
    await site.pass(HOUR, MINUTE)
    site.clock.ahead = 20 * MINUTE
    for (let restarts = 0; restarts < 4; restarts++) {
      await site.pass(5 * MINUTE, MINUTE)
      expect(site.lost).toBe(0)
      await site.restart('stopped')
      site.clock.ahead += 20 * MINUTE // while no daemon ran, too
      await site.restart('killed')
    }
    site.clock.ahead = 0
    // The clock was at most 100 minutes ahead: all that was recorded then is past what is kept in three hours.
    for (let hours = 0; hours < 3; hours++) {
      await site.pass(HOUR, MINUTE)
      expect(site.lost).toBe(0)
    }
    await until(() => site.daysKept * DAY < 2 * minutes * MINUTE)
    await site.store.close()
  },
)

test('a clock that is set ahead for good is believed after a day', async () => {
  const site = new Site()
  await site.open()
  await site.pass(DAY)
  site.clock.ahead = 40 * DAY
  await site.pass(DAY)
  expect(site.store.journal.first).toBe(1)
  await site.pass(2 * DAY)
  await until(() => site.store.journal.first > 1)
  await site.store.close()
})
