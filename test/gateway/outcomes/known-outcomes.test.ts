import { expect, test } from 'vitest'
import { LateReplies } from '../../../src/gateway/outcomes/late-replies.js'
import { OpenTransactions } from '../../../src/gateway/outcomes/open-transactions.js'
import { OurReplies } from '../../../src/gateway/outcomes/our-replies.js'
import { Outcomes } from '../../../src/gateway/outcomes/outcomes.js'
import { MESSAGE_ENDED } from '../../../src/gateway/records/journal-kinds.js'
import { NOT_SENT_TOPIC } from '../../../src/gateway/records/message-topics.js'
import { RecordedMessage } from '../../../src/gateway/records/recorded-message.js'
import type { Entry, NewEntry } from '../../../src/store/entry.js'
import { numbered } from '../../../src/store/entry.js'
import { StoreUnavailable } from '../../../src/store/failure.js'
import { settle } from '../../support/gem-pair.js'
import { ManualClock } from '../../support/manual-clock.js'
import { MemoryJournal } from '../../support/memory-store.js'

const AT = '2026-01-01T00:00:00.000Z'

interface Given {
  fn?: number
  wait?: boolean
  systemBytes?: number
  direction?: 'sent' | 'received'
  replyTo?: number | null
  key?: string
}
/** A message: S1F1 with W-bit from the gateway unless something else is said. */
const message = ({
  fn = 1,
  wait = fn === 1,
  systemBytes = 42,
  direction = 'sent',
  replyTo = null,
  key = 'eq',
}: Given = {}) =>
  new RecordedMessage(
    { direction, equipmentId: key, replyTo },
    { sessionId: 0, stream: 1, function: fn, wait, systemBytes, body: new Uint8Array() },
  ).entry(AT)

const ended = (primary: number, outcome: string, more = {}): NewEntry => ({
  ...MESSAGE_ENDED,
  key: 'eq',
  at: AT,
  data: { message_id: String(primary), outcome, reply_id: null, latency_ms: null, s9: null, ...more },
})

/** The primary of a late S1F2 with these members, after these entries. */
async function lateAfter(entries: readonly NewEntry[], reply = {}, key = 'eq'): Promise<number | null> {
  const journal = new MemoryJournal()
  const late = new LateReplies(journal)
  await journal.appendAll(entries)
  return late.primaryOf(key, { stream: 1, function: 2, systemBytes: 42, ...reply })
}
const TIMED_OUT = [message(), ended(1, 'timed_out')]

test.each<[what: string, entries: NewEntry[], reply: object, key: string, primary: number | null]>([
  ['its reply', TIMED_OUT, {}, 'eq', 1],
  ['an abort', TIMED_OUT, { function: 0 }, 'eq', 1],
  ['another function', TIMED_OUT, { function: 4 }, 'eq', null],
  ['another stream', TIMED_OUT, { stream: 2 }, 'eq', null],
  ['other system bytes', TIMED_OUT, { systemBytes: 43 }, 'eq', null],
  ['other equipment', TIMED_OUT, {}, 'other', null],
  ['a reply to an open primary', [message()], {}, 'eq', null],
  ['a reply to one that was aborted', [message(), ended(1, 'aborted')], {}, 'eq', null],
  ['a reply to one without W-bit', [message({ wait: false }), ended(1, 'timed_out')], {}, 'eq', null],
  ['a reply to a reply', [message({ fn: 2, wait: true }), ended(1, 'timed_out')], {}, 'eq', null],
  ['a reply to what came', [message({ direction: 'received' }), ended(1, 'timed_out')], {}, 'eq', null],
  ['a second end', [message(), ended(1, 'replied'), ended(1, 'timed_out')], {}, 'eq', null],
  ['the last with these system bytes', [...TIMED_OUT, message(), ended(3, 'timed_out')], {}, 'eq', 3],
])('after T3 %s', async (_, entries, reply, key, primary) => {
  expect(await lateAfter(entries, reply, key)).toBe(primary)
})

