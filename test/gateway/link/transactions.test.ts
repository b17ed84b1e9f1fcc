import { expect, test } from 'vitest'
import {
  exchangeOf,
  type NotSent,
  type Outgoing,
  Transactions,
} from '../../../src/gateway/link/transactions.js'
import { RecordedMessage } from '../../../src/gateway/records/recorded-message.js'
import type { DataMessage } from '../../../src/hsms/message.js'
import type { Outcome } from '../../../src/hsms/outcome.js'
import { Signal } from '../../../src/kit/signal.js'
import { encodeBody } from '../../../src/secs2/encode.js'
import { A, L } from '../../../src/secs2/item.js'
import { type EntryNumber, type NewEntry, numbered } from '../../../src/store/entry.js'
import { NotOwner, StoreUnavailable, Unsettled } from '../../../src/store/failure.js'
import { settle } from '../../support/gem-pair.js'
import { ManualClock } from '../../support/manual-clock.js'
import { MemoryJournal } from '../../support/memory-store.js'

const AT = '2026-01-01T00:00:00.000Z'
const S1F1: Outgoing = { stream: 1, function: 1, wait: true, item: undefined, body: new Uint8Array() }
const wireOf = (stream: number, fn: number, wait = false): DataMessage => ({
  ...{ sessionId: 0, stream, function: fn, wait, systemBytes: 9, body: encodeBody(L(A('x'))) },
})
const S1F2 = wireOf(1, 2)

/** A driver with room for one transaction; `end` ends the last request. */
function scene() {
  const [clock, journal] = [new ManualClock(), new MemoryJournal()]
  const driver = {
    ...{
      state: 'SELECTED',
      settings: { maxMessageLength: 110 },
      open: 0,
      most: 1,
      unsent: 0,
      t3: undefined as unknown,
    },
    changed: new Signal<{ to: string }>(),
    sent: [] as number[],
    reserve: () => (driver.open++ < driver.most ? 42 : undefined),
    release: (systemBytes: number) => {
      expect(systemBytes).toBe(42)
      driver.open = 0
    },
    send: ({ stream }: DataMessage) => driver.sent.push(stream),
    request: (message: DataMessage, t3: unknown, onEnd: (outcome: Outcome | NotSent) => void) => {
      driver.sent.push(message.stream)
      Object.assign(driver, { t3, end: onEnd })
    },
    end: (_: Outcome | NotSent) => {},
  }
  const noted: unknown[] = []
  const note = (what: string) => (value: unknown) =>
    void noted.push(value === undefined ? what : `${what} ${value}`)
  const health = { timedOut: note('timed out'), rejected: note('rejected'), replied: note('replied') }
  const held = { bytes: 0 }
  const intake = {
    hold: (bytes: number) => {
      held.bytes += bytes
    },
    release: (bytes: number) => {
      held.bytes -= bytes
    },
  }
  const later: NewEntry[] = []
  const outcomes = { endLater: (end: NewEntry) => void later.push(end) }
  const equipment = { id: 'eq', device_id: 7 }
  const world = { journal, clock, outcomes } as never
  const transactions = new Transactions(equipment, driver as never, health as never, intake as never, world)
  const names = () => journal.entries.map(({ name }) => name)
  return { transactions, driver, journal, clock, noted, held, later, names }
}

test('a primary is on disk before it is sent, and its end and its reply follow', async () => {
  const { transactions, driver, journal, clock, noted, held } = scene()
  const replied: unknown[] = []
  transactions.replied.on((reply) => replied.push(reply.topic))
  const begun = transactions.begin({ ...S1F1, sentBy: 'ada', traceparent: 'trace', t3: 250 })
  expect(driver.sent).toEqual([])
  const { sent, ended } = await begun
  expect([driver.sent, driver.t3]).toEqual([[1], 250])
  expect(sent).toMatchObject({ name: 'message_sent', key: 'eq', at: AT })
  expect(JSON.parse(JSON.stringify(sent.data))).toMatchObject({
    session_id: 7,
    system_bytes: 42,
    sent_by: 'ada',
  })
  clock.advance(12.3456)
  driver.end({ kind: 'replied', reply: S1F2 })
  expect([replied, noted, held.bytes]).toEqual([['S1F2'], ['replied 12.346'], S1F2.body.length])
  const ending = { outcome: 'replied', reply_id: '2', latency_ms: 12.346 }
  const { reply, ...rest } = await ended
  expect(rest).toEqual({ ending, left: true, outcome: { kind: 'replied', reply: S1F2 } })
  expect(reply).toBe(journal.entries[1])
  expect(journal.entries.slice(1)).toMatchObject([
    { name: 'message_received', data: { traceparent: 'trace', replyTo: 1 } },
    { name: 'message_ended', data: { message_id: '1', s9: null, ...ending, traceparent: 'trace' } },
  ])
  await settle()
  expect(held.bytes).toBe(0)
})

