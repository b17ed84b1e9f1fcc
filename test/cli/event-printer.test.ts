import { expect, test } from 'vitest'
import { printedEvent } from '../../src/cli/event-printer.js'
import type { Event } from '../../src/contract/events.js'

const FOREIGN = '\x1b[2J\x1b]0;pwn\x07\x9b31m\u202e'
const ALARM: Event = {
  id: '5',
  type: 'alarm',
  name: 'alarm_set',
  equipment_id: 'eq_1',
  at: '2026-03-01T08:00:00.000Z',
  data: { alid: '42', text: FOREIGN },
}
const printed = (event: Event, format: 'table' | 'tsv' | 'json' | 'sml'): string =>
  printedEvent(event, { format, width: 200, nameOf: () => 'etcher', tellTime: (at) => at ?? '' })

test.each(['table', 'tsv'] as const)('what equipment says does not steer the terminal, as %s', (format) => {
  const text = printed(ALARM, format)
  expect(text).toContain('\\x1b[2J\\x1b]0;pwn\\x07\\x9b31m\\u202e')
  expect(text.replace(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\u202E]/u)
})

test('JSON has the text as it is', () => {
  expect(JSON.parse(printed(ALARM, 'json'))).toEqual(ALARM)
})

test('a body that is no SECS-II stands as bytes behind its SML', () => {
  const data = { direction: 'received', sml: 'S1F2.', raw: '010203' }
  const message: Event = { ...ALARM, type: 'message', name: 'message_received', data }
  expect(printed(message, 'sml')).toContain('S1F2.\n/* not valid SECS-II: 010203 */\n')
})
