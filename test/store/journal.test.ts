import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Base64, type Entry, type NewEntry, StoredValue } from '../../src/store/entry.js'
import { FailStop, StoreUnavailable } from '../../src/store/failure.js'
import { disk } from '../../src/store/files/disk/file-system.js'
import { openJournal } from '../../src/store/files/open-journal.js'
import { type JournalQuery, readTo } from '../../src/store/journal.js'
import { ManualClock } from '../support/manual-clock.js'
import { madeOf, plainly, someEntries, someQueries } from './behaviour/queries.js'
import { failingDisk } from './failing-disk.js'
import { scratchFolders } from './scratch-folder.js'

const folderOf = scratchFolders()
const at = (ms: number): string => new Date(Date.UTC(2026, 0, 1) + ms).toISOString()
const entry = (n: number): NewEntry => ({ key: 'EQ', type: 'state', name: 'a', at: at(n), data: { n } })
const fresh = (folder = folderOf(), segmentBytes?: number) =>
  openJournal(folder, {
    fs: disk,
    failStop: new FailStop(),
    clock: new ManualClock(),
    ...(segmentBytes && { segmentBytes }),
  })

/** A disk that writes, and while it is held does not say so. */
function heldDisk() {
  const whenSynced: Array<() => void> = []
  let held = false
  const fs = {
    ...disk,
    open: async (...given: Parameters<typeof disk.open>) => {
      const file = await disk.open(...given)
      const write: typeof file.write = async (bytes, position) => {
        await file.write(bytes, position)
        if (held) await new Promise<void>((resolve) => whenSynced.push(resolve))
      }
      return Object.assign(Object.create(file), { write })
    },
  }
  const hold = (isHeld: boolean) => {
    held = isHeld
  }
  return { fs, whenSynced, hold }
}