test('long primaries are refused while as many bytes have not left, so that the link is not given up', async () => {
  const { transactions, driver } = scene()
  const MIB = 1024 * 1024
  Object.assign(driver, { most: 64, settings: { maxMessageLength: 16 * MIB + 10 } })
  const send = (length: number) => transactions.begin({ ...S1F1, wait: false, body: new Uint8Array(length) })
  // While they are being recorded.
  const begun = await Promise.allSettled(Array.from({ length: 12 }, () => send(4 * MIB)))
  expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
  expect(begun.at(-1)).toMatchObject({ reason: { code: 'equipment_busy' } })
  // While the peer does not read.
  driver.unsent = MIB
  await expect(send(16 * MIB)).rejects.toMatchObject({ code: 'equipment_busy' })
  await send(15 * MIB)
  driver.unsent = 0
  await send(16 * MIB)
})

test('a time in which this process stood still is not that of the equipment', async () => {
  const { transactions, driver, clock, noted } = scene()
  const { ended } = await transactions.begin(S1F1)
  clock.advance(300)
  clock.standStill(60_000)
  clock.advance(100)
  driver.end({ kind: 'replied', reply: S1F2 })
  const [said] = noted
  expect(Number(String(said).replace('replied ', ''))).toBeLessThan(1000)
  // What is recorded is the time between the two messages.
  expect((await ended).ending).toMatchObject({ outcome: 'replied', latency_ms: 60_400 })
  expect(clock.scheduled).toBe(0)
})

const S9F5 = wireOf(9, 5, false)

test.each<[outcome: Outcome, t3: number | undefined, ending: object, noted: string[]]>([
  [{ kind: 'timed_out' }, undefined, { outcome: 'timed_out' }, ['timed out t3']],
  [{ kind: 'timed_out' }, 100, { outcome: 'timed_out' }, []],
  [{ kind: 'rejected', reason: 4 }, undefined, { outcome: 'rejected' }, ['rejected']],
  [{ kind: 'lost' }, undefined, { outcome: 'lost' }, []],
  [
    { kind: 'aborted', reply: wireOf(1, 0) },
    undefined,
    { outcome: 'aborted', reply_id: '2', latency_ms: 0 },
    ['replied 0'],
  ],
  [
    { kind: 'error', reply: wireOf(1, 4) },
    undefined,
    { outcome: 'error', reply_id: '2', latency_ms: 0 },
    ['replied 0'],
  ],
  [{ kind: 'error', reply: S9F5 }, undefined, { outcome: 'error', s9: 'S9F5' }, ['replied 0']],
])('a primary that ends as %j', async (outcome, t3, ending, noted) => {
  const { transactions, driver, journal, noted: said } = scene()
  const replied: unknown[] = []
  transactions.replied.on((reply) => replied.push(reply))
  const { ended } = await transactions.begin({ ...S1F1, t3 })
  driver.end(outcome)
  expect(await ended).toMatchObject({ ending, left: true, outcome })
  const end = { outcome: '', reply_id: null, latency_ms: null, s9: null, message_id: '1', ...ending }
  expect(journal.entries.at(-1)?.data).toEqual(end)
  expect((await ended).ending).toEqual(ending)
  expect([said, replied]).toEqual([noted, []])
})

test('a primary without W-bit has ended when it is sent', async () => {
  const { transactions, driver, names } = scene()
  const { ended } = await transactions.begin({ ...S1F1, wait: false })
  expect(driver.sent).toEqual([1])
  expect(await ended).toEqual({
    ...{ ending: { outcome: 'not_expected' }, left: true, reply: undefined, outcome: undefined },
  })
  expect(names()).toEqual(['message_sent'])
})

test.each([
  [100, undefined],
  [101, 'invalid_message'],
])('a body of %i bytes on a link for 100: %s', async (length, code) => {
  const begun = scene().transactions.begin({ ...S1F1, body: new Uint8Array(length) })
  if (code === undefined) await begun
  else await expect(begun).rejects.toMatchObject({ code })
})

