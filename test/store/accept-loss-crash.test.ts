import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FailStop } from '../../src/store/failure.js'
import type { NdjsonJournal } from '../../src/store/files/ndjson-journal.js'
import { openJournal } from '../../src/store/files/open-journal.js'
import { firstOf, isSegmentName, segmentName } from '../../src/store/files/segments/segment.js'
import { encodeSegmentHead } from '../../src/store/files/segments/segment-head.js'
import { ManualClock } from '../support/manual-clock.js'
import { CrashingDisk } from './crashing-disk.js'
import { alarm, OpenAlarms } from './open-alarms.js'

const FOLDER = '/data/journal'
const clock = new ManualClock()
const entry = alarm('e', 'set', clock.date().toISOString())

const open = (fs: CrashingDisk, acceptLoss = false): Promise<NdjsonJournal> =>
  openJournal(FOLDER, { fs, failStop: new FailStop(), clock, segmentBytes: 500, acceptLoss })

const seqsIn = async (journal: NdjsonJournal): Promise<number[]> =>
  (await journal.query({ order: 'asc', limit: 100 })).map(({ seq }) => seq)

/** Writes over `length` bytes of a segment, a few bytes behind a word. Resolves with what it is then. */
async function spoil(fs: CrashingDisk, first: number, word: string, length = 1): Promise<Buffer> {
  const path = join(FOLDER, segmentName(first))
  const file = await fs.open(path, 'update')
  const at = (await file.read(0, await file.size())).indexOf(word)
  await file.write(Buffer.alloc(length, '~'), at + 10)
  await file.sync()
  return file.read(0, await file.size())
}

/** Puts damage aside in a process that dies at the n-th call; the next one is not given the word. */
async function diedAt(fs: CrashingDisk, nth: number): Promise<boolean> {
  const dying = fs.inherited(nth)
  await open(dying, true).then(
    (journal) => journal.close(),
    () => undefined,
  )
  await open(fs).then(
    (journal) => journal.close(),
    () => undefined,
  )
  return dying.calls >= nth
}

describe('Damage that is put aside by a process that dies over it', () => {
  it('is kept as it was, also where it is all of the first segment or its beginning', async () => {
    for (const [word, length, whole] of [
      ['{"seq":1,', 1, [2, 3, 4, 5, 6]],
      ['{"journal"', 540, [4, 5, 6]],
    ] as const) {
      for (let nth = 1, isCut = true; isCut; nth++) {
        const fs = new CrashingDisk()
        const journal = await open(fs)
        for (let n = 0; n < 6; n++) await journal.append(entry)
        await journal.close()
        const damaged = await spoil(fs, 1, word, length)
        isCut = await diedAt(fs, nth)
        const after = await open(fs, true)
        const files = (await fs.list(FOLDER)).map((name) => fs.read(join(FOLDER, name)))
        const isKept = (await Promise.all(files)).some((bytes) => bytes?.equals(damaged))
        expect([isKept, await seqsIn(after)], `call ${nth}`).toEqual([true, whole])
        await after.close()
      }
    }
  })

  it('takes none of the batch with it when the next segment was begun and never written to', async () => {
    for (let nth = 1, isCut = true; isCut; nth++) {
      const fs = new CrashingDisk()
      const journal = await open(fs)
      await journal.append(entry)
      await journal.appendAll([entry, entry, entry, entry])
      await journal.close()
      const begun = await fs.open(join(FOLDER, segmentName(6)), 'create')
      await begun.write(encodeSegmentHead(1, 6), 0)
      await spoil(fs, 1, '{"seq":3,')
      isCut = await diedAt(fs, nth)
      const after = await open(fs, true)
      expect(await seqsIn(after), `call ${nth}`).toEqual([1, 2, 4, 5])
      expect((await after.append(entry)).seq).toBe(6)
      await after.close()
    }
  })

  it('is given up as one where the newest segment has lost its entries, too, and a snapshot knows them', async () => {
    for (let nth = 1, isCut = true; isCut; nth++) {
      const fs = new CrashingDisk()
      const journal = await open(fs)
      await journal.attach([new OpenAlarms()])
      for (let n = 0; n < 12; n++) await journal.append(entry)
      await journal.close()
      const [before = 0, last = 0] = (await fs.list(FOLDER)).filter(isSegmentName).map(firstOf).slice(-2)
      await spoil(fs, before, '{"journal"', 540)
      const newest = await fs.open(join(FOLDER, segmentName(last)), 'update')
      await newest.truncate(encodeSegmentHead(1, last).length)
      isCut = await diedAt(fs, nth)
      const after = await open(fs, true)
      expect(after.gaps, `call ${nth}`).toEqual([{ first: before, last: 12 }])
      expect((await after.append(entry)).seq).toBe(13)
      await after.close()
    }
  })
})
