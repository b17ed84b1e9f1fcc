import { setImmediate as immediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Entry, NewEntry } from '../../../src/store/entry.js'
import { FailStop, StoreUnavailable, Unsettled } from '../../../src/store/failure.js'
import { openJournal } from '../../../src/store/files/open-journal.js'
import { ManualClock } from '../../support/manual-clock.js'
import { HeldDisk } from '../held-disk.js'
import { scratchFolders } from '../scratch-folder.js'

const folderOf = scratchFolders()

const entry = (n: number, more: Partial<NewEntry> = {}): NewEntry => ({
  key: 'eq_1',
  type: 'state',
  name: 's',
  at: '2026-01-01T00:00:00.000Z',
  data: { n },
  ...more,
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
  const outcomeOf = (n: number, more?: Partial<NewEntry>) => {
    const found: { value?: Entry | Error } = {}
    journal.append(entry(n, more)).then(
      (value) => Object.assign(found, { value }),
      (value: Error) => Object.assign(found, { value }),
    )
    return found
  }
  return { clock, journal, held, pass, outcomeOf }
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

test.each([
  ['at once', 0],
  ['after a while', 2500],
])("a time in which the process stands still %s is not the disk's", async (_, before) => {
  const { clock, journal, held, pass, outcomeOf } = await scene()
  held.hold()
  const one = outcomeOf(1)
  await pass(before)
  clock.standStill(10_000)
  await pass(400)
  expect([one.value, journal.failure]).toEqual([undefined, undefined])
  held.release()
  await expect.poll(() => one.value).toMatchObject({ seq: 2 })
  // A disk that is slow as well is found out in the end.
  held.hold()
  const two = outcomeOf(2)
  await pass(1000)
  clock.standStill(10_000)
  await pass(2800)
  expect(two.value).toBeInstanceOf(Unsettled)
  held.release()
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

test('a call with a long patience waits for a slow disk, and the others are refused after 3 s; the store says after 3 s that it is slow', async () => {
  const { journal, held, pass, outcomeOf } = await scene()
  held.hold()
  const patient = outcomeOf(1, { patience: 45_000 })
  await pass(3200)
  expect(journal.failure).toBeInstanceOf(StoreUnavailable)
  await pass(1300)
  const other = outcomeOf(2)
  await pass(2800)
  expect([patient.value, other.value]).toEqual([undefined, undefined])
  await pass(400)
  expect(other.value).toBeInstanceOf(Unsettled)
  held.release()
  await expect.poll(() => patient.value).toMatchObject({ seq: 2 })
  held.hold()
  const last = outcomeOf(3, { patience: 45_000 })
  await pass(44_900)
  expect(last.value).toBeUndefined()
  await pass(400)
  expect(last.value).toBeInstanceOf(Unsettled)
  held.release()
  expect(await (last.value as Unsettled).settled).toMatchObject([{ seq: 4 }])
  await journal.close()
})

test('what nobody waits for any longer is bounded in bytes, and goes to the disk all the same', async () => {
  const { journal, held, pass, outcomeOf } = await scene()
  held.hold()
  const text = 'x'.repeat(40 * 1024 * 1024)
  const first = [outcomeOf(1, { data: { text } }), outcomeOf(2, { data: { text } })]
  const third = outcomeOf(3)
  await pass(3300)
  expect(first.map(({ value }) => value instanceof Unsettled)).toEqual([true, true])
  expect(third.value).toBeInstanceOf(Unsettled)
  await expect(journal.append(entry(4))).rejects.toThrow('Too many entries wait for the disk.')
  held.release()
  await expect.poll(() => journal.last, { timeout: 20_000 }).toBe(4)
  expect(await journal.append(entry(5))).toMatchObject({ seq: 5 })
  await journal.close()
})

test('a long entry is recorded, and its caller told so, before what came after it is written', async () => {
  const { journal, held, outcomeOf } = await scene()
  journal.appended.on(({ seq }) => {
    if (seq === 3) held.hold()
  })
  const text = 'x'.repeat(5 * 1024 * 1024)
  const small = outcomeOf(1)
  const [one, two] = [outcomeOf(2, { data: { text } }), outcomeOf(3, { data: { text } })]
  await expect.poll(() => one.value).toMatchObject({ seq: 3 })
  expect([small.value, two.value]).toMatchObject([{ seq: 2 }, undefined])
  held.release()
  await expect.poll(() => two.value).toMatchObject({ seq: 4 })
  await journal.close()
})
