import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import { JournaledEvents } from '../../../src/gateway/events/event-log.js'
import { IDENTITY } from '../../../src/gateway/records/journal-kinds.js'
import { plainReading } from '../../../src/gateway/records/reading.js'
import { file } from '../../../src/gateway/sinks/kinds/file.js'
import type { OutMessage, Producer, Rejection } from '../../../src/gateway/sinks/kinds/kind.js'
import { SinkDelivery } from '../../../src/gateway/sinks/sink-delivery.js'
import { SinkMessages } from '../../../src/gateway/sinks/sink-messages.js'
import { MAX_DEAD, type SinkRecord } from '../../../src/gateway/sinks/sink-record.js'
import type { Entry } from '../../../src/store/entry.js'
import type { JournalQuery } from '../../../src/store/journal.js'
import { ManualClock } from '../../support/manual-clock.js'
import { RetainedJournal } from '../../support/memory-store.js'
import { until } from '../../support/until.js'
import { entryOf, outMessage, sinkWorld } from './open-sinks.js'

const NOW = '2026-01-01T00:00:00.000Z'
const RECORD: SinkRecord = {
  id: 'snk_1',
  name: 'mes',
  kind: 'webhook',
  equipment: null,
  label_selector: null,
  types: null,
  names: null,
  format: 'event',
  secret: null,
  paused: false,
  position: 0,
  dead: [],
  created_at: NOW,
  updated_at: NOW,
}
const deadLetter = (seq: number) => ({ seq, reason: 'it responded with 400', at: NOW, retrying: false })

/** A sink over a target that answers as the test says, in time that the test moves. */
function running(
  answer: (messages: readonly OutMessage[]) => Rejection | undefined,
  { record = RECORD, journal = new RetainedJournal(), maxMessages = 1, followsIdentities = false } = {},
) {
  const clock = new ManualClock()
  const readingOf = () => plainReading(STANDARD_CATALOGUE)
  const events = new JournaledEvents(journal, readingOf)
  const sent: OutMessage[] = []
  const stored: SinkRecord[] = []
  let failure: Error | undefined
  const producer: Producer = {
    maxMessages,
    followsIdentities,
    async send(messages) {
      sent.push(...messages)
      return answer(messages)
    },
    async close() {},
  }
  const run = new SinkDelivery(record, {
    clock,
    journal,
    producer,
    messages: new SinkMessages({ journalId: 'j', journal, events, readingOf, clock }),
    equipment: { entries: {} },
    store: async (changed) => {
      if (failure) throw failure
      stored.push(changed)
    },
    random: () => 1,
  })
  onTestFinished(() => run.stop())
  const failWith = (error: Error | undefined) => {
    failure = error
  }
  return { run, clock, journal, sent, stored, failWith }
}

