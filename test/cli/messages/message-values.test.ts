import { expect, test } from 'vitest'
import { messageFields, messageSummary } from '../../../src/cli/messages/message-output.js'
import type { CollectionEvent, Message } from '../../../src/contract/topics/messages.js'
import { messageValues } from '../../../src/ladder/message-values.js'

const message = (event: CollectionEvent | null, change: Partial<Message> = {}): Message => ({
  equipment_name: 'etcher',
  from: 'equipment',
  to: 'gateway',
  ...{ id: '1', equipment_id: 'eq_1', direction: 'received', stream: 6, function: 11, w_bit: true },
  ...{
    name: 'S6F11 Event Report Send',
    session_id: 0,
    system_bytes: 1,
    sent_by: null,
    data: {},
    body: null,
    sml: '',
  },
  ...{ at: '2026-01-01T00:00:00.000Z', reply_to: null, collection_event: event },
  ...change,
})
const value = (vid: string | null, name: string | null, text: unknown) => ({
  vid,
  name,
  unit: null,
  value: text,
})
const event = (name: string | null, ...values: ReturnType<typeof value>[]): CollectionEvent => ({
  ceid: '3010',
  name,
  reports: [{ rptid: '1', values }],
})

test('a collection event is reported by its names, where they are known', () => {
  const started = event(
    'ProcessingStarted',
    value('1', 'LotID', 'L1'),
    value('2', null, '7'),
    value(null, null, 'x'),
  )
  expect(messageSummary(message(started))).toBe('<- S6F11 W CEID 3010 ProcessingStarted LotID=L1 2=7 x')
  expect(messageSummary(message(event(null)))).toBe('<- S6F11 W CEID 3010')
})

test('a message that may have been spooled is reported as that', () => {
  const spooled = message(event('Done'), { may_be_spooled: true })
  expect(messageSummary(spooled)).toBe('<- S6F11 W spooled? CEID 3010 Done')
  expect(messageFields(spooled, 'etcher', String)).toContainEqual([
    'spooled',
    expect.stringMatching(/^perhaps/),
  ])
})

test('a list is in brackets, and what is long is cut', () => {
  const long = value('1', 'Wafers', ['a', ['b', 'c'], 'x'.repeat(50)])
  expect(messageValues(message(event('Done', long)))).toMatch(/^CEID 3010 Done Wafers=\[a \[b c\] x+\.\.\.$/)
  const many = Array.from({ length: 100 }, () => value('1', 'Temperature', '20.5'))
  expect(messageValues(message(event('Done', ...many)))).toHaveLength(200)
})

test('the text of a terminal is told, and of other messages their name', () => {
  const data = { TID: '0', TEXT: 'help' }
  const terminal = message(null, { stream: 10, function: 1, name: 'S10F1 Terminal Request', data })
  expect(messageSummary(terminal)).toBe('<- S10F1 W TID 0 help')
  const other = message(null, { stream: 1, function: 1, name: 'S1F1 Are You There Request' })
  expect(messageSummary(other)).toBe('<- S1F1 W Are You There Request')
})
