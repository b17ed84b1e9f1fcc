import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Entry, NewEntry } from '../../src/store/entry.js'
import { FailStop, StoreDamaged, StoreUnavailable } from '../../src/store/failure.js'
import type { NdjsonJournal } from '../../src/store/files/ndjson-journal.js'
import { type JournalOptions, openJournal } from '../../src/store/files/open-journal.js'
import { verifyJournal } from '../../src/store/files/repair/verify.js'
import { readSegmentFile } from '../../src/store/files/segments/segment-content.js'
import { scanSegment } from '../../src/store/files/segments/segment-scan.js'
import { ManualClock } from '../support/manual-clock.js'
import { failingDisk } from './failing-disk.js'
import { scratchFolders } from './scratch-folder.js'

const folderOf = scratchFolders()
const entry = (n: number): NewEntry => ({
  key: 'EQ',
  type: 'message',
  name: 'sent',
  at: new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString(),
  data: { n, text: 'ü{"seq":1,' },
})
/** Fast enough to open a journal thousands of times: nothing here depends on a sync being real. */
const unsynced = failingDisk(Number.POSITIVE_INFINITY, { syncs: false })
const open = (
  folder: string,
  given: Partial<Pick<JournalOptions, 'fs' | 'acceptLoss' | 'segmentBytes' | 'warn'>> = {},
): Promise<NdjsonJournal> =>
  openJournal(folder, { fs: unsynced, failStop: new FailStop(), clock: new ManualClock(), ...given })
const everything = (journal: NdjsonJournal): Promise<readonly Entry[]> =>
  journal.query({ order: 'asc', limit: 1000 })

async function reading(folder: string, acceptLoss = false): Promise<readonly Entry[]> {
  const journal = await open(folder, { acceptLoss })
  try {
    return await everything(journal)
  } finally {
    await journal.close()
  }
}

/** Batches of 1, 2 and 1 entries in one segment; where each batch ends, and the entries. */
async function sample(): Promise<{ bytes: Buffer; name: string; ends: number[]; entries: readonly Entry[] }> {
  const folder = folderOf()
  const journal = await open(folder)
  const name = readdirSync(folder)[0] ?? ''
  const ends: number[] = []
  for (const size of [1, 2, 1]) {
    const first = journal.last + 1
    await journal.appendAll(Array.from({ length: size }, (_, at) => entry(first + at)))
    ends.push((await readSegmentFile(unsynced, join(folder, name)))?.length ?? 0)
  }
  const entries = await everything(journal)
  await journal.close()
  return { bytes: readFileSync(join(folder, name)), name, ends, entries }
}

function folderWith(name: string, bytes: Uint8Array): string {
  const folder = folderOf()
  mkdirSync(folder)
  writeFileSync(join(folder, name), bytes)
  return folder
}

const SIZES = [0, 1, 3, 4]
const wholeBatches = (ends: readonly number[], cut: number): number =>
  SIZES[ends.filter((end) => end <= cut).length] ?? 0