const settled = async () => {
  for (let turn = 0; turn < 50; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
}
const withEntries = async (count: number, journal = new RetainedJournal()) => {
  for (let n = 1; n <= count; n++) await journal.append(entryOf('eq_a', n))
  return journal
}
const ids = (sent: readonly OutMessage[]) => sent.map(({ id }) => id)

test('with 1,000 dead letters a sink delivers nothing more and loses nothing, until some are dropped', async () => {
  const journal = await withEntries(1003)
  const dead = Array.from({ length: MAX_DEAD - 1 }, (_, at) => deadLetter(at + 1))
  const rejected: Rejection = { isPermanent: true, detail: 'it responded with 400' }
  let isMended = false
  const { run, clock, sent } = running(() => (isMended ? undefined : rejected), {
    record: { ...RECORD, position: MAX_DEAD - 1, dead },
    journal,
    maxMessages: 10,
  })
  for (let minute = 0; minute < 10 && run.record.dead.length < MAX_DEAD; minute++) {
    await settled()
    clock.advance(60_000)
  }
  expect(run.record.dead).toHaveLength(MAX_DEAD)
  expect(run.record.position).toBe(1000)
  isMended = true
  sent.length = 0
  await journal.append(entryOf('eq_a', 1004))
  clock.advance(600_000)
  run.hurry()
  await settled()
  expect(sent).toEqual([])
  expect(run.record).toMatchObject({ position: 1000, dead: { length: MAX_DEAD } })
  await run.changeDead((letters) => letters.slice(1))
  await until(() => run.record.position === 1004)
  expect(ids(sent)).toEqual(['j-1001', 'j-1002', 'j-1003', 'j-1004'])
})

test('a retried dead letter that is rejected again leaves the sink blocked', async () => {
  const journal = await withEntries(1002)
  const dead = Array.from({ length: MAX_DEAD }, (_, at) => deadLetter(at + 1))
  const { run, clock, sent } = running(() => ({ isPermanent: true, detail: 'it responded with 400' }), {
    record: { ...RECORD, position: MAX_DEAD, dead },
    journal,
  })
  await run.changeDead((letters) => letters.map((one) => ({ ...one, retrying: one.seq === 5 })))
  const isRetrying = (): boolean => run.record.dead.some(({ retrying }) => retrying)
  for (let minute = 0; minute < 10 && isRetrying(); minute++) {
    await settled()
    clock.advance(60_000)
  }
  expect(isRetrying()).toBe(false)
  expect(new Set(ids(sent))).toEqual(new Set(['j-5']))
  expect(run.record).toMatchObject({ position: MAX_DEAD, dead: { length: MAX_DEAD } })
})

test('what retention removes during a read is a gap, and nothing is passed over', async () => {
  class Removing extends RetainedJournal {
    isRemoving = true

    override async query(query: JournalQuery): Promise<readonly Entry[]> {
      const found = await super.query(query)
      if (!this.isRemoving) return found
      this.isRemoving = false
      this.removeBefore(4)
      return found.filter(({ seq }) => seq >= 4)
    }
  }
  const journal = new Removing()
  await withEntries(5, journal)
  const { run, sent } = running(() => undefined, { journal })
  await until(() => run.record.position === 5)
  expect(ids(sent)).toEqual(['j-1..3', 'j-4', 'j-5'])
})

const REJECTED: Rejection = { isPermanent: true, detail: 'it responded with 400' }
const FAILED: Rejection = { isPermanent: false, detail: 'it responded with 500' }

test('a message is a dead letter once it was rejected for good three times, whatever else failed before', async () => {
  const answers = [FAILED, FAILED, FAILED, REJECTED, REJECTED, undefined, REJECTED, REJECTED, REJECTED]
  const { run, clock, sent } = running(() => answers.shift(), { journal: await withEntries(2) })
  for (let minute = 0; minute < 20 && run.record.position < 2; minute++) {
    await settled()
    clock.advance(60_000)
  }
  expect(ids(sent)).toEqual([...Array(6).fill('j-1'), ...Array(3).fill('j-2')])
  expect(run.record.dead).toMatchObject([{ seq: 2, reason: 'it responded with 400' }])
  expect(run).toMatchObject({ tally: { delivered: 1 }, lastError: { attempts: 3, retry_at: null } })
})

test('the message of several that is rejected is found at once, and the others are delivered', async () => {
  const calls: string[] = []
  let failures = 1
  const answer = (messages: readonly OutMessage[]) => {
    calls.push(ids(messages).join(' '))
    if (failures-- > 0) return FAILED
    return messages.some(({ id }) => id === 'j-3') ? REJECTED : undefined
  }
  const { run, clock } = running(answer, { journal: await withEntries(4), maxMessages: 4 })
  for (let minute = 0; minute < 20 && run.record.position < 4; minute++) {
    await settled()
    clock.advance(60_000)
  }
  const all = 'j-1 j-2 j-3 j-4'
  expect(calls).toEqual([all, all, 'j-1 j-2', 'j-3 j-4', 'j-3', 'j-3', 'j-3', 'j-4'])
  expect(run.record.dead.map(({ seq }) => seq)).toEqual([3])
  expect(run.tally.delivered).toBe(3)
})

test('a change of identity is passed to a target that follows them, and is not counted as a message', async () => {
  const journal = await withEntries(1)
  const change = entryOf('eq_a', 2, IDENTITY.type, IDENTITY.name)
  await journal.append({ ...change, topic: IDENTITY.topic, data: { before: null } })
  await withEntries(1, journal)
  for (const [followsIdentities, expected] of [
    [true, ['j-1', 'j-2', 'j-3']],
    [false, ['j-1', 'j-3']],
  ] as const) {
    const { run, sent } = running(() => undefined, { journal, maxMessages: 4, followsIdentities })
    await until(() => run.record.position === 3)
    expect([ids(sent), run.tally.delivered]).toEqual([expected, 2])
  }
})

test('a Retry-After is waited for, five minutes at most', async () => {
  for (const [asked, wait] of [
    [120_000, 120_000],
    [3_600_000, 300_000],
  ] as const) {
    let answers = 0
    const journal = await withEntries(1)
    const { run, clock, sent } = running(
      () => (answers++ === 0 ? { isPermanent: false, detail: 'busy', retryAfter: asked } : undefined),
      { journal },
    )
    await until(() => run.lastError !== null)
    clock.advance(wait - 1)
    await settled()
    expect(sent).toHaveLength(1)
    clock.advance(1)
    await until(() => sent.length === 2)
  }
})

test('the position is stored within a second of a delivery, and again where the store refused it', async () => {
  const journal = await withEntries(1)
  const { run, clock, stored, failWith } = running(() => undefined, { journal })
  await until(() => run.record.position === 1)
  clock.advance(999)
  await settled()
  expect(stored).toEqual([])
  clock.advance(1)
  await until(() => stored.at(-1)?.position === 1)
  failWith(new Error('away'))
  await journal.append(entryOf('eq_a', 2))
  await until(() => run.record.position === 2)
  clock.advance(1000)
  await settled()
  failWith(undefined)
  clock.advance(1000)
  await until(() => stored.at(-1)?.position === 2)
})

test('a file that was opened again has the size that it has: it is renamed when it is due', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sink-size-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const record = { ...RECORD, kind: 'file' as const, file: { file: 'out.ndjson', max_bytes: 65_536 } }
  const never = new AbortController().signal
  const line = (n: number, length: number) => outMessage(n, { n, more: 'x'.repeat(length) })
  const first = file(record, sinkWorld({ folder }))
  await first.send([line(1, 40_000)], never)
  await first.close()
  // Bytes of a line that was cut short do not count.
  appendFileSync(join(folder, 'out.ndjson'), 'x'.repeat(30_000))
  const again = file(record, sinkWorld({ folder }))
  onTestFinished(() => again.close())
  await again.send([line(2, 20_000)], never)
  expect(readdirSync(folder)).toEqual(['out.ndjson'])
  await again.send([line(3, 10_000)], never)
  expect(readdirSync(folder).sort()).toEqual(['out.ndjson', 'out.ndjson.1'])
})
