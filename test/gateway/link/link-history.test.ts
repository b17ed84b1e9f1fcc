import { expect, test } from 'vitest'
import { LinkHistory } from '../../../src/gateway/link/link-history.js'
import { deferred } from '../../../src/kit/deferred.js'
import { StoreUnavailable, Unsettled } from '../../../src/store/failure.js'
import { settle } from '../../support/gem-pair.js'
import { ManualClock } from '../../support/manual-clock.js'
import { HeldJournal } from '../../support/memory-store.js'

const FAULT = { code: 'connection_refused', detail: 'nothing listens there' } as const

function scene() {
  const [journal, clock] = [new HeldJournal(), new ManualClock()]
  const history = new LinkHistory('eq_1', journal, clock)
  return { journal, clock, history, fail: () => history.attemptFailed(FAULT, 3, 'CONNECTING') }
}

test('of attempts that fail one is recorded in ten minutes, and the first of each start and after each connection', async () => {
  const { journal, clock, history, fail } = scene()
  const recorded = async () => {
    await history.recorded()
    return journal.entries.filter(({ name }) => name === 'attempt_failed').length
  }
  fail()
  fail()
  expect(await recorded()).toBe(1)
  clock.advance(10 * 60_000 - 1)
  fail()
  expect(await recorded()).toBe(1)
  clock.advance(1)
  fail()
  expect(await recorded()).toBe(2)
  history.start()
  fail()
  expect(await recorded()).toBe(3)
  history.connectionChanged({ from: 'CONNECTING', to: 'NOT_SELECTED', cause: 'connected' } as never)
  fail()
  expect(await recorded()).toBe(3)
  history.connectionChanged({ from: 'NOT_SELECTED', to: 'SELECTED', cause: 'selected' } as never)
  fail()
  expect(await recorded()).toBe(4)
})

test('a change is recorded with its cause, and with the fault where there was one', async () => {
  const { journal, history, fail } = scene()
  history.connectionChanged({ from: 'NOT_SELECTED', to: 'SELECTED', cause: 'selected' } as never)
  history.connectionChanged({ from: 'SELECTED', to: 'NOT_CONNECTED', cause: 'lost', fault: FAULT } as never)
  fail()
  await history.recorded()
  expect(journal.entries.map(({ name, data, at }) => [name, data, at])).toEqual(
    [
      ['selected', { from: 'NOT_SELECTED', to: 'SELECTED', cause: 'selected' }],
      ['disconnected', { from: 'SELECTED', to: 'NOT_CONNECTED', cause: 'lost', error: FAULT }],
      [
        'attempt_failed',
        { from: 'CONNECTING', to: 'CONNECTING', cause: FAULT.code, attempts: 3, error: FAULT },
      ],
    ].map((one) => [...one, '2026-01-01T00:00:00.000Z']),
  )
})

test('a disk that fails is no error here', async () => {
  const { journal, history, fail } = scene()
  journal.failure = new Error('full')
  fail()
  await expect(history.recorded()).resolves.toBeUndefined()
})

test('changes that the store does not take are recorded in their order once it does', async () => {
  const { journal, clock, history, fail } = scene()
  const names = () => journal.entries.map(({ name }) => name)
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms)
    await settle()
  }
  journal.failure = new StoreUnavailable('away')
  history.connectionChanged({ from: 'SELECTED', to: 'NOT_CONNECTED', cause: 'lost', fault: FAULT } as never)
  fail()
  await settle()
  history.connectionChanged({ from: 'CONNECTING', to: 'NOT_SELECTED', cause: 'connected' } as never)
  await pass(5000)
  journal.failure = undefined
  history.connectionChanged({ from: 'NOT_SELECTED', to: 'SELECTED', cause: 'selected' } as never)
  await pass(1000)
  await pass(1000)
  expect(names()).toEqual(['disconnected', 'attempt_failed', 'connected', 'selected'])
  fail()
  await settle()
  expect([names().at(-1), clock.scheduled]).toEqual(['attempt_failed', 0])
})

test('who waits for changes to be recorded does so for 3 s, and one that ends tries no more', async () => {
  const { journal, clock, history, fail } = scene()
  journal.failure = new StoreUnavailable('away')
  fail()
  let isOver = false
  const ended = history.end().then(() => {
    isOver = true
  })
  for (const [ms, over] of [
    [2999, false],
    [1, true],
  ] as const) {
    clock.advance(ms)
    await settle()
    expect(isOver).toBe(over)
  }
  await ended
  journal.failure = undefined
  clock.advance(60_000)
  await settle()
  expect([journal.entries, clock.scheduled]).toEqual([[], 0])
})

test('a change that the store may have taken goes before the next one, which it has not', async () => {
  const { journal, clock, history } = scene()
  const settled = deferred<undefined>()
  const failures = [new Unsettled(new Error('slow'), settled.promise), new StoreUnavailable('away')]
  const appendAll = journal.appendAll.bind(journal)
  journal.appendAll = async (entries) => {
    const failure = failures.shift()
    if (failure) throw failure
    return appendAll(entries)
  }
  history.connectionChanged({ from: 'SELECTED', to: 'NOT_CONNECTED', cause: 'lost', fault: FAULT } as never)
  history.connectionChanged({ from: 'CONNECTING', to: 'NOT_SELECTED', cause: 'connected' } as never)
  await settle()
  clock.advance(5000)
  await settle()
  expect(journal.entries).toEqual([])
  settled.resolve(undefined)
  await settle()
  clock.advance(1000)
  await settle()
  expect(journal.entries.map(({ name }) => name)).toEqual(['disconnected', 'connected'])
})
