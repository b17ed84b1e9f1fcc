import { setImmediate as immediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { FailStop } from '../../src/store/failure.js'
import type { NdjsonJournal } from '../../src/store/files/ndjson-journal.js'
import { type JournalOptions, openJournal } from '../../src/store/files/open-journal.js'
import { ManualClock } from '../support/manual-clock.js'
import { until } from '../support/until.js'
import { CrashingDisk, randomFrom } from './crashing-disk.js'
import { alarm, OpenAlarms } from './open-alarms.js'

const FOLDER = '/data/journal'
const DAY = 24 * 60 * 60 * 1000
const NEXT_VERSION: Partial<JournalOptions> = { upgrades: [({ data }) => data] }

async function open(
  fs: CrashingDisk,
  clock: ManualClock,
  given: Partial<JournalOptions> = {},
): Promise<NdjsonJournal> {
  const retention = { maxAge: 30 * DAY, maxBytes: 1e9 }
  const journal = await openJournal(FOLDER, { fs, failStop: new FailStop(), clock, retention, ...given })
  await journal.attach([new OpenAlarms()])
  return journal
}

it('A journal of which retention took all is opened by the next version wherever that dies on the way', async () => {
  const clock = new ManualClock()
  const disk = new CrashingDisk()
  await disk.makeFolder('/data')
  const journal = await open(disk, clock)
  const entry = alarm('e', 'cleared', clock.date().toISOString())
  for (let n = 0; n < 4; n++) await journal.append(entry)
  await until(async () => {
    clock.advance(DAY)
    for (let turn = 0; turn < 20; turn++) await immediate()
    return journal.first === 5
  })
  await journal.close()

  const died: number[] = []
  for (let nth = 1, isCut = true; isCut; nth++) {
    for (const seed of [1, 2, 3, 4]) {
      const random = randomFrom(seed * 1009 + nth)
      const dying = disk.crashed(random, nth)
      await open(dying, clock, NEXT_VERSION).catch(() => died.push(nth))
      isCut = dying.calls >= nth
      const left = seed % 2 === 0 ? dying.inherited() : dying.crashed(random)
      const after = await open(left, clock, NEXT_VERSION)
      expect([after.first, after.last], `call ${nth}`).toEqual([5, 4])
      expect((await after.append(entry)).seq).toBe(5)
      await after.close()
      const drafts = (await left.list(FOLDER)).filter((name) => name.endsWith('.tmp'))
      expect(drafts, `call ${nth}`).toEqual([])
    }
  }
  expect(died.length).toBeGreaterThan(16)
})
