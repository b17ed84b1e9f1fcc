import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Entry } from '../../src/store/entry.js'
import { FailStop } from '../../src/store/failure.js'
import type { NdjsonJournal } from '../../src/store/files/ndjson-journal.js'
import { openJournal } from '../../src/store/files/open-journal.js'
import { isLoss, verifyJournal } from '../../src/store/files/repair/verify.js'
import { isSegmentName } from '../../src/store/files/segments/segment.js'
import { ManualClock } from '../support/manual-clock.js'
import { CrashingDisk, randomFrom } from './crashing-disk.js'
import { alarm, OpenAlarms } from './open-alarms.js'

const FOLDER = '/data/journal'
const clock = new ManualClock()
const at = clock.date().toISOString()

async function open(
  fs: CrashingDisk,
  acceptLoss = false,
): Promise<{ journal: NdjsonJournal; view: OpenAlarms }> {
  const options = { fs, failStop: new FailStop(), clock, segmentBytes: 900, acceptLoss }
  const journal = await openJournal(FOLDER, options)
  const view = new OpenAlarms()
  await journal.attach([view])
  return { journal, view }
}

const everything = (journal: NdjsonJournal): Promise<readonly Entry[]> =>
  journal.query({ order: 'asc', limit: 1000 })

/** A disk with a journal of some segments, and its entries. */
async function filled(random: () => number): Promise<{ fs: CrashingDisk; entries: readonly Entry[] }> {
  const fs = new CrashingDisk()
  await fs.makeFolder('/data')
  const { journal } = await open(fs)
  for (let n = 0; n < 12; n++) {
    const size = 1 + Math.floor(random() * 4)
    const first = journal.last + 1
    await journal.appendAll(
      Array.from({ length: size }, (_, one) =>
        alarm(`e${(first + one) % 5}`, random() < 0.7 ? 'set' : 'cleared', at),
      ),
    )
  }
  const entries = await everything(journal)
  await journal.close()
  return { fs, entries }
}

/** Spoils some stretches of some segments, cuts one short, or takes one away. */
async function spoil(fs: CrashingDisk, random: () => number): Promise<void> {
  const names = (await fs.list(FOLDER)).filter(isSegmentName)
  for (let time = 0; time < 1 + random() * 4; time++) {
    const path = join(FOLDER, names[Math.floor(random() * names.length)] ?? '')
    const length = (await fs.read(path))?.length
    if (length === undefined) continue
    const kind = random()
    if (kind < 0.1) {
      await fs.remove(path)
      continue
    }
    const file = await fs.open(path, 'update')
    const offset = Math.floor(random() * length)
    if (kind < 0.2) await file.truncate(offset)
    else await file.write(Buffer.alloc(1 + Math.floor(random() * 120), kind < 0.6 ? 0 : 0x7e), offset)
    await file.close()
  }
}

/** The numbers of the entries whose lines are still there, byte for byte. */
async function readable(fs: CrashingDisk, lines: ReadonlyMap<string, number>): Promise<Set<number>> {
  const found = new Set<number>()
  for (const name of (await fs.list(FOLDER)).filter(isSegmentName)) {
    const bytes = (await fs.read(join(FOLDER, name))) ?? Buffer.alloc(0)
    for (const [line, seq] of lines) if (bytes.includes(line)) found.add(seq)
  }
  return found
}

async function linesOf(fs: CrashingDisk): Promise<Map<string, number>> {
  const lines = new Map<string, number>()
  for (const name of (await fs.list(FOLDER)).filter(isSegmentName)) {
    const text = (await fs.read(join(FOLDER, name)))?.toString('utf8') ?? ''
    for (const line of text.split('\n')) {
      const seq = /^\{"seq":(\d+)/.exec(line)?.[1]
      if (seq !== undefined) lines.set(`${line}\n`, Number(seq))
    }
  }
  return lines
}

describe('A journal that is damaged anywhere', () => {
  it('has on a person’s word every entry that can be read, as it was, and no other', async () => {
    let lost = 0
    for (let seed = 1; seed <= 60; seed++) {
      const random = randomFrom(seed)
      const { fs, entries } = await filled(random)
      const lines = await linesOf(fs)
      await spoil(fs, random)
      const left = await readable(fs, lines)
      const { journal, view } = await open(fs, true)
      const expected = entries.filter(({ seq }) => left.has(seq))
      expect(await everything(journal), `seed ${seed}`).toEqual(expected)
      const seen = new OpenAlarms()
      for (const entry of expected) seen.apply(entry)
      expect([...view.open], `seed ${seed}`).toEqual([...seen.open])
      const next = await journal.append(alarm('next', 'set', at))
      expect(next.seq, `seed ${seed}`).toBeGreaterThan(entries.length)
      await journal.close()
      const again = await open(fs)
      expect(await everything(again.journal), `seed ${seed}`).toEqual([...expected, next])
      await again.journal.close()
      for await (const { faults } of verifyJournal(fs, FOLDER))
        expect(faults.filter(isLoss), `seed ${seed}`).toEqual([])
      if (expected.length < entries.length) lost++
    }
    expect(lost).toBeGreaterThan(40)
  })
})
