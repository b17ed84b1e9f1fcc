import { setImmediate as immediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Deferred, deferred } from '../../../src/kit/deferred.js'
import type { Entry, NewEntry } from '../../../src/store/entry.js'
import { NotOwner, StoreUnavailable, Unsettled } from '../../../src/store/failure.js'
import { AppendQueue } from '../../../src/store/postgres/journal/append-queue.js'
import type { JournalParts } from '../../../src/store/postgres/journal/journal-parts.js'
import { ManualClock } from '../../support/manual-clock.js'

const PATIENCE = { patience: 45_000 }

/** A queue over a database that takes each batch when the test says so. */
function scene() {
  const clock = new ManualClock()
  const statements: Deferred<object>[] = []
  const lease = { epoch: 1 }
  const connection = {
    query: async () => {
      const statement = deferred<object>()
      statements.push(statement)
      return { rows: [await statement.promise] }
    },
    end: async () => {},
  }
  const parts = {
    ...{ clock, name: 'journal', node: 'one' },
    database: { connect: async () => connection },
    fence: { isOwned: () => true, epochOf: () => lease.epoch },
  }
  const queue = new AppendQueue(parts as unknown as JournalParts, async () => {})
  let next = 1
  /** The database has taken the batch that it was given, of so many entries. */
  const takes = async (entries = 1): Promise<void> => {
    statements.shift()?.resolve({ first: String(next), stale: null })
    next += entries
    await immediate()
  }
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 100) {
      clock.advance(100)
      await immediate()
    }
  }
  const append = (more: Partial<NewEntry> = {}) => {
    const entry = { key: 'eq_1', type: 'state', name: 's', at: '2026-01-01T00:00:00.000Z', data: {} }
    const found: { value?: readonly Entry[] | Error } = {}
    queue.append([{ ...entry, ...more }]).then(
      (value) => Object.assign(found, { value }),
      (value: Error) => Object.assign(found, { value }),
    )
    return found
  }
  return { clock, queue, statements, lease, takes, pass, append }
}

test("a time in which the process stands still is not the database's", async () => {
  const { clock, queue, takes, pass, append } = scene()
  const one = append()
  await pass(500)
  clock.standStill(10_000)
  await pass(400)
  expect([one.value, queue.failure]).toEqual([undefined, undefined])
  await takes()
  expect(one.value).toMatchObject([{ seq: 1 }])
  const two = append()
  await pass(500)
  clock.standStill(10_000)
  await pass(3200)
  expect(two.value).toBeInstanceOf(Unsettled)
})

test('a call with a long patience waits for a slow database, in the batch and in the queue; the others are refused after 3 s', async () => {
  const { queue, statements, takes, pass, append } = scene()
  const [first, impatient] = [append(PATIENCE), append()]
  await pass(1000)
  const [second, third] = [append(PATIENCE), append()]
  await pass(2200)
  expect(impatient.value).toBeInstanceOf(Unsettled)
  expect(queue.failure).toBeInstanceOf(StoreUnavailable)
  await pass(6800)
  expect([first.value, second.value]).toEqual([undefined, undefined])
  expect(third.value).toBeInstanceOf(StoreUnavailable)
  expect(third.value).not.toBeInstanceOf(Unsettled)
  await takes(2)
  expect(first.value).toMatchObject([{ seq: 1 }])
  expect(await (impatient.value as Unsettled).settled).toMatchObject([{ seq: 2 }])
  await takes()
  expect([second.value, statements.length]).toMatchObject([[{ seq: 3 }], 0])
  expect(queue.failure).toBeUndefined()
})

test('a database that does not answer at all is not waited for after that', async () => {
  const { pass, append } = scene()
  const [first] = [append(PATIENCE), await pass(1000)]
  const second = append(PATIENCE)
  await pass(43_500)
  expect([first.value, second.value]).toEqual([undefined, undefined])
  await pass(4500)
  expect(first.value).toBeInstanceOf(Unsettled)
  expect(second.value).toBeInstanceOf(StoreUnavailable)
  expect(second.value).not.toBeInstanceOf(Unsettled)
})

test('what waited while another process had the key is not appended', async () => {
  const { lease, statements, takes, pass, append } = scene()
  const first = append(PATIENCE)
  await pass(100)
  const second = append(PATIENCE)
  // Another process has owned the key in between: our lease has a new epoch.
  lease.epoch = 3
  const third = append(PATIENCE)
  await takes()
  expect(first.value).toMatchObject([{ seq: 1 }])
  expect(second.value).toBeInstanceOf(NotOwner)
  await takes()
  expect([third.value, statements.length]).toMatchObject([[{ seq: 2 }], 0])
})
