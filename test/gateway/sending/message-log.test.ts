import { expect, test, vi } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import type { MessageQuery, NewMessage } from '../../../src/contract/topics/messages.js'
import { OpenTransactions } from '../../../src/gateway/outcomes/open-transactions.js'
import { Outcomes } from '../../../src/gateway/outcomes/outcomes.js'
import { MESSAGE_ENDED } from '../../../src/gateway/records/journal-kinds.js'
import { plainReading } from '../../../src/gateway/records/reading.js'
import { RecordedMessage } from '../../../src/gateway/records/recorded-message.js'
import { JournaledMessages } from '../../../src/gateway/sending/message-log.js'
import { jsonParts } from '../../../src/kit/text/json-parts.js'
import { encodeBody } from '../../../src/secs2/encode.js'
import { B, type Item, L, U4 } from '../../../src/secs2/item.js'
import type { Entry, NewEntry } from '../../../src/store/entry.js'
import { ManualClock } from '../../support/manual-clock.js'
import { MemoryJournal } from '../../support/memory-store.js'
import { entryOf } from '../sinks/open-sinks.js'

const AT = '2026-01-01T00:00:00.000Z'
type Direction = 'sent' | 'received'
const message = (
  direction: Direction,
  stream: number,
  fn: number,
  {
    wait = false,
    replyTo = null as number | null,
    key = 'eq',
    item = undefined as Item | undefined,
    isWithHost = false,
  } = {},
) =>
  new RecordedMessage(
    { direction, equipmentId: key, replyTo, isWithHost },
    { sessionId: 0, stream, function: fn, wait, systemBytes: 9, body: encodeBody(item) },
  ).entry(AT)
const ended = (primary: number, outcome: string): NewEntry => ({
  ...{ ...MESSAGE_ENDED, key: 'eq', at: AT },
  data: { message_id: String(primary), outcome, reply_id: null, latency_ms: null, s9: null },
})

async function scene(entries: readonly NewEntry[] = [], sent: object = {}) {
  const [journal, clock, open] = [new MemoryJournal(), new ManualClock(), new OpenTransactions()]
  await journal.attach([open])
  const outcomes = new Outcomes(journal, open, { clock, ownership: { owns: () => true } })
  await journal.appendAll(entries)
  const primaries: Record<string, unknown>[] = []
  let read = { ...plainReading(STANDARD_CATALOGUE), name: 'etcher' }
  const reading = () => read
  const session = {
    ...{ reading, signs: '', lineNoise: null, host: {}, current: () => ({ id: 'eq', name: 'etcher' }) },
    send: async (primary: Record<string, unknown>) => {
      primaries.push(primary)
      return {
        sent: journal.entries[0],
        ended: Promise.resolve({ ending: { outcome: 'replied' }, outcome: undefined, left: true, ...sent }),
      }
    },
  }
  const registry = { session: () => session, readingOf: reading }
  const messages = new JournaledMessages(journal, outcomes, registry as never)
  const rename = () => {
    read = { ...read, name: 'etcher-2' }
  }
  return { messages, primaries, journal, rename }
}

const ENTRIES = [
  message('sent', 1, 3, { wait: true }),
  message('received', 1, 4, { replyTo: 1 }),
  ended(1, 'replied'),
  message('received', 6, 11, { key: 'other' }),
  message('sent', 1, 1, { wait: true }),
  ended(5, 'timed_out'),
  message('sent', 9, 5, { item: B(0, 0, 0x86, 11, 0, 0, 0, 0, 0, 9) }),
  entryOf('eq', 0),
]

test.each<[query: object, found: string]>([
  [{}, '7 5 4 2 1'],
  [{ order: 'asc', limit: 2 }, '1 2'],
  [{ direction: 'sent' }, '7 5 1'],
  [{ direction: 'received' }, '4 2'],
  [{ stream: 1 }, '5 2 1'],
  [{ function: 11 }, '4'],
  [{ stream: 1, function: 4 }, '2'],
  [{ stream: 6, function: 4 }, ''],
  [{ equipment_id: 'other' }, '4'],
  [{ outcome: ['timed_out'] }, '5'],
  [{ outcome: ['timed_out', 'replied'], stream: 1 }, '5 1'],
  [{ outcome: ['not_expected'], direction: 'sent' }, '7'],
])('%j lists the messages %s', async (query, found) => {
  const { messages } = await scene(ENTRIES)
  const { items } = await messages.list(query as MessageQuery)
  expect(items.map(({ id }) => id).join(' ')).toBe(found)
})

