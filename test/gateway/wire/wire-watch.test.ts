import { expect, test } from 'vitest'
import type { Passed } from '../../../src/gateway/wire/wire-reader.js'
import { WireWatch } from '../../../src/gateway/wire/wire-watch.js'
import type { WireRecord } from '../../../src/hsms/capture/wire.js'
import { Signal } from '../../../src/kit/signal.js'
import { ManualClock } from '../../support/manual-clock.js'

const BEGIN_MS = Date.UTC(2026, 0, 1)
const CLOSED: WireRecord = { kind: 'closed', detail: 'separated' }

/** A signal that counts its listeners. */
function wireOf(endpoints?: { local: string; remote: string }) {
  const signal = new Signal<WireRecord>()
  const counted = { listeners: 0 }
  const wire = {
    emit: (record: WireRecord) => signal.emit(record),
    on: (listener: (record: WireRecord) => void) => {
      const unsubscribe = signal.on(listener)
      counted.listeners += 1
      return () => {
        unsubscribe()
        counted.listeners -= 1
      }
    },
  }
  return { wire: wire as never as Signal<WireRecord>, endpoints, counted }
}

/** The records that a reader of `watch` has got, once it has ended. */
async function all(reading: AsyncIterable<Passed>): Promise<Passed[]> {
  const records: Passed[] = []
  for await (const record of reading) records.push(record)
  return records
}

test('the wire is listened to once while somebody reads, also on another connection', () => {
  const [first, second] = [wireOf(), wireOf()]
  const watch = new WireWatch(first, new ManualClock())
  const listeners = () => [first.counted.listeners, second.counted.listeners]
  const readers = [new AbortController(), new AbortController(), new AbortController()] as const
  expect(listeners()).toEqual([0, 0])
  watch.watch(readers[0].signal)
  watch.watch(readers[1].signal)
  expect(listeners()).toEqual([1, 0])
  watch.moveTo(second)
  expect(listeners()).toEqual([0, 1])
  readers[0].abort()
  expect(listeners()).toEqual([0, 1])
  readers[1].abort()
  expect(listeners()).toEqual([0, 0])
  watch.moveTo(first)
  expect(listeners()).toEqual([0, 0])
  watch.watch(readers[2].signal)
  expect(listeners()).toEqual([1, 0])
  watch.watch(readers[1].signal)
  readers[2].abort()
  expect(listeners()).toEqual([0, 0])
})

test('a reader that is gone before it begins does not listen', async () => {
  const { wire, endpoints, counted } = wireOf()
  const watch = new WireWatch({ wire, endpoints }, new ManualClock())
  expect(await all(watch.watch(AbortSignal.abort()))).toEqual([])
  expect(counted.listeners).toBe(0)
})

test('each reader gets what comes while it reads, from the connection that there is then', async () => {
  const [first, second] = [wireOf({ local: 'a:1', remote: 'b:2' }), wireOf({ local: 'c:3', remote: 'd:4' })]
  const watch = new WireWatch(first, new ManualClock())
  const early = watch.watch(new AbortController().signal)
  first.wire.emit(CLOSED)
  watch.moveTo(second)
  const late = watch.watch(new AbortController().signal)
  first.wire.emit(CLOSED)
  second.wire.emit({ kind: 'closed', detail: 'again' })
  watch.end()
  expect((await all(early)).map(({ kind }) => kind)).toEqual(['state', 'closed', 'closed'])
  expect(await all(late)).toMatchObject([{ endpoints: second.endpoints }, { detail: 'again' }])
})

test('the time of a record is in microseconds, and follows a date that jumps by more than half a second', async () => {
  const clock = new ManualClock()
  let jumped = 0
  const { date } = clock
  clock.date = () => new Date(date.call(clock).getTime() + jumped)
  const { wire, endpoints, counted } = wireOf({ local: 'a:1', remote: 'b:2' })
  clock.advance(1000)
  const watch = new WireWatch({ wire, endpoints }, clock)
  const reading = watch.watch(new AbortController().signal)
  expect(counted.listeners).toBe(1)
  for (const jump of [0, 500, 501, -700]) {
    jumped = jump
    clock.advance(0.25)
    wire.emit(CLOSED)
  }
  watch.end()
  const records = await all(reading)
  expect(records[0]).toMatchObject({ kind: 'state', lost: 0, endpoints })
  const ms = records.map(({ at }) => at / 1000 - BEGIN_MS)
  // A date has whole milliseconds; within half a second the clock's own time goes on.
  expect(ms).toEqual([1000, 1000.25, 1000.5, 1501, 301])
})
