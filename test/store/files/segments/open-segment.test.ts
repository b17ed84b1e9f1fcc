import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock as clock } from '../../../../src/kit/clock.js'
import { FailStop } from '../../../../src/store/failure.js'
import { disk } from '../../../../src/store/files/disk/file-system.js'
import { openJournal } from '../../../../src/store/files/open-journal.js'
import { scratchFolders } from '../../scratch-folder.js'

const folderOf = scratchFolders()
const KIB = 1024

test.each([
  ['a small segment up to its end', 20_000, [20_000, 20_000]],
  ['a large one by 256 KiB', 1_000_000, ['room', 'as before']],
] as const)('the file is made longer ahead of its entries: %s', async (_, segmentBytes, sizes) => {
  const folder = folderOf()
  const journal = await openJournal(folder, { fs: disk, failStop: new FailStop(), clock, segmentBytes })
  await journal.attach([])
  const sizeNow = () => {
    const [name = ''] = readdirSync(folder).filter((one) => /^\d+\.ndjson$/.test(one))
    return statSync(join(folder, name)).size
  }
  const found: number[] = []
  for (let n = 0; n < sizes.length; n++) {
    await journal.append({ key: 'e', type: 't', name: 'n', at: new Date().toISOString(), data: { n } })
    found.push(sizeNow())
  }
  await journal.close()
  const used = sizeNow()
  if (sizes[0] === 'room') {
    expect(found[1]).toBe(found[0])
    // The first of two lines is followed by the reserved bytes.
    expect(found[0]).toBeGreaterThan(256 * KIB)
    expect(found[0]).toBeLessThan(256 * KIB + used)
  } else expect(found).toEqual(sizes)
})