test.each<[query: object, found: string]>([
  [{ from_side: 'host' }, '2'],
  [{ to_side: 'host' }, '3'],
  [{ from_side: 'equipment' }, '4 3'],
  [{ from_side: 'gateway', stream: 1 }, '1'],
  [{ to_side: 'gateway' }, '4'],
  [{ from_side: 'host', to_side: 'gateway' }, ''],
])('of tapped equipment %j lists the messages %s', async (query, found) => {
  const { messages } = await scene([
    message('sent', 1, 1),
    message('sent', 2, 41, { isWithHost: true }),
    message('received', 2, 42, { isWithHost: true, replyTo: 2 }),
    message('received', 1, 2, { replyTo: 1 }),
  ])
  const { items } = await messages.list(query as MessageQuery)
  expect(items.map(({ id }) => id).join(' ')).toBe(found)
  expect(await messages.get('2')).toMatchObject({ direction: 'sent', from: 'host', to: 'equipment' })
})

test('a message is shown with its end, and what it is about', async () => {
  const { messages } = await scene(ENTRIES)
  expect(await messages.get('1')).toMatchObject({
    stream: 1,
    function: 3,
    outcome: 'replied',
    equipment_name: 'etcher',
  })
  expect(await messages.get('7')).toMatchObject({ about: { stream: 6, function: 11, message_id: null } })
  expect(await messages.get('1')).not.toHaveProperty('about')
  expect((await messages.list({ limit: 1 })).items).toMatchObject([{ outcome: 'not_expected' }])
})

test.each<[query: object, found: string, after: number]>([
  [{ outcome: ['pending'] }, '11 9', 8],
  [{ outcome: ['pending'], order: 'asc', limit: 1 }, '9', 8],
  [{ outcome: ['pending', 'lost'] }, '11 9', 0],
  [{ outcome: ['pending', 'timed_out'] }, '11 9 5', 0],
])('%j lists the messages %s, and reads none before the oldest that waits', async (query, found, after) => {
  const { messages, journal } = await scene([
    ...ENTRIES,
    message('received', 6, 11, { wait: true }),
    message('received', 6, 12),
    message('sent', 1, 1, { wait: true }),
  ])
  const read = vi.spyOn(journal, 'read')
  const { items } = await messages.list(query as MessageQuery)
  expect(items.map(({ id }) => id).join(' ')).toBe(found)
  expect(read.mock.calls.map(([{ after: from = 0 }]) => from)).toEqual([after])
})

test('where no message waits, none is read', async () => {
  const { messages } = await scene(ENTRIES)
  expect(await messages.list({ outcome: ['pending'] })).toEqual({ items: [], next_cursor: null })
})

type Scene = Awaited<ReturnType<typeof scene>>

test.each<[what: string, next: (scene: Scene) => unknown, isMadeAnew: boolean]>([
  ['other messages came', ({ journal }) => journal.append(message('received', 6, 11)), false],
  ['it ended', ({ journal }) => journal.append(ended(1, 'timed_out')), true],
  ['identifiers may have got names', ({ journal }) => journal.append(message('received', 1, 12)), true],
  ['its equipment has another name', ({ rename }) => rename(), true],
])('a message of a list is viewed anew only where it is shown otherwise: %s', async (_, next, isMadeAnew) => {
  const one = await scene([message('sent', 1, 3, { wait: true, item: B(1) })])
  const first = async () => (await one.messages.list({ order: 'asc', limit: 1 })).items[0]
  const before = await first()
  expect(await first()).toBe(before)
  await next(one)
  expect((await first()) !== before).toBe(isMadeAnew)
  expect(JSON.parse(JSON.stringify(await first()))).toEqual(
    JSON.parse(JSON.stringify(await one.messages.get('1'))),
  )
})

test.each([11 * 1024, 16 * 1024])(
  'a message of %i bytes comes in parts by its id as in a list',
  async (length) => {
    const { messages } = await scene([message('received', 6, 11, { item: B(...Buffer.alloc(length, 7)) })])
    const [listed] = (await messages.list({})).items
    const partsOf = (value: unknown) => [...jsonParts(value)]
    expect(partsOf(await messages.get('1')).length > 10).toBe(length > 12 * 1024)
    expect(partsOf(await messages.get('1')).join('')).toBe(partsOf(listed).join(''))
  },
)

test('a message is shown with its bytes where they are asked for', async () => {
  const { messages } = await scene([message('sent', 9, 5, { item: B(1, 0) }), message('received', 1, 4)])
  expect(await messages.get('1', { raw: true })).toMatchObject({ raw: '21020100' })
  expect(await messages.get('2', { raw: true })).toMatchObject({ raw: '' })
  expect((await messages.get('1')).raw).toBeUndefined()
})