describe('Appending', () => {
  it('gives sequence numbers in the order of the calls and tells listeners in that order', async () => {
    const journal = await fresh()
    const heard: number[] = []
    journal.appended.on(({ seq }) => heard.push(seq))
    const appended = await Promise.all(Array.from({ length: 50 }, (_, n) => journal.append(entry(n))))
    expect(appended.map(({ data }) => data['n'])).toEqual(appended.map(({ seq }) => seq - 1))
    expect(heard).toEqual(appended.map(({ seq }) => seq))
    await journal.close()
  })

  it('shows nothing before the sync, neither to a query nor to a listener', async () => {
    const folder = folderOf()
    const { fs, whenSynced, hold } = heldDisk()
    const clock = new ManualClock()
    const journal = await openJournal(folder, { fs, failStop: new FailStop(), clock })
    hold(true)
    let heard = 0
    journal.appended.on(() => heard++)
    const appending = [journal.append(entry(1))]
    while (whenSynced.length === 0) await new Promise(setImmediate)
    expect([journal.last, heard, await journal.get(1)]).toEqual([0, 0, undefined])
    clock.advance(300)
    appending.push(journal.append(entry(2)))
    clock.advance(200)
    expect(journal.backlog).toEqual({ count: 2, ms: 500 })
    whenSynced[0]?.()
    await appending[0]
    expect([journal.last, heard, journal.backlog]).toEqual([1, 1, { count: 1, ms: 200 }])
    hold(false)
    for (const synced of whenSynced) synced()
    await Promise.all(appending)
    expect(journal.backlog).toEqual({ count: 0, ms: 0 })
    await journal.close()
  })

  it('shares a sync among all that queue while one is under way', async () => {
    const fs = failingDisk(Number.POSITIVE_INFINITY)
    const journal = await openJournal(folderOf(), { fs, failStop: new FailStop(), clock: new ManualClock() })
    const before = fs.calls()
    await Promise.all(Array.from({ length: 100 }, (_, n) => journal.append(entry(n))))
    expect(fs.calls() - before).toBeLessThanOrEqual(4)
    await journal.close()
  })

  it('refuses an entry that could not be read back, and uses no sequence number for it', async () => {
    const journal = await fresh()
    await expect(journal.append({ ...entry(1), at: '2026-01-01' })).rejects.toBeInstanceOf(TypeError)
    await expect(journal.appendAll([entry(1), { ...entry(2), at: '' }])).rejects.toBeInstanceOf(TypeError)
    expect(await journal.append(entry(3))).toMatchObject({ seq: 1 })
    await journal.close()
  })

  it('keeps entries of many megabytes and any text, over a restart', async () => {
    const folder = folderOf()
    const journal = await fresh(folder)
    const odd = '\n\r"\\ ,"data":{ ,"crc":"00000000"} \u2028 \ud800 ü 🚀'
    const text = `\u0000${odd}`
    const given = { ...entry(1), key: odd, data: { body: 'A'.repeat(22_000_000), [text]: text } }
    await Promise.all([journal.append(given), journal.append(entry(2))])
    await journal.close()
    const again = await fresh(folder)
    expect(await again.get(1)).toEqual({ seq: 1, ...given })
    expect(await again.query({ order: 'asc', limit: 5, key: odd })).toHaveLength(1)
    expect(again.last).toBe(2)
    await again.close()
  })

  it('keeps values of others, in one text or in parts, and gives them back as their owner revives them', async () => {
    const folder = folderOf()
    class Note extends StoredValue {
      constructor(
        readonly json: string,
        readonly inParts: readonly (string | Base64)[] | undefined,
      ) {
        super()
      }

      override get parts() {
        return this.inParts
      }
    }
    const notes = [
      new Note('{"body":"AQI="}', undefined),
      new Note('not read', ['{"body":"', new Base64(Uint8Array.of(1, 2)), '"}']),
    ]
    const journal = await fresh(folder)
    for (const data of notes) await journal.append({ ...entry(1), data: data as never })
    await expect(journal.append({ ...entry(1), data: new Note('[]', undefined) as never })).rejects.toThrow(
      TypeError,
    )
    await journal.close()
    const again = await fresh(folder)
    await again.attach([], (one) => ({ ...one, key: 'revived' }))
    const found = await again.query({ order: 'asc', limit: 9 })
    expect(found.map(({ key, data }) => [key, data])).toEqual(notes.map(() => ['revived', { body: 'AQI=' }]))
    expect(await again.get(1)).toBe(found[0])
    await again.close()
  })

  it('ends for good when another part of the store has failed, also for what is under way', async () => {
    const failStop = new FailStop()
    const journal = await openJournal(folderOf(), { fs: disk, failStop, clock: new ManualClock() })
    const appending = journal.append(entry(1))
    failStop.stop(new Error('elsewhere'))
    await expect(appending).rejects.toBeInstanceOf(StoreUnavailable)
    await expect(journal.append(entry(2))).rejects.toBeInstanceOf(StoreUnavailable)
    await journal.close()
  })

  it('takes 20,000 entries that wait for the disk and no more, and none once it is closed', async () => {
    const { fs, whenSynced, hold } = heldDisk()
    const journal = await openJournal(folderOf(), { fs, failStop: new FailStop(), clock: new ManualClock() })
    hold(true)
    const first = journal.append(entry(0))
    while (whenSynced.length === 0) await new Promise(setImmediate)
    const waiting = Array.from({ length: 20_000 }, (_, n) => journal.append(entry(n)))
    await expect(journal.append(entry(0))).rejects.toBeInstanceOf(StoreUnavailable)
    hold(false)
    whenSynced[0]?.()
    expect((await Promise.all([first, ...waiting])).at(-1)?.seq).toBe(20_001)
    await journal.close()
    await expect(journal.append(entry(1))).rejects.toBeInstanceOf(StoreUnavailable)
  })

  it('rejects what waits for a write that fails, and what comes after it', async () => {
    const held: Array<() => void> = []
    let isFailing = false
    const fs = {
      ...disk,
      open: async (...given: Parameters<typeof disk.open>) => {
        const file = await disk.open(...given)
        const write: typeof file.write = async (bytes, position) => {
          if (!isFailing) return file.write(bytes, position)
          await new Promise<void>((resolve) => held.push(resolve))
          throw new Error('EIO: made up')
        }
        return Object.assign(Object.create(file), { write })
      },
    }
    const journal = await openJournal(folderOf(), { fs, failStop: new FailStop(), clock: new ManualClock() })
    isFailing = true
    const ends: string[] = []
    const append = (n: number): void => {
      journal.append(entry(n)).then(
        () => ends.push(`${n} is on disk`),
        (error: Error) => ends.push(`${n} ${error.name}`),
      )
    }
    append(1)
    while (held.length === 0) await new Promise(setImmediate)
    append(2)
    append(3)
    for (const fail of held) fail()
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
    append(4)
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
    expect(ends).toEqual([1, 2, 3, 4].map((n) => `${n} StoreUnavailable`))
    await journal.close()
  })
})

