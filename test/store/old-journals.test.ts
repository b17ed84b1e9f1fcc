import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FailStop } from '../../src/store/failure.js'
import type { NdjsonJournal } from '../../src/store/files/ndjson-journal.js'
import { openJournal } from '../../src/store/files/open-journal.js'
import { isLoss, verifyJournal } from '../../src/store/files/repair/verify.js'
import { ManualClock } from '../support/manual-clock.js'
import { vectors } from '../support/vectors.js'
import { failingDisk } from './failing-disk.js'
import { scratchFolders } from './scratch-folder.js'

const folderOf = scratchFolders()
const fs = failingDisk(Number.POSITIVE_INFINITY, { syncs: false })
const open = (folder: string, segmentBytes?: number): Promise<NdjsonJournal> =>
  openJournal(folder, {
    fs,
    failStop: new FailStop(),
    clock: new ManualClock(),
    ...(segmentBytes !== undefined && { segmentBytes }),
  })

describe.each(vectors<{ files: Record<string, readonly string[]> }>('old-journals.json'))(
  '$name',
  ({ files }) => {
    /** The folder as it was left, its newest segment cut to so many bytes. */
    function left(bytes = Number.POSITIVE_INFINITY): string {
      const folder = folderOf()
      mkdirSync(folder)
      const names = Object.keys(files)
      for (const name of names) {
        const whole = Buffer.from(files[name]?.map((line) => `${line}\n`).join('') ?? '')
        writeFileSync(join(folder, name), name === names.at(-1) ? whole.subarray(0, bytes) : whole)
      }
      return folder
    }
    const lines = Object.values(files).flat()

    it('are read as they were written, gone on with, and found again', async () => {
      const folder = left()
      const journal = await open(folder)
      const entries = await journal.query({ order: 'asc', limit: 100 })
      const written = lines.map((line) => {
        const { batch: _, end: __, crc: ___, ...entry } = JSON.parse(line)
        return entry
      })
      expect(entries).toEqual(written)
      const { seq: __, ...again } = written[0]
      await journal.append(again)
      await journal.close()
      const after = await open(folder, 1)
      await after.append(again)
      await after.close()
      const last = await open(folder)
      expect((await last.query({ order: 'asc', limit: 100 })).map(({ seq }) => seq)).toEqual(
        Array.from({ length: lines.length + 2 }, (_, at) => at + 1),
      )
      await last.close()
      for await (const { faults } of verifyJournal(fs, folder)) expect(faults.filter(isLoss)).toEqual([])
    })

    it('lose nothing but the last batch wherever a crash cut them short', async () => {
      const newest = Object.values(files).at(-1) ?? []
      const ends = newest.map((_, at) => Buffer.byteLength(newest.slice(0, at + 1).join('\n')) + 1)
      for (let cut = 0; cut < (ends.at(-1) ?? 0); cut += 7) {
        const journal = await open(left(cut))
        const whole = ends.filter((end) => end <= cut).length
        const batch = whole === 0 ? 0 : (JSON.parse(newest[whole - 1] ?? '').end as number)
        const isTorn = batch > journal.last
        expect(journal.last, `cut at ${cut}`).toBe(
          lines.length - newest.length + (isTorn ? whole - 1 : whole),
        )
        await journal.close()
      }
    })

    it('are refused where a crash explains nothing', async () => {
      const folder = left()
      const [name = ''] = readdirSync(folder)
      writeFileSync(join(folder, name), `x${files[name]?.join('\n').slice(1)}\n`)
      await expect(open(folder)).rejects.toMatchObject({ name: 'StoreDamaged' })
    })
  },
)
