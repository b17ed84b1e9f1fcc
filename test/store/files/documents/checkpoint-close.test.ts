import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { deferred } from '../../../../src/kit/deferred.js'
import { FailStop } from '../../../../src/store/failure.js'
import { disk, type FileSystem } from '../../../../src/store/files/disk/file-system.js'
import { Checkpoint } from '../../../../src/store/files/documents/checkpoint.js'
import { RetentionClock } from '../../../../src/store/retention-clock.js'
import { ManualClock } from '../../../support/manual-clock.js'
import { scratchFolders } from '../../scratch-folder.js'

const folders = scratchFolders()

describe('A checkpoint that is closed', () => {
  const full = new Error('ENOSPC: no space left on device')
  const last = { seq: 5, mark: '0123abcd' }

  /** One that is in use. `wait`: what each file that it makes waits for. */
  async function inUse({ begins = true, keepsTime = false } = {}) {
    const folder = folders()
    await disk.makeFolder(folder)
    const [clock, failStop] = [new ManualClock(), new FailStop()]
    let wait = async (): Promise<void> => {}
    const open: FileSystem['open'] = async (path, mode) => {
      if (mode === 'create') await wait()
      return disk.open(path, mode)
    }
    const options = { fs: { ...disk, open }, failStop, clock }
    await (await Checkpoint.open(folder, options)).begin()
    const checkpoint = await Checkpoint.open(folder, options)
    if (begins) await checkpoint.begin()
    if (keepsTime) checkpoint.keepTime(new RetentionClock(clock, undefined))
    const path = join(folder, 'checkpoint.json')
    rmSync(path)
    return {
      checkpoint,
      clock,
      failStop,
      waitFor: (given: () => Promise<void>) => {
        wait = given
      },
      /** What it has written since. */
      written: () => (existsSync(path) ? readFileSync(path, 'utf8') : undefined),
    }
  }

  it('writes what it was told last, and leaves no timer running', async () => {
    const { checkpoint, clock, written } = await inUse()
    checkpoint.noteJournal(last)
    expect(clock.scheduled).toBe(1)
    await checkpoint.close()
    expect(clock.scheduled).toBe(0)
    expect(written()).toContain('"seq":5')
  })

  it('says so where that cannot be written', async () => {
    const { checkpoint, waitFor } = await inUse({ keepsTime: true })
    checkpoint.noteJournal(last)
    waitFor(() => Promise.reject(full))
    await expect(checkpoint.close()).rejects.toThrow('ENOSPC')
  })

  it('writes the time alone, which a full disk may prevent', async () => {
    const { checkpoint, waitFor, written } = await inUse({ keepsTime: true })
    waitFor(() => Promise.reject(full))
    await checkpoint.close()
    expect(written()).toBeUndefined()
    waitFor(async () => {})
    await checkpoint.close()
    expect(written()).toContain('"time"')
  })

  it.each([
    ['of a folder that is refused', { begins: false, keepsTime: true }],
    ['without a time and without anything new', {}],
  ])('%s writes nothing', async (_, given) => {
    const { checkpoint, written } = await inUse(given)
    await checkpoint.close()
    expect(written()).toBeUndefined()
  })

  it('writes nothing once the store has failed, and says nothing of that again', async () => {
    const { checkpoint, clock, failStop, written } = await inUse({ keepsTime: true })
    checkpoint.noteJournal(last)
    failStop.stop(full)
    await checkpoint.close()
    expect([clock.scheduled, written()]).toEqual([0, undefined])
  })

  it('waits for what is being written', async () => {
    const { checkpoint, waitFor, written } = await inUse()
    const going = deferred<void>()
    waitFor(() => going.promise)
    const noted = checkpoint.noteDocument('tools.json', { generation: 1, crc: '0' })
    const closed = checkpoint.close().then(() => written())
    going.resolve()
    expect(await closed).toContain('tools.json')
    await noted
  })
})
