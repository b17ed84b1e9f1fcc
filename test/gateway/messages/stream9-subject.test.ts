import { expect, test } from 'vitest'
import { stream9About, stream9Subject } from '../../../src/gateway/messages/stream9-subject.js'
import { RecordedMessage } from '../../../src/gateway/records/recorded-message.js'
import { encodeBody } from '../../../src/secs2/encode.js'
import { B, type Item, L } from '../../../src/secs2/item.js'
import type { Entry, NewEntry } from '../../../src/store/entry.js'
import { MemoryJournal } from '../../support/memory-store.js'

const AT = '2026-01-01T00:00:00.000Z'

interface Given {
  direction?: 'sent' | 'received'
  stream?: number
  fn?: number
  wait?: boolean
  systemBytes?: number
  item?: Item
  key?: string
}
/** An S1F3 of the gateway without W-bit, with the system bytes 9, unless something else is said. */
const message = ({
  direction = 'sent',
  stream = 1,
  fn = 3,
  wait = false,
  systemBytes = 9,
  item,
  key = 'eq',
}: Given = {}): NewEntry =>
  new RecordedMessage(
    { direction, equipmentId: key },
    { sessionId: 0, stream, function: fn, wait, systemBytes, body: encodeBody(item) },
  ).entry(AT)

/** MHEAD of an S1F3 with W-bit. */
const mhead = (session: number, systemBytes = 9) =>
  B(session >> 8, session & 0xff, 0x81, 3, 0, 0, 0, 0, 0, systemBytes)
const report = (fn = 5, item: Item = mhead(7), more: Given = {}) =>
  message({ direction: 'received', stream: 9, fn, item, ...more })

async function journalOf(...entries: NewEntry[]) {
  const journal = new MemoryJournal()
  await journal.appendAll(entries)
  return journal
}
const lastOf = (journal: MemoryJournal) => journal.entries.at(-1) as Entry

test.each<[what: string, before: NewEntry[], last: NewEntry, id: string | null]>([
  ['the message that it is about', [message()], report(), '1'],
  ['the last of several', [message(), message()], report(), '2'],
  ['none with other system bytes', [message({ systemBytes: 8 })], report(), null],
  ['none of another function', [message({ fn: 5 })], report(), null],
  ['none of other equipment', [message({ key: 'other' })], report(), null],
  ['none that came', [message({ direction: 'received' })], report(), null],
  ['for S9F9 what came', [message(), message({ direction: 'received' })], report(9), '2'],
  [
    'for what we sent what came',
    [message({ direction: 'received' })],
    report(5, mhead(7), { direction: 'sent' }),
    '1',
  ],
  ['for an S9F9 of ours what we sent', [message()], report(9, mhead(7), { direction: 'sent' }), '1'],
])('the subject of a stream 9 message is %s', async (_, before, last, id) => {
  const journal = await journalOf(...before, last)
  expect(await stream9Subject(lastOf(journal), journal)).toEqual({
    ...{ session_id: 7, device_id: 7, stream: 1, function: 3, w_bit: true, system_bytes: 9, message_id: id },
  })
})

test.each([
  [0x8007, 7],
  [0xffff, null],
  [0x7fff, 0x7fff],
])('of the session ID %i the device ID is %s', async (session, device) => {
  const journal = await journalOf(report(5, mhead(session)))
  expect(await stream9Subject(lastOf(journal), journal)).toMatchObject({
    session_id: session,
    device_id: device,
  })
})

test.each([
  ['a message of another stream', message({ stream: 8, item: mhead(7) })],
  ['a header that is too short', report(5, B(1, 2))],
  ['a body that is too long', report(5, B(...Array(12).fill(0)))],
  ['no header', report(5, L())],
])('%s has no subject', async (_, last) => {
  const journal = await journalOf(last)
  expect(await stream9Subject(lastOf(journal), journal)).toBeUndefined()
})

test.each<[what: string, sent: NewEntry, after: NewEntry[], found: object | undefined]>([
  ['is refused', message(), [report()], { reply_id: '2', s9: 'S9F5' }],
  [
    'is refused, after others',
    message(),
    [report(5, mhead(7, 8)), message(), report(3)],
    { reply_id: '4', s9: 'S9F3' },
  ],
  ['is not refused', message(), [], undefined],
  ['is of another stream', message({ stream: 2 }), [report()], undefined],
  ['has a W-bit', message({ wait: true }), [report()], undefined],
  ['is a reply', message({ fn: 4 }), [report()], undefined],
  ['is of the equipment', message({ direction: 'received' }), [report()], undefined],
  ['has timed out there', message(), [report(9)], undefined],
  ['gets a report that is too long', message(), [report(5, L(mhead(7), mhead(7)))], undefined],
  [
    'is followed by a report of other equipment',
    message(),
    [report(5, mhead(7), { key: 'other' })],
    undefined,
  ],
])('what is about a primary that %s', async (_, sent, after, found) => {
  const journal = await journalOf(sent, ...after)
  expect(await stream9About(journal.entries[0] as Entry, journal)).toEqual(found)
})