test('where too many are open, nothing is recorded', async () => {
  const { transactions, names } = scene()
  await transactions.begin(S1F1)
  await expect(transactions.begin(S1F1)).rejects.toMatchObject({ code: 'equipment_busy' })
  expect(names()).toEqual(['message_sent'])
})

test.each<
  [what: string, meanwhile: (driver: ReturnType<typeof scene>['driver']) => unknown, isSent: boolean]
>([
  ['nothing happens', () => {}, true],
  ['the link is lost', (driver) => Object.assign(driver, { state: 'NOT_CONNECTED' }), false],
  ['another connection is selected', (driver) => driver.changed.emit({ to: 'SELECTED' }), false],
  ['the link changes otherwise', (driver) => driver.changed.emit({ to: 'NOT_SELECTED' }), true],
])('while a primary is recorded %s', async (_, meanwhile, isSent) => {
  const { transactions, driver, journal } = scene()
  const begun = transactions.begin(S1F1)
  meanwhile(driver)
  const { ended } = await begun
  expect([driver.sent.length > 0, driver.open > 0]).toEqual([isSent, isSent])
  if (isSent) return
  expect(await ended).toMatchObject({
    ending: { outcome: 'not_sent' },
    left: false,
    outcome: { kind: 'lost' },
  })
  expect(journal.entries.at(-1)?.data).toMatchObject({ message_id: '1', outcome: 'not_sent' })
})

/** A call and a request whose entries are in the batch of the message. */
function callers() {
  const numbers: EntryNumber[] = []
  const settled: unknown[] = []
  const noting = (number: EntryNumber): NewEntry[] => {
    numbers.push(number)
    return [{ key: '', type: 'audit', name: 'x', at: AT, data: {} }]
  }
  const call = { noting, settles: (one: unknown) => void settled.push(one) }
  const request = { noting, notSent: () => void settled.push('not sent') }
  return { outgoing: { ...S1F1, call, request } as unknown as Outgoing, numbers, settled }
}

test('who sends a message, and for which request, is recorded with it', async () => {
  const { transactions, names } = scene()
  const { outgoing, numbers, settled } = callers()
  await transactions.begin(outgoing)
  expect([names(), numbers.map(({ seq }) => seq), settled]).toEqual([['message_sent', 'x', 'x'], [1, 1], []])
})

test('a primary that the store refuses is not sent, and its request knows', async () => {
  const { transactions, journal, driver } = scene()
  const { outgoing, settled } = callers()
  journal.failure = new StoreUnavailable('no disk')
  await expect(transactions.begin(outgoing)).rejects.toBe(journal.failure)
  expect([driver.sent, driver.open, settled]).toEqual([[], 0, ['not sent']])
})

test.each([true, false])(
  'a primary that is recorded too late is not sent, and ends where it is recorded: %s',
  async (isRecorded) => {
    const { transactions, journal, driver, names } = scene()
    const { outgoing, settled } = callers()
    const appendAll = journal.appendAll.bind(journal)
    let late = Promise.resolve<Awaited<ReturnType<typeof appendAll>> | undefined>(undefined)
    journal.appendAll = async (entries) => {
      journal.appendAll = appendAll
      if (isRecorded) late = appendAll(entries)
      throw new Unsettled(new Error('slow'), late)
    }
    await expect(transactions.begin(outgoing)).rejects.toBeInstanceOf(Unsettled)
    await settle()
    expect([driver.sent, settled]).toEqual([[], ['not sent', late]])
    expect(names()).toEqual(isRecorded ? ['message_sent', 'x', 'x', 'message_ended'] : [])
    if (isRecorded) expect(journal.entries.at(-1)?.data).toMatchObject({ outcome: 'not_sent' })
  },
)

test.each<[error: Error, later: object[]]>([
  [new NotOwner('eq'), []],
  [new StoreUnavailable('no disk'), [{ name: 'message_ended', data: { outcome: 'lost', latency_ms: null } }]],
])('a reply that cannot be recorded did not come: %o', async (error, later) => {
  const { transactions, journal, driver, held, later: kept } = scene()
  const { ended } = await transactions.begin(S1F1)
  journal.failure = error
  driver.end({ kind: 'replied', reply: S1F2 })
  if (later.length === 0)
    expect(await ended).toEqual({
      ...{ ending: { outcome: 'lost' }, left: true, reply: undefined, outcome: { kind: 'lost' } },
    })
  else await expect(ended).rejects.toBe(error)
  expect(kept).toMatchObject(later)
  await settle()
  expect(held.bytes).toBe(0)
})