test('the last thousand that timed out are remembered, by when they did', async () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, at) => [
      message({ systemBytes: at }),
      ended(2 * at + 1, 'timed_out'),
    ]).flat()
  const again = [message({ systemBytes: 0 }), ended(2001, 'timed_out')]
  expect(await lateAfter(many(1000), { systemBytes: 0 })).toBe(1)
  expect(await lateAfter(many(1001), { systemBytes: 0 })).toBeNull()
  expect(
    await lateAfter([...many(1000), ...again, message({ systemBytes: 7000 }), ended(2003, 'timed_out')], {
      systemBytes: 0,
    }),
  ).toBe(2001)
})

test('our replies to the last 16,384 primaries are known', () => {
  const replies = new OurReplies()
  replies.keep(5, numbered(message({ fn: 2 }), 8))
  replies.keep(6, numbered(message({ fn: 0 }), 9))
  expect([5, 6, 7].map((seq) => replies.of(seq))).toEqual([
    { outcome: 'replied', reply_id: '8' },
    { outcome: 'aborted', reply_id: '9' },
    undefined,
  ])
  replies.keep(5 + 16_384, numbered(message({ fn: 2 }), 20_000))
  expect([replies.of(5), replies.of(5 + 16_384)?.reply_id, replies.of(6)?.reply_id]).toEqual([
    undefined,
    '20000',
    '9',
  ])
})

test('primaries of ours are open until they end, also over a checkpoint', () => {
  const open = new OpenTransactions()
  const apply = (entry: NewEntry, seq: number) => open.apply(numbered(entry, seq))
  apply(message(), 1)
  apply(message({ wait: false }), 2)
  apply(message({ fn: 2, wait: true }), 3)
  apply(message({ key: 'other' }), 4)
  apply(message(), 5)
  apply(ended(1, 'replied'), 6)
  const again = new OpenTransactions()
  for (const line of structuredClone([...open.lines()])) again.load(line)
  for (const one of [open, again]) {
    expect(one.all()).toEqual([
      [4, 'other'],
      [5, 'eq'],
    ])
    expect([...one.pinned(), one.has(1), one.has(4)]).toEqual([4, 5, false, true])
  }
})

async function scene(owns = true) {
  const [journal, clock, open] = [new MemoryJournal(), new ManualClock(), new OpenTransactions()]
  await journal.attach([open])
  const outcomes = new Outcomes(journal, open, { clock, ownership: { owns: () => owns } })
  const of = async (...seqs: number[]) =>
    (await outcomes.of(seqs.map((seq) => journal.entries[seq - 1] as Entry))).map((ending) => ending?.outcome)
  return { journal, clock, outcomes, of }
}
const RECEIVED = message({ direction: 'received' })

test('primaries of ours are pending until they have an end; secondaries have none', async () => {
  const { journal, of } = await scene()
  await journal.appendAll([message(), message({ wait: false }), message({ fn: 2 }), message()])
  expect(await of(1, 2, 3, 4)).toEqual(['pending', 'not_expected', undefined, 'pending'])
  await journal.append(ended(1, 'timed_out'))
  expect(await of(1, 4)).toEqual(['timed_out', 'pending'])
})

test('primaries of equipment are pending until we reply, or will not', async () => {
  const { journal, of, outcomes } = await scene()
  await journal.appendAll([
    RECEIVED,
    RECEIVED,
    RECEIVED,
    message({ fn: 2, replyTo: 1 }),
    message({ fn: 0, replyTo: 2 }),
  ])
  expect(await of(1, 2, 3)).toEqual(['replied', 'aborted', 'pending'])
  outcomes.willHaveNoReply(3)
  outcomes.willHaveNoReply(1)
  expect(await of(1, 3)).toEqual(['replied', 'lost'])
  // It was recorded all the same.
  await journal.append(message({ fn: 2, replyTo: 3 }))
  expect(await of(3)).toEqual(['replied'])
})

test('a reply of this process is waited for ten minutes', async () => {
  const { journal, of, clock } = await scene()
  await journal.append(RECEIVED)
  clock.advance(10 * 60_000)
  expect(await of(1)).toEqual(['pending'])
  clock.advance(1)
  expect(await of(1)).toEqual(['lost'])
  expect(await of(1)).toEqual(['lost'])
})