describe('A journal that a crash cut short', () => {
  for (const [what, behind] of [
    ['nothing', Buffer.alloc(0)],
    ['zeros', Buffer.alloc(64)],
    ['empty lines', Buffer.alloc(64, '\n')],
    ['garbage', Buffer.from('{"seq":5,"batch":5,"end":5,"at":"x"}\n\xff\n')],
  ] as const) {
    it(`has its whole batches and no other entry wherever it was cut, with ${what} behind`, async () => {
      const { bytes, name, ends, entries } = await sample()
      for (let cut = 0; cut <= bytes.length; cut++) {
        const left = Buffer.concat([bytes.subarray(0, cut), behind])
        // The first of the empty lines may be the newline that was cut off.
        const whole = wholeBatches(ends, what === 'empty lines' ? cut + 1 : cut)
        const scan = scanSegment(left, 1, () => {})
        expect([scan.entries, scan.damaged], `cut at ${cut}`).toEqual([whole, false])
        if (cut % 10 !== 0) continue
        expect(await reading(folderWith(name, left)), `cut at ${cut}`).toEqual(entries.slice(0, whole))
      }
    })
  }

  // The same of the file itself, at every offset that is not among those above.
  for (const begin of [1, 4, 7]) {
    it(`opens with its whole batches wherever it was cut (offsets ending in ${begin} to ${begin + 2})`, async () => {
      const { bytes, name, ends, entries } = await sample()
      for (let cut = 0; cut < bytes.length; cut++) {
        if (cut % 10 < begin || cut % 10 > begin + 2) continue
        const found = await reading(folderWith(name, bytes.subarray(0, cut)))
        expect(found, `cut at ${cut}`).toEqual(entries.slice(0, wholeBatches(ends, cut)))
      }
    })
  }

  it('has room at its end while the process runs, which is neither torn nor counted, and none after its end', async () => {
    const folder = folderOf()
    const journal = await open(folder)
    const name = readdirSync(folder).find((one) => one.endsWith('.ndjson')) ?? ''
    await journal.append(entry(1))
    const bytes = readFileSync(join(folder, name))
    const lines = bytes.toString('latin1').split('\n')
    expect([lines.length > 1000, lines.filter((line) => line !== '').length]).toEqual([true, 2])
    for await (const looked of verifyJournal(unsynced, folder)) expect(looked).toMatchObject({ faults: [] })
    const killed = folderWith(name, bytes)
    const warnings: string[] = []
    const after = await open(killed, { warn: (text) => warnings.push(text) })
    await after.append(entry(2))
    expect((await everything(after)).map(({ seq }) => seq)).toEqual([1, 2])
    await after.close()
    expect(warnings).toEqual([])
    expect(readFileSync(join(killed, name), 'latin1').trimEnd().split('\n')).toHaveLength(3)
    expect(readFileSync(join(killed, name), 'latin1')).not.toContain('\n\n')
    await journal.close()
  })

  it('continues after what was kept, and says the same after another restart', async () => {
    const { bytes, name, entries } = await sample()
    const folder = folderWith(name, bytes.subarray(0, -5))
    const journal = await open(folder)
    expect(await journal.append(entry(9))).toMatchObject({ seq: 4 })
    await journal.close()
    expect(await reading(folder)).toEqual([...entries.slice(0, 3), { seq: 4, ...entry(9) }])
  })

  it('puts what it read on disk before it shows it, since the process before may not have', async () => {
    const { bytes, name } = await sample()
    const folder = folderWith(name, bytes)
    await expect(open(folder, { fs: failingDisk(1) })).rejects.toThrow('EIO')
  })
})

describe('A journal with a flipped bit', () => {
  it('is distinguished from a crash by every bit of it', async () => {
    const { bytes, ends } = await sample()
    const [, lastBatch = 0] = ends
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = Buffer.from(bytes)
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      const { damaged, end, fault } = scanSegment(flipped, 1, () => {})
      expect([damaged, fault <= bit >> 3], `bit ${bit}`).toEqual([bit >> 3 < lastBatch, true])
      if (!damaged) expect(end, `bit ${bit}`).toBe(lastBatch)
    }
  })

  it('is refused, or loses nothing but the last batch, and never gives a wrong entry', async () => {
    const { bytes, name, ends, entries } = await sample()
    const lastBatch = ends[1] ?? 0
    const folder = folderWith(name, bytes)
    for (let bit = 0; bit < bytes.length * 8; bit += 29) {
      const flipped = Buffer.from(bytes)
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      writeFileSync(join(folder, name), flipped)
      const result = await reading(folder).catch((error: unknown) => error)
      if (bit >> 3 < lastBatch) {
        expect(result, `bit ${bit}`).toBeInstanceOf(StoreDamaged)
        expect(readFileSync(join(folder, name)).equals(flipped), `bit ${bit}`).toBe(true)
      } else expect(result, `bit ${bit}`).toEqual(entries.slice(0, 3))
    }
  })

  it('names the file and the byte where the damaged line begins', async () => {
    const { bytes, name, ends } = await sample()
    const damaged = Buffer.from(bytes).fill(0, (ends[0] ?? 0) + 20, (ends[0] ?? 0) + 21)
    const folder = folderWith(name, damaged)
    await expect(reading(folder)).rejects.toMatchObject({ file: join(folder, name), offset: ends[0] })
  })

  it('is found by reading when the bit flips under a journal that is open', async () => {
    const { bytes, name } = await sample()
    const folder = folderWith(name, bytes)
    const journal = await open(folder)
    writeFileSync(join(folder, name), Buffer.from(bytes).fill(0x20, 60, 61))
    await expect(journal.get(1)).rejects.toBeInstanceOf(StoreDamaged)
    await journal.close()
  })

  it('loses what is damaged and no more on a person’s word, as often as that is given, and keeps it aside', async () => {
    const { bytes, name, ends, entries } = await sample()
    const damaged = Buffer.from(bytes).fill(0, (ends[0] ?? 0) + 20, (ends[0] ?? 0) + 21)
    const folder = folderWith(name, damaged)
    const whole = entries.filter(({ seq }) => seq !== 2)
    for (const lost of [`${name}.lost`, `${name}.2.lost`]) {
      writeFileSync(join(folder, name), damaged)
      expect(await reading(folder, true)).toEqual(whole)
      expect(readFileSync(join(folder, lost)).equals(damaged)).toBe(true)
      expect(await reading(folder)).toEqual(whole)
    }
  })
})