test('an end that cannot be recorded of a primary that was not sent says so later', async () => {
  const { transactions, journal, driver, later } = scene()
  const appendAll = journal.appendAll.bind(journal)
  journal.appendAll = async (entries) => {
    const made = await appendAll(entries)
    journal.failure = new StoreUnavailable('no disk')
    return made
  }
  const begun = transactions.begin(S1F1)
  driver.state = 'NOT_CONNECTED'
  const { ended } = await begun
  await expect(ended).rejects.toBe(journal.failure)
  expect(later).toMatchObject([{ data: { outcome: 'not_sent' } }])
})

const replyOf = (body: Uint8Array) => {
  const message = new RecordedMessage({ direction: 'received', equipmentId: 'eq' }, { ...S1F2, body })
  return numbered(message.entry(AT), 2)
}
const LONG = encodeBody(A('x'.repeat(256 * 1024 - 3)))

test.each<[what: string, ended: object, exchange: object]>([
  ['without W-bit', { outcome: undefined }, { kind: 'lost' }],
  ['lost', { outcome: { kind: 'lost' } }, { kind: 'lost' }],
  ['timed out', { outcome: { kind: 'timed_out' } }, { kind: 'timed_out' }],
  ['rejected', { outcome: { kind: 'rejected', reason: 1 } }, { kind: 'rejected', reason: 1 }],
  ['aborted', { outcome: { kind: 'aborted' } }, { kind: 'aborted' }],
  ['ended by another reply', { outcome: { kind: 'error' } }, { kind: 'error' }],
  ['replied without a record', { outcome: { kind: 'replied' } }, { kind: 'error' }],
  ['replied', { reply: replyOf(encodeBody(A('x'))) }, { kind: 'replied', item: A('x') }],
  ['replied by no SECS-II', { reply: replyOf(Uint8Array.of(0xff)) }, { kind: 'error', unreadable: true }],
  ['replied at length, which is not decoded', { reply: replyOf(LONG) }, { kind: 'replied', item: undefined }],
  ['replied shorter', { reply: replyOf(LONG.subarray(0, -1)) }, { kind: 'error', unreadable: true }],
])('in terms of GEM a primary %s', (_, ended, exchange) => {
  const end = { outcome: { kind: 'replied' }, reply: undefined, ...ended }
  expect(exchangeOf(end as never)).toEqual(exchange)
})

test('a primary is not_sent where another process became the owner while it was recorded', async () => {
  const { transactions, journal, driver } = scene()
  const { outgoing, settled } = callers()
  const appendAll = journal.appendAll.bind(journal)
  const ends: (readonly NewEntry[])[] = []
  journal.appendAll = async (entries) => {
    journal.appendAll = (end) => {
      ends.push(end)
      return appendAll(end)
    }
    throw new NotOwner('eq', await appendAll(entries))
  }
  await expect(transactions.begin(outgoing)).rejects.toBeInstanceOf(NotOwner)
  await settle()
  expect([driver.sent, settled[0]]).toEqual([[], 'not sent'])
  expect(journal.entries.at(-1)).toMatchObject({ data: { message_id: '1', outcome: 'not_sent' } })
  // The store takes it also where another process has the equipment.
  expect(ends).toMatchObject([[{ byAnyone: true }]])
})

test('a tap knows that a primary has not left: it was not sent, and its request may be repeated', async () => {
  const { transactions, driver, journal } = scene()
  const { outgoing, settled } = callers()
  const { ended } = await transactions.begin(outgoing)
  driver.end({ kind: 'not_sent' })
  expect(await ended).toMatchObject({ left: false, outcome: { kind: 'lost' } })
  expect(journal.entries.at(-1)?.data).toMatchObject({ outcome: 'not_sent' })
  expect(settled).toEqual(['not sent'])
})

test('a request whose message did not leave with its connection may be repeated', async () => {
  const { transactions, driver } = scene()
  const { outgoing, settled } = callers()
  const begun = transactions.begin(outgoing)
  driver.state = 'NOT_CONNECTED'
  expect(await (await begun).ended).toMatchObject({ left: false })
  expect(settled).toEqual(['not sent'])
})
