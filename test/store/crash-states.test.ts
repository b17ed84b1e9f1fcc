import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { Collection } from '../../src/store/collection.js'
import type { Entry, NewEntry } from '../../src/store/entry.js'
import { FailStop } from '../../src/store/failure.js'
import { openCollection } from '../../src/store/files/documents/json-collection.js'
import type { NdjsonJournal } from '../../src/store/files/ndjson-journal.js'
import { openJournal } from '../../src/store/files/open-journal.js'
import { ManualClock } from '../support/manual-clock.js'
import { CrashingDisk, randomFrom } from './crashing-disk.js'
import { alarm, OpenAlarms } from './open-alarms.js'

const FOLDER = '/data/journal'
const clock = new ManualClock()
const at = clock.date().toISOString()

interface Opened {
  readonly journal: NdjsonJournal
  readonly view: OpenAlarms
  readonly notes: Collection<{ readonly id: string; readonly n: number }>
}

/** A store of which segments, retention and snapshots all turn over quickly. */
async function open(fs: CrashingDisk): Promise<Opened> {
  const failStop = new FailStop()
  const retention = { maxAge: 1e9, maxBytes: 1500 }
  await fs.makeFolder('/data')
  const journal = await openJournal(FOLDER, { fs, failStop, clock, segmentBytes: 400, retention })
  const view = new OpenAlarms()
  await journal.attach([view])
  return { journal, view, notes: await openCollection('/data', 'notes', { fs, failStop }) }
}

/** What was acknowledged, by sequence number, and what was asked for and may be there or not. */
interface Word {
  readonly entries: Map<number, Entry>
  notes: number
}

async function work({ journal, notes }: Opened, word: Word, from: number): Promise<void> {
  const lasting = journal.append(alarm(`lasting-${from}`, 'set', at))
  const keep = (made: readonly Entry[]): void => {
    for (const entry of made) word.entries.set(entry.seq, entry)
  }
  keep([await lasting])
  for (let n = from; n < from + 5; n++) {
    const both = Promise.all([
      journal.append(alarm(`e${n % 3}`, n % 2 ? 'cleared' : 'set', at)).then((entry) => keep([entry])),
      journal.appendAll([alarm('pair', 'set', at), alarm('pair', 'set', at)]).then(keep),
    ])
    await both
    await Promise.all(['n', 'm'].map((id) => notes.put({ id, n })))
    word.notes = n
  }
}

const shown = ({ journal }: Opened): Promise<readonly Entry[]> =>
  journal.query({ order: 'asc', limit: 10_000 })

async function check(opened: Opened, word: Word, what: string): Promise<void> {
  // Retention may be at work: it takes the oldest, and nothing else.
  const { journal, view, notes } = opened
  const kept = await shown(opened)
  const from = kept[0]?.seq ?? journal.last + 1
  const bySeq = new Map(kept.map((entry) => [entry.seq, entry]))
  const acknowledged = [...word.entries.values()]
  const needed = await Promise.all([...view.pinned()].map((seq) => journal.get(seq)))
  // Both are of one write: they are there together.
  const [one = 0, other = 0] = (await notes.all()).map(({ n }) => n)
  const wrong = {
    numbers: kept.filter(({ seq }, place) => seq !== from + place),
    first: from <= journal.first ? [] : [from],
    last: [journal.last, ...word.entries.keys()].filter((seq) => seq > (kept.at(-1)?.seq ?? 0)),
    entries: acknowledged.filter(
      (one) => one.seq >= journal.first && !isDeepStrictEqual(bySeq.get(one.seq), one),
    ),
    needed: needed.filter((entry) => entry?.name !== 'set'),
    lasting: acknowledged.filter(({ seq, key }) => {
      return key.startsWith('lasting') && !isDeepStrictEqual(view.open.get(key), { first: seq, count: 1 })
    }),
    notes: [one, other].filter((n) => n !== one || (n !== word.notes && n !== word.notes + 1)),
  }
  // One look for all: there are hundreds of states to look at.
  const none = { numbers: [], first: [], last: [], entries: [], needed: [], lasting: [], notes: [] }
  expect(wrong, what).toEqual(none)
}

/** Works until the n-th change of the disk, and goes on from what a crash may leave there. */
async function crashAndGoOn(nth: number, seed: number): Promise<boolean> {
  const random = randomFrom(seed * 100_003 + nth)
  const word: Word = { entries: new Map(), notes: 0 }
  const disk = new CrashingDisk(nth)
  await open(disk)
    .then((opened) => work(opened, word, 1))
    .catch(() => undefined)
  const isOver = disk.calls < nth
  disk.die()
  // The process died, or the machine; once more on the way up; then whoever comes up shows what there is.
  const second = 1 + Math.floor(random() * 12)
  const again = random() < 0.5 ? disk.crashed(random, second) : disk.inherited(second)
  await open(again).catch(() => undefined)
  again.die()
  const third = again.inherited()
  const opened = await open(third)
  await opened.journal.append(alarm('one more', 'set', at))
  for (const entry of await shown(opened)) word.entries.set(entry.seq, entry)
  const found = await open(third.crashed(random))
  await check(found, word, `call ${nth}, seed ${seed}`)
  await work(found, word, 100)
  await check(found, word, `after call ${nth}, seed ${seed}`)
  return !isOver
}

describe('A store on a disk that keeps any part of what was not synced', () => {
  // Every call is the one it dies at, in one of these.
  for (const [seed, first] of [1, 2, 3, 4].entries()) {
    it(`has all it acknowledged and continues, wherever it crashed (every fourth call from the ${first}.)`, async () => {
      let nth = first
      while (await crashAndGoOn(nth, seed)) nth += 4
      expect(nth).toBeGreaterThan(100)
    })
  }
})

describe('A batch that is written in several pieces', () => {
  const long = (n: number): NewEntry => {
    const { type, name, key } = alarm('long', 'set', at)
    return { type, name, key, at, data: { n, text: 'long'.repeat(700_000) } }
  }

  it('is there as a whole or not at all, at whatever piece the machine lost its power', async () => {
    const numbers = new Set<number>()
    let isOver = false
    for (let nth = 1; !isOver; nth++) {
      const random = randomFrom(nth)
      const disk = new CrashingDisk()
      const { journal } = await open(disk)
      await journal.append(alarm('short', 'set', at))
      disk.dieAt(disk.calls + nth)
      isOver = await journal.appendAll([long(1), long(2)]).then(
        () => true,
        () => false,
      )
      const found = await open(disk.crashed(random))
      const entries = await shown(found)
      expect(entries.map(({ seq }) => seq)).toEqual(entries.length === 1 ? [1] : [1, 2, 3])
      if (isOver) expect(entries).toHaveLength(3)
      numbers.add(entries.length)
      await found.journal.append(long(3))
      expect((await shown(found)).length).toBeGreaterThan(0)
    }
    expect(numbers).toContain(1)
  })
})