describe('A journal of several segments', () => {
  async function segments(segmentBytes = 300): Promise<{ folder: string; names: string[] }> {
    const folder = folderOf()
    const journal = await open(folder, { segmentBytes })
    for (let n = 1; n <= 8; n++) await journal.append(entry(n))
    await journal.close()
    return { folder, names: readdirSync(folder).filter((name) => name.endsWith('.ndjson')) }
  }

  it('is refused with a segment cut short that is not the newest', async () => {
    const { folder, names } = await segments()
    expect(names.length).toBeGreaterThan(2)
    const path = join(folder, names[0] ?? '')
    const bytes = readFileSync(path)
    const flipped = Buffer.from(bytes).fill(0x7e, bytes.length - 30, bytes.length - 29)
    for (const spoilt of [bytes.subarray(0, -1), flipped]) {
      writeFileSync(path, spoilt)
      await expect(reading(folder)).rejects.toMatchObject({ name: 'StoreDamaged', file: path })
    }
  })

  it('continues where a segment was begun and never written to, and says so where a part of its head is there', async () => {
    const { folder } = await segments()
    const begun = join(folder, '0000000000000009.ndjson')
    for (const [text, warned] of [
      ['', 0],
      ['{"journal"', 1],
    ] as const) {
      writeFileSync(begun, text)
      const warnings: string[] = []
      const journal = await open(folder, { warn: (line) => warnings.push(line) })
      expect([journal.last, warnings.filter((line) => line.startsWith(begun)).length]).toEqual([8, warned])
      await journal.close()
      expect(existsSync(begun)).toBe(false)
    }
  })

  it('finds damage in a sealed segment when the entry is read, and puts it aside on a person’s word', async () => {
    const { folder, names } = await segments(500)
    const path = join(folder, names[0] ?? '')
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.fill(0x7e, bytes.indexOf('{"seq":2') + 30, bytes.indexOf('{"seq":2') + 31))
    const journal = await open(folder)
    expect(await journal.get(1)).toMatchObject({ seq: 1 })
    await expect(journal.get(2)).rejects.toMatchObject({ name: 'StoreDamaged', file: path })
    expect(await journal.query({ order: 'desc', limit: 3 })).toHaveLength(3)
    await journal.close()
    for (const acceptLoss of [true, false])
      expect((await reading(folder, acceptLoss)).map(({ seq }) => seq)).toEqual([1, 3, 4, 5, 6, 7, 8])
    expect(readdirSync(folder).filter((name) => name.endsWith('.lost'))).toHaveLength(1)
  })

  it('is refused with a segment missing in between, and gives up what was in it on a person’s word', async () => {
    const { folder, names } = await segments()
    const all = await reading(folder)
    const [first, until] = names.slice(1, 3).map((name) => Number.parseInt(name, 10))
    rmSync(join(folder, names[1] ?? ''))
    await expect(reading(folder)).rejects.toBeInstanceOf(StoreDamaged)
    const kept = all.filter(({ seq }) => seq < (first ?? 0) || seq >= (until ?? 0))
    expect(kept.length).toBeLessThan(all.length)
    expect(await reading(folder, true)).toEqual(kept)
    expect(await reading(folder)).toEqual(kept)
  })
})

describe('A journal on a disk that fails', () => {
  it('acknowledges nothing from the n-th failing call on, and has all it acknowledged after a restart', async () => {
    for (let nth = 1; ; nth++) {
      const folder = folderOf()
      const fs = failingDisk(nth, { syncs: false })
      const acknowledged: Entry[] = []
      const heard: number[] = []
      const journal = await open(folder, { fs, segmentBytes: 300 }).catch(() => undefined)
      journal?.appended.on(({ seq }) => heard.push(seq))
      let failed = false
      for (let n = 1; journal && n <= 6; n++) {
        const results = await Promise.allSettled([journal.append(entry(n)), journal.append(entry(-n))])
        for (const result of results) {
          if (result.status === 'fulfilled') acknowledged.push(result.value)
          else expect(result.reason).toBeInstanceOf(StoreUnavailable)
          if (failed) expect(result.status).toBe('rejected')
          failed ||= result.status === 'rejected'
        }
      }
      await journal?.close()
      expect(fs.openFiles(), `call ${nth}`).toBe(0)
      expect(heard).toEqual(acknowledged.map(({ seq }) => seq))
      const kept = await reading(folder)
      expect(kept.slice(0, acknowledged.length), `call ${nth}`).toEqual(acknowledged)
      if (fs.calls() < nth) break
    }
  })
})