describe('Whoever reads on', () => {
  it.each<[string, Partial<JournalQuery> & { readonly isCut?: true }, readonly number[], number]>([
    ['before the end, where it has read all', { order: 'asc', bytes: 1 }, [4, 6], 9],
    ['after the last entry, where there may be more', { order: 'asc', limit: 2 }, [4, 6], 6],
    ['after the last entry, where bytes have ended it', { order: 'asc', isCut: true }, [4, 6], 6],
    ['before the end, where nothing was found', { order: 'asc', bytes: 1 }, [], 9],
    ['where it began, which is after the end', { order: 'asc', after: 12 }, [], 12],
    ['at the first number, where it went back to it', { order: 'desc' }, [6, 4], 1],
    ['at its limit, where it went back to that', { order: 'desc', after: 3 }, [6, 4], 4],
    ['at the last entry, where it may go further back', { order: 'desc', limit: 2 }, [6, 4], 4],
  ])('begins %s', (_, { isCut = false, ...given }, seqs, expected) => {
    const entries = seqs.map((seq) => ({ seq, ...entry(seq) }))
    const query = { limit: 3, before: 10, ...given } as Parameters<typeof readTo>[0]
    expect(readTo(query, { entries, isCut })).toBe(expected)
  })
})

describe('A time range', () => {
  it('includes its begin and not its end, also where a segment ends or begins', async () => {
    const folder = folderOf()
    const journal = await fresh(folder, 1)
    for (const n of [10, 20, 30]) await journal.append(entry(n))
    expect(journal.sealed.map(({ first, last }) => [first, last])).toEqual([
      [1, 1],
      [2, 2],
    ])
    const found = async (from: number, to: number): Promise<readonly unknown[]> =>
      (await journal.query({ order: 'asc', limit: 9, from: at(from), to: at(to) })).map(
        ({ data }) => data['n'],
      )
    expect([await found(10, 20), await found(20, 30), await found(30, 31)]).toEqual([[10], [20], [30]])
    expect([await found(10, 31), await found(11, 20), await found(31, 40)]).toEqual([[10, 20, 30], [], []])
    await journal.close()
  })
})

describe('A query', () => {
  it('finds what looking at every entry finds, with the clock set back, over segments and restarts', async () => {
    await fc.assert(
      fc.asyncProperty(
        someEntries,
        fc.array(someQueries, { minLength: 1, maxLength: 8 }),
        async (given, asked) => {
          const folder = folderOf()
          const journal = await fresh(folder, 700)
          const all: Entry[] = []
          for (let from = 0; from < given.length; from += 4) {
            const made = given.slice(from, from + 4).map(madeOf)
            all.push(...(await journal.appendAll(made)))
          }
          const check = async (where: typeof journal): Promise<void> => {
            for (const [must, may] of asked) {
              const query = { ...must, ...may } as JournalQuery
              expect(await where.query(query)).toEqual(plainly([...all], query))
              expect(await where.numberOf(query)).toBe(
                plainly([...all], { ...query, where: () => true })[0]?.seq,
              )
            }
          }
          await check(journal)
          await journal.close()
          const again = await fresh(folder, 700)
          await check(again)
          await again.close()
        },
      ),
      { numRuns: 25 },
    )
  })
})
