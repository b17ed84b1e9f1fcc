import { setImmediate as immediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { deferred } from '../../../src/kit/deferred.js'
import type { Entry, NewEntry } from '../../../src/store/entry.js'
import { FailStop, StoreUnavailable, Unsettled } from '../../../src/store/failure.js'
import { disk, type FileSystem } from '../../../src/store/files/disk/file-system.js'
import { openJournal } from '../../../src/store/files/open-journal.js'
import { ManualClock } from '../../support/manual-clock.js'
import { scratchFolders } from '../scratch-folder.js'

const folderOf = scratchFolders()

/** A disk that answers no write while it is held. */
class HeldDisk {
  #held = deferred<void>()
  #isHeld = false
  #failure: Error | undefined

  hold(): void {
    this.#held = deferred()
    this.#isHeld = true
  }

  release(failure?: Error): void {
    this.#failure = failure
    this.#isHeld = false
    this.#held.resolve()
  }

  get fs(): FileSystem {
    return {
      ...disk,
      open: async (path, mode) => {
        const file = await disk.open(path, mode)
        const write = async (bytes: Buffer, position: number): Promise<void> => {
          if (this.#isHeld) await this.#held.promise
          if (this.#failure) throw this.#failure
          return file.write(bytes, position)
        }
        return Object.assign(Object.create(file), { write })
      },
    }
  }
}

const entry = (n: number): NewEntry => ({
  key: 'eq_1',
  type: 'state',
  name: 's',
  at: '2026-01-01T00:00:00.000Z',
  data: { n },
})

async function scene() {
  const [clock, held] = [new ManualClock(), new HeldDisk()]
  const journal = await openJournal(folderOf(), { fs: held.fs, clock, failStop: new FailStop() })
  await journal.attach([])
  await journal.append(entry(0))
  /** Time passes in small steps, as timers and the disk see it. */
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 50) {
      clock.advance(50)
      await immediate()
    }
  }
  const outcomeOf = (n: number) => {
    const found: { value?: Entry | Error } = {}
    journal.append(entry(n)).then(
      (value) => Object.assign(found, { value }),
      (value: Error) => Object.assign(found, { value }),
    )
    return found
  }
  return { journal, held, pass, outcomeOf }
}

test('nobody waits longer than about 3 s for a slow disk, and learns later what became of the entry', async () => {
  const { journal, held, pass, outcomeOf } = await scene()
  held.hold()
  const first = outcomeOf(1)
  await pass(2000)
  const second = outcomeOf(2)
  await pass(900)
  expect([first.value, second.value, journal.failure]).toEqual([undefined, undefined, undefined])
  await pass(300)
  expect(first.value).toBeInstanceOf(Unsettled)
  expect(second.value).toBeUndefined()
  expect(journal.failure).toBeInstanceOf(StoreUnavailable)
  await pass(2000)
  expect(second.value).toBeInstanceOf(Unsettled)
  const third = outcomeOf(3)
  await pass(1000)
  held.release()
  for (const [n, { value }] of [first, second].entries()) {
    const entries = await (value as Unsettled).settled
    expect(entries?.map(({ seq, data }) => [seq, data])).toEqual([[n + 2, { n: n + 1 }]])
  }
  await expect.poll(() => third.value).toMatchObject({ seq: 4 })
  expect(journal.failure).toBeUndefined()
  expect((await journal.query({ order: 'asc', limit: 9 })).map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
  await journal.close()
})

test('a disk that answers at the last moment keeps its callers', async () => {
  const { journal, held, pass, outcomeOf } = await scene()
  held.hold()
  const one = outcomeOf(1)
  await pass(3000)
  held.release()
  await expect.poll(() => one.value).toMatchObject({ seq: 2 })
  await pass(5000)
  expect(journal.failure).toBeUndefined()
  await journal.close()
})

test('a disk that fails in the end records nothing, and what is open stays open', async () => {
  const { journal, held, pass, outcomeOf } = await scene()
  held.hold()
  const one = outcomeOf(1)
  await pass(3200)
  let isSettled = false
  void (one.value as Unsettled).settled.then(() => {
    isSettled = true
  })
  held.release(new Error('EIO: made up'))
  await expect.poll(() => journal.failure?.message).toContain('EIO')
  await pass(100)
  expect(isSettled).toBe(false)
  await expect(journal.append(entry(2))).rejects.toThrow(StoreUnavailable)
  await journal.close()
})
