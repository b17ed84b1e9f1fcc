import { expect, test } from 'vitest'
import { type EndedByHost, TapRecorder } from '../../../src/gateway/tap/tap-recorder.js'
import type { DataMessage } from '../../../src/hsms/message.js'
import { ManualClock } from '../../support/manual-clock.js'
import { MemoryJournal } from '../../support/memory-store.js'
import { turns } from '../../support/until.js'

const T3_MS = 45_000
const S1F1: DataMessage = {
  ...{ sessionId: 0, stream: 1, function: 1, wait: true, systemBytes: 9, body: new Uint8Array() },
}
const S1F2: DataMessage = { ...S1F1, function: 2, wait: false }

/** The record of a tap, and how the primaries of the host ended. */
function scene(unload: object = { receive: () => false }) {
  const [clock, journal] = [new ManualClock(), new MemoryJournal()]
  const never = (): never => {
    throw new Error('not expected')
  }
  const recorder = new TapRecorder(
    'eq',
    never,
    { add: never } as never,
    unload as never,
    { journal, clock, outcomes: {}, alarms: {} } as never,
    () => T3_MS,
  )
  const ended: Pick<EndedByHost, 'outcome' | 'latency'>[] = []
  recorder.ended.on(({ outcome, latency }) => ended.push({ outcome, latency }))
  return { clock, journal, recorder, ended }
}

test('a time in which this process stood still is not that of tapped equipment', async () => {
  const { clock, journal, recorder, ended } = scene()
  recorder.take('host', S1F1, 0)
  clock.standStill(T3_MS + 1000)
  recorder.take('equipment', S1F2, 0)
  expect(ended).toEqual([{ outcome: 'replied', latency: 500 }])
  await recorder.recorded()
  // What is recorded is the time between the two messages.
  expect(journal.entries.at(-1)?.data).toMatchObject({ outcome: 'replied', latency_ms: T3_MS + 1000 })
  expect(clock.scheduled).toBe(0)
})

test('a reply that came while this process stood still is read before T3 ends', async () => {
  const { clock, recorder, ended } = scene()
  recorder.take('host', S1F1, 0)
  clock.standStill(T3_MS + 1000)
  clock.advance(0)
  recorder.take('equipment', S1F2, 0)
  await turns()
  expect(ended).toMatchObject([{ outcome: 'replied' }])
  recorder.take('host', S1F1, 0)
  clock.advance(T3_MS)
  expect(ended).toMatchObject([{ outcome: 'replied' }, { outcome: 'timed_out', latency: T3_MS }])
  expect(clock.scheduled).toBe(0)
})

test('the reply of the host to a message that may be spooled tells that the next one may come now', async () => {
  const unload = {
    isSpooled: true,
    replies: 0,
    receive: () => unload.isSpooled,
    acknowledged: () => unload.replies++,
  }
  const { recorder } = scene(unload)
  const event: DataMessage = { ...S1F1, stream: 6, function: 11 }
  const reply: DataMessage = { ...event, function: 12, wait: false }
  for (const isSpooled of [true, false]) {
    unload.isSpooled = isSpooled
    recorder.take('equipment', event, 0)
    expect(unload.replies).toBe(isSpooled ? 0 : 1)
    recorder.take('host', reply, 0)
  }
  expect(unload.replies).toBe(1)
  await recorder.recorded()
})