test('a reply of another process is waited for five seconds after its primary', async () => {
  const { journal, of, clock, outcomes } = await scene(false)
  await journal.appendAll([RECEIVED, RECEIVED])
  outcomes.willHaveNoReply(1)
  clock.advance(4999)
  expect(await of(1)).toEqual(['pending'])
  await journal.append(message({ fn: 2, replyTo: 1 }))
  expect(await of(1, 2)).toEqual(['replied', 'pending'])
  clock.advance(1)
  await journal.append(RECEIVED)
  expect(await of(1, 2, 4)).toEqual(['replied', 'lost', 'pending'])
})

test('what was recorded before is read from the journal', async () => {
  const { journal } = await scene()
  await journal.appendAll([message(), ended(1, 'replied', { reply_id: '7', latency_ms: 3 }), RECEIVED])
  const [open, clock] = [new OpenTransactions(), new ManualClock()]
  const again = new Outcomes(journal, open, { clock, ownership: { owns: () => true } })
  const [first, third] = await again.of([journal.entries[0], journal.entries[2]] as Entry[])
  expect([first, third]).toMatchObject([
    { outcome: 'replied', reply_id: '7', latency_ms: 3 },
    { outcome: 'lost' },
  ])
})

test.each([
  ['is written when the store takes it', false],
  ['is not written where another process has ended it', true],
])('an end that could not be recorded %s', async (_, isEnded) => {
  const { journal, outcomes, clock } = await scene()
  await journal.append(message())
  outcomes.endLater(ended(1, 'lost'), new StoreUnavailable('no disk'))
  if (isEnded) await journal.append(ended(1, 'replied'))
  for (let second = 0; second < 120; second++) {
    clock.advance(1000)
    await settle()
  }
  const ends = journal.entries.filter(({ name }) => name === MESSAGE_ENDED.name)
  expect(ends.map(({ data }) => data['outcome'])).toEqual([isEnded ? 'replied' : 'lost'])
  outcomes.close()
  expect(clock.scheduled).toBe(0)
})

const neverLeft = (primary: number): NewEntry => ({ ...ended(primary, 'not_sent'), topic: NOT_SENT_TOPIC })

test.each([
  ['before', [neverLeft(1), ended(1, 'lost')]],
  ['after', [ended(1, 'lost'), neverLeft(1)]],
])(
  'who was to send a message knows that it never left: said %s another process ended it',
  async (_, ends) => {
    const journal = new MemoryJournal()
    const open = new OpenTransactions()
    await journal.attach([open])
    const world = { clock: new ManualClock(), ownership: { owns: () => true } }
    const outcomes = new Outcomes(journal, open, world)
    const entries = await journal.appendAll([message(), ...ends.slice(0, 1), message({ fn: 3, wait: true })])
    await journal.appendAll(ends.slice(1))
    const primaries = [entries[0], entries[2]] as Entry[]
    // As it was seen, and as another process reads it.
    for (const one of [outcomes, new Outcomes(journal, open, world)])
      expect(await one.of(primaries)).toEqual([{ outcome: 'not_sent' }, { outcome: 'pending' }])
  },
)

test('the end of a message that never left is owed also where another process has ended it', async () => {
  const journal = new MemoryJournal()
  const [open, clock] = [new OpenTransactions(), new ManualClock()]
  await journal.attach([open])
  const outcomes = new Outcomes(journal, open, { clock, ownership: { owns: () => true } })
  const [sent] = await journal.appendAll([message(), ended(1, 'lost')])
  outcomes.endLater(neverLeft(1), new StoreUnavailable('away'))
  outcomes.endLater(ended(1, 'lost'), new StoreUnavailable('away'))
  await settle()
  clock.advance(1000)
  await settle()
  expect(journal.entries).toHaveLength(3)
  expect(await outcomes.of([sent as Entry])).toEqual([{ outcome: 'not_sent' }])
})
