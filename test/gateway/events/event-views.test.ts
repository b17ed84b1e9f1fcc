import { expect, test } from 'vitest'
import { STANDARD_CATALOGUE } from '../../../src/catalogue/standard-catalogue.js'
import { EventViews } from '../../../src/gateway/events/event-views.js'
import { MESSAGE_ENDED } from '../../../src/gateway/records/journal-kinds.js'
import { plainReading } from '../../../src/gateway/records/reading.js'
import { RecordedMessage } from '../../../src/gateway/records/recorded-message.js'
import { encodeBody } from '../../../src/secs2/encode.js'
import { A } from '../../../src/secs2/item.js'
import type { Entry, NewEntry } from '../../../src/store/entry.js'
import { MemoryJournal } from '../../support/memory-store.js'
import { entryOf } from '../sinks/open-sinks.js'

const AT = '2026-01-01T00:00:00.000Z'
const message = (stream: number, fn: number, text = '', key = 'eq'): NewEntry =>
  new RecordedMessage(
    { direction: 'received', equipmentId: key },
    { sessionId: 0, stream, function: fn, wait: true, systemBytes: 1, body: encodeBody(A(text)) },
  ).entry(AT)

/** A journal with one entry, its event, and whether it is made anew now. */
async function scene(entry: NewEntry) {
  const journal = new MemoryJournal()
  let reading = { ...plainReading(STANDARD_CATALOGUE), name: 'etcher' }
  const views = new EventViews(journal, () => reading)
  await journal.append(entry)
  const [first] = journal.entries as [Entry]
  const event = views.of(first)
  return {
    ...{ journal, views, first, event },
    isMadeAnew: () => views.of(first) !== event,
    rename: () => {
      reading = { ...reading, name: 'etcher-2' }
    },
  }
}

test('an event is an entry with the name of its equipment', async () => {
  const { event } = await scene(entryOf('eq', 0))
  expect(event).toEqual({
    ...{ id: '1', type: 'alarm', name: 'alarm_set', equipment_id: 'eq', equipment_name: 'etcher', at: AT },
    data: { n: 0 },
  })
})

test('the event of a message has the message, as it was when it came', async () => {
  const { event } = await scene(message(1, 1, 'x'))
  expect(event).toMatchObject({
    type: 'message',
    name: 'message_received',
    data: { stream: 1, outcome: 'pending' },
  })
  expect(JSON.parse(JSON.stringify(event))).toMatchObject({ data: { body: { A: 'x' } } })
})

const ENDED: NewEntry = { ...MESSAGE_ENDED, key: 'eq', at: AT, data: { message_id: '1' } }

test.each<[what: string, entry: NewEntry, next: NewEntry, isMadeAnew: boolean]>([
  ['a message stays after other messages', message(6, 11), message(6, 11), false],
  ['a message stays after what names other equipment', message(6, 11), message(1, 12, '', 'other'), false],
  ['a message is made anew after what may name identifiers', message(6, 11), message(1, 12), true],
  ['a message is made anew after the end of a question', message(6, 11), ENDED, true],
  ['another event stays whatever names there are', entryOf('eq', 0), message(1, 12), false],
])('the event of %s', async (_, entry, next, isMadeAnew) => {
  const one = await scene(entry)
  expect(one.isMadeAnew()).toBe(false)
  await one.journal.append(next)
  expect(one.isMadeAnew()).toBe(isMadeAnew)
})

test('an event is made anew where its equipment is read otherwise', async () => {
  const { rename, isMadeAnew, views, first } = await scene(entryOf('eq', 0))
  rename()
  expect(isMadeAnew()).toBe(true)
  expect(views.of(first).equipment_name).toBe('etcher-2')
})

test('the event of a long message is not kept', async () => {
  expect((await scene(message(6, 11, 'x'.repeat(12 * 1024)))).isMadeAnew()).toBe(true)
  expect((await scene(message(6, 11, 'x'.repeat(12 * 1024 - 100)))).isMadeAnew()).toBe(false)
})
