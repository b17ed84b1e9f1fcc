import { expect, onTestFinished, test } from 'vitest'
import { OwedEntries } from '../../src/gateway/owed-entries.js'
import type { Entry, NewEntry } from '../../src/store/entry.js'
import { NotOwner, StoreUnavailable, Unsettled } from '../../src/store/failure.js'
import { settle } from '../support/gem-pair.js'
import { ManualClock } from '../support/manual-clock.js'

const ENTRY: NewEntry = { key: 'eq_1', type: 't', name: 'n', at: '2026-01-01T00:00:00.000Z', data: {} }
const AWAY = new StoreUnavailable('away')
const unsettled = (entries: readonly Entry[] | undefined) => new Unsettled(AWAY, Promise.resolve(entries))

/** A store whose appends fail as given, then succeed; `done` tells how the owed entry ended. */
function scene(...failures: Error[]) {
  const clock = new ManualClock()
  let appends = 0
  const append = async (entry: NewEntry): Promise<Entry> => {
    appends++
    const failure = failures.shift()
    if (failure) throw failure
    return { ...entry, seq: 1 }
  }
  const owed = new OwedEntries({ append }, clock)
  const add = (isOwed?: () => boolean, failure?: Error) => {
    const found: { end?: string } = {}
    owed.add(ENTRY, isOwed, failure).then(
      () => Object.assign(found, { end: 'done' }),
      (error: Error) => Object.assign(found, { end: error.message }),
    )
    return found
  }
  const pass = async (ms: number) => {
    await settle()
    clock.advance(ms)
    await settle()
  }
  return { owed, add, pass, appends: () => appends }
}

test('an entry that the store does not take is tried again each second until it does', async () => {
  const { add, pass, appends } = scene(AWAY, unsettled(undefined))
  const found = add()
  await pass(0)
  expect(appends()).toBe(1)
  await pass(999)
  expect(appends()).toBe(1)
  await pass(1)
  expect([appends(), found.end]).toEqual([2, undefined])
  await pass(1000)
  expect([appends(), found.end]).toEqual([3, 'done'])
})

test('the first attempt may have failed before', async () => {
  const { add, pass, appends } = scene()
  const found = add(undefined, AWAY)
  await pass(999)
  expect(appends()).toBe(0)
  await pass(1)
  expect([appends(), found.end]).toEqual([1, 'done'])
})

test.each([
  ['another process owns', new NotOwner('other'), 'done'],
  ['is recorded after all', unsettled([]), 'done'],
  ['cannot be recorded', new TypeError('wrong'), 'wrong'],
])('an entry that %s is not tried again', async (_, failure, end) => {
  const { add, pass, appends } = scene(failure)
  const found = add()
  await pass(5000)
  expect([appends(), found.end]).toEqual([1, end])
})

test('nothing is recorded that is not owed any more, or once the gateway closes', async () => {
  const { owed, add, pass, appends } = scene(AWAY, AWAY, AWAY)
  let isOwed = true
  const [first, second] = [add(() => isOwed), add()]
  await pass(0)
  isOwed = false
  await pass(1000)
  expect([first.end, second.end, appends()]).toEqual(['done', undefined, 3])
  owed.close()
  await pass(0)
  expect([second.end, appends()]).toEqual(['done', 3])
})

test('any number of entries may wait at once, and all end when it is closed', async () => {
  const warnings: string[] = []
  const warned = ({ name }: Error): void => void warnings.push(name)
  process.on('warning', warned)
  onTestFinished(() => void process.off('warning', warned))
  const { owed, add, pass, appends } = scene()
  const found = Array.from({ length: 50 }, () => add(undefined, AWAY))
  await pass(0)
  owed.close()
  await pass(0)
  await new Promise(setImmediate)
  expect(found.map(({ end }) => end)).toEqual(Array(50).fill('done'))
  expect([appends(), warnings]).toEqual([0, []])
})
