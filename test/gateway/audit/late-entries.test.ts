import { expect, test } from 'vitest'
import { LateEntries } from '../../../src/gateway/audit/late-entries.js'
import { deferred } from '../../../src/kit/deferred.js'
import type { Entry, NewEntry } from '../../../src/store/entry.js'
import { Unsettled } from '../../../src/store/failure.js'
import type { Journal } from '../../../src/store/journal.js'
import { settle } from '../../support/gem-pair.js'
import { ManualClock } from '../../support/manual-clock.js'

const entry = (n: number, type = 't'): NewEntry => ({
  key: 'k',
  type,
  name: 'n',
  at: '2026-01-01T00:00:00.000Z',
  data: { n },
})

/** A store that takes nothing while `isAway`; `written` has the numbers of each append. */
function scene() {
  const clock = new ManualClock()
  const store = {
    isAway: false,
    tries: 0,
    written: [] as unknown[][],
    gate: undefined as Promise<void> | undefined,
  }
  const appendAll = async (entries: readonly NewEntry[]) => {
    store.tries++
    await store.gate
    if (store.isAway) throw new Error('away')
    store.written.push(entries.map(({ data }) => data['n']))
    return []
  }
  const late = new LateEntries({ appendAll } as unknown as Journal, clock)
  const pass = async (ms: number) => {
    clock.advance(ms)
    await settle()
  }
  return { late, store, pass, clock }
}

test('entries of 50 ms are written together', async () => {
  const { late, store, pass } = scene()
  late.add(entry(1))
  await pass(49)
  late.add(entry(2))
  expect(store.tries).toBe(0)
  await pass(1)
  expect(store.written).toEqual([[1, 2]])
  late.add(entry(3))
  await pass(50)
  expect(store.written).toEqual([[1, 2], [3]])
})

test('something can be added to an entry until it is written', async () => {
  const { late, pass } = scene()
  late.add(entry(1), 'one')
  expect([late.about('one'), late.about('other')]).toEqual([entry(1), undefined])
  await pass(50)
  expect(late.about('one')).toBeUndefined()
})

test('what the store does not take is tried again after 1 s, before what came later', async () => {
  const { late, store, pass } = scene()
  store.isAway = true
  late.add(entry(1))
  await pass(50)
  late.add(entry(2))
  store.isAway = false
  await pass(999)
  expect([store.tries, store.written]).toEqual([1, []])
  await pass(1)
  expect(store.written).toEqual([[1, 2]])
})

test('of what cannot be written the last 10,000 are kept', async () => {
  const { late, store, pass } = scene()
  store.isAway = true
  for (let n = 0; n < 10_001; n++) late.add(entry(n))
  await pass(50)
  store.isAway = false
  await pass(1000)
  expect([store.written[0]?.length, store.written[0]?.[0]]).toEqual([10_000, 1])
})

test('entries that are dropped while they are written are not tried again', async () => {
  const { late, store, pass } = scene()
  const failing = deferred<void>()
  store.gate = failing.promise
  late.add(entry(1))
  late.add(entry(2, 'other'))
  await pass(50)
  late.drop('other')
  store.gate = undefined
  failing.reject(new Error('away'))
  await pass(0)
  await pass(1000)
  expect(store.written).toEqual([[1]])
})

test.each([
  [true, []],
  [false, [[1]]],
])(
  'entries of which it is not known whether they are recorded are written again if not: %s',
  async (isRecorded, written) => {
    const { late, store, pass } = scene()
    const settled = deferred<readonly Entry[] | undefined>()
    store.gate = Promise.reject(new Unsettled(new Error('slow'), settled.promise))
    late.add(entry(1))
    await pass(50)
    store.gate = undefined
    late.add(entry(2))
    await pass(2000)
    expect(store.written).toEqual([[2]])
    settled.resolve(isRecorded ? [] : undefined)
    await pass(0)
    await pass(1000)
    expect(store.written.slice(1)).toEqual(written)
  },
)

test('entries of a type are dropped, and the last are written when it is closed, with one attempt', async () => {
  const { late, store, pass, clock } = scene()
  late.add(entry(1))
  late.add(entry(2, 'other'))
  late.drop('other')
  await late.close()
  expect([store.written, clock.scheduled]).toEqual([[[1]], 0])
  const away = scene()
  away.store.isAway = true
  away.late.add(entry(1))
  await away.late.close()
  await away.pass(10_000)
  expect([away.store.tries, away.clock.scheduled]).toEqual([1, 0])
  await pass(0)
})
