import { expect, test, vi } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import { JournaledEvents } from '../../../src/gateway/events/event-log.js'
import { plainReading } from '../../../src/gateway/records/reading.js'
import type { Producer } from '../../../src/gateway/sinks/kinds/kind.js'
import { SinkDelivery } from '../../../src/gateway/sinks/sink-delivery.js'
import { SinkMessages } from '../../../src/gateway/sinks/sink-messages.js'
import type { SinkRecord } from '../../../src/gateway/sinks/sink-record.js'
import { settle } from '../../support/gem-pair.js'
import { ManualClock } from '../../support/manual-clock.js'
import { MemoryJournal } from '../../support/memory-store.js'
import { entryOf, outMessage } from './open-sinks.js'

const RECORD = {
  id: 'snk_1',
  types: null,
  names: null,
  format: 'event',
  position: 0,
  dead: [],
} as unknown as SinkRecord

/** A sink whose target responds to nothing until a call is aborted, or `end` does. */
function hanging(change: Partial<SinkRecord> = {}, isDeaf = false) {
  const [journal, clock] = [new MemoryJournal(), new ManualClock()]
  const readingOf = () => plainReading(STANDARD_CATALOGUE)
  const events = new JournaledEvents(journal, readingOf)
  const sent: string[] = []
  const target = { end: () => {}, isClosed: false }
  const producer: Producer = {
    maxMessages: 10,
    send: (messages, signal) =>
      new Promise((resolve, reject) => {
        sent.push(...messages.map(({ id }) => id))
        target.end = () => resolve(undefined)
        if (!isDeaf) signal.addEventListener('abort', () => reject(new Error('aborted')))
      }),
    close: async () => {
      target.isClosed = true
    },
  }
  const stored: SinkRecord[] = []
  const run = new SinkDelivery(
    { ...RECORD, ...change },
    {
      ...{ clock, journal, producer, equipment: { entries: {} }, random: () => 0 },
      messages: new SinkMessages({ journalId: 'j', journal, events, readingOf, clock }),
      store: async (record) => void stored.push(record),
    },
  )
  return { run, clock, journal, sent, stored, target }
}

test('a delivery that waits for a test when the sink is stopped is not taken for one that succeeded', async () => {
  const { run, journal, sent, stored } = hanging()
  const trial = run.trial(outMessage(0), new AbortController().signal)
  await settle()
  await journal.append(entryOf('eq_a', 1))
  await settle()
  await run.stop()
  expect(await trial).toMatchObject({ detail: 'aborted' })
  expect([sent, run.tally.delivered, run.record.position, stored]).toEqual([['j-0'], 0, 0, []])
})

test('a test that waits for a delivery when the sink is stopped was not accepted', async () => {
  const { run, journal, sent } = hanging()
  await journal.append(entryOf('eq_a', 1))
  await settle()
  const trial = run.trial(outMessage(0), new AbortController().signal)
  await settle()
  await run.stop()
  expect(await trial).toMatchObject({ isPermanent: false })
  expect([sent, run.record.position]).toEqual([['j-1'], 0])
})

test('a target that never ends its call is left when the sink stops: nothing of it is stored any more', async () => {
  const { run, clock, journal, sent, stored, target } = hanging({}, true)
  await journal.append(entryOf('eq_a', 1))
  await settle()
  let isStopped = false
  const stopped = run.stop().then(() => {
    isStopped = true
  })
  clock.advance(8999)
  await settle()
  expect(isStopped).toBe(false)
  clock.advance(1)
  await stopped
  expect([run.record.position, target.isClosed]).toEqual([0, false])
  await journal.append(entryOf('eq_a', 2))
  target.end()
  await settle()
  clock.advance(60_000)
  await settle()
  expect([sent, stored, target.isClosed, clock.scheduled]).toEqual([['j-1'], [], true, 0])
})

test('entries of other kinds are passed over without a search', async () => {
  const { run, journal, sent } = hanging({ types: ['alarm'] })
  await settle()
  const searched = vi.spyOn(journal, 'read')
  for (const count of [1, 2]) await journal.append(entryOf('eq_a', count, 'link', 'link_state'))
  await settle()
  expect([run.record.position, searched.mock.calls.length]).toEqual([2, 0])
  await journal.append(entryOf('eq_a', 3))
  await settle()
  expect(sent).toEqual(['j-3'])
  await run.stop()
})