test('a primary that the equipment refused says by which message', async () => {
  const report = message('received', 9, 5, { item: B(0, 0, 1, 1, 0, 0, 0, 0, 0, 9) })
  const { messages } = await scene([message('sent', 1, 1), report])
  expect(await messages.get('1')).toMatchObject({ s9: 'S9F5', reply_id: '2' })
})

test('a long message comes in parts also with its bytes, and with the message by which it was refused', async () => {
  const bytes = Buffer.alloc(16 * 1024, 7)
  const report = message('received', 9, 5, { item: B(0, 0, 1, 1, 0, 0, 0, 0, 0, 9) })
  const { messages } = await scene([message('sent', 1, 1, { item: B(...bytes) }), report])
  const shown = await messages.get('1', { raw: true })
  const parts = [...jsonParts(shown)]
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(30_000)
  const raw = `224000${bytes.toString('hex')}`
  expect(JSON.parse(parts.join(''))).toMatchObject({ raw, s9: 'S9F5', reply_id: '2', direction: 'sent' })
  expect(shown.raw).toBe(raw)
})

test.each(['8', '3', '99', 'x', '1x', 'x1', '-1', '1'.repeat(16)])('%s is no message', async (id) => {
  const { messages } = await scene(ENTRIES)
  await expect(messages.get(id)).rejects.toMatchObject({
    ...{ code: 'message_not_found', extra: { next: [{ operation: 'listMessages' }] } },
  })
})

const S1F3: NewMessage = { stream: 1, function: 3, data: { SVID: ['7'] } }

test('a message is sent for its caller, and shown with its reply', async () => {
  const reply = { ...message('received', 1, 4, { replyTo: 1 }), seq: 2 } as Entry
  const { messages, primaries } = await scene(ENTRIES.slice(0, 2), { reply })
  const sent: unknown[] = []
  const options = { timeout: 0.2504, sentBy: 'ada', onSent: ({ seq }: Entry) => void sent.push(seq) }
  const { result, waited } = await messages.send('eq', S1F3, options as never)
  expect(waited).toBe(true)
  expect(result).toMatchObject({ message: { id: '1', outcome: 'replied' }, reply: { id: '2', function: 4 } })
  expect(primaries).toMatchObject([{ stream: 1, function: 3, wait: true, t3: 250, sentBy: 'ada' }])
  expect(sent).toEqual([1])
})

test.each<[what: string, stream: number, fn: number, acknowledgement: object | undefined]>([
  ['that may carry a code is read in steps', 2, 42, { item: 'HCACK', code: 0 }],
  ['that carries none is not read', 1, 4, undefined],
])('a long reply %s', async (_, stream, fn, acknowledgement) => {
  const item = L(B(0), { format: 'L', items: Array.from({ length: 100_000 }, () => U4(7)) })
  const reply = { ...message('received', stream, fn, { replyTo: 1, item }), seq: 2 } as Entry
  const { messages } = await scene(ENTRIES.slice(0, 2), { reply })
  const atOnce = vi.spyOn(RecordedMessage.prototype, 'decoded', 'get')
  const { result } = await messages.send('eq', S1F3)
  expect(atOnce.mock.contexts).not.toContain(reply.data)
  atOnce.mockRestore()
  expect(result.acknowledgement).toEqual(acknowledgement && expect.objectContaining(acknowledgement))
})

test.each<[what: string, given: object, waited: boolean, t3: unknown]>([
  ['that waits for a reply', {}, true, undefined],
  ['that does not wait', { wait_for_reply: false }, false, undefined],
])('a call %s', async (_, given, waited, t3) => {
  const { messages, primaries } = await scene([message('sent', 1, 3, { wait: true })])
  const told = await messages.send('eq', { ...S1F3, ...given })
  expect([told.waited, told.result.reply]).toEqual([waited, null])
  expect(told.result.message.outcome).toBe(waited ? 'replied' : 'pending')
  expect(primaries[0]?.['t3']).toBe(t3)
})

test('a message without W-bit is not waited for', async () => {
  const { messages } = await scene([message('sent', 9, 1)])
  const { sent, ended: end } = await messages.transact('eq', {
    stream: 9,
    function: 1,
    body: { B: Array(10).fill(0) },
  })
  expect([sent.seq, end]).toEqual([1, undefined])
})

test('who does not wait is told of no failure', async () => {
  const lost = { outcome: { kind: 'lost' } }
  const { messages } = await scene([message('sent', 1, 3, { wait: true })], lost)
  expect((await messages.transact('eq', { ...S1F3, wait_for_reply: false })).ended).toBeUndefined()
  await expect(messages.transact('eq', S1F3)).rejects.toMatchObject({ code: 'connection_lost' })
})
