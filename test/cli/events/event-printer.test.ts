import { expect, test } from 'vitest'
import { printedEvent } from '../../../src/cli/events/event-printer.js'
import type { Event } from '../../../src/contract/topics/events.js'
import { widthOf } from '../../../src/kit/text/columns.js'

const FOREIGN = '\x1b[2J\x1b]0;pwn\x07\x9b31m\u202e'
const ALARM: Event = {
  id: '5',
  type: 'alarm',
  name: 'alarm_set',
  equipment_id: 'eq_1',
  equipment_name: 'etcher',
  at: '2026-03-01T08:00:00.000Z',
  data: { alid: '42', text: FOREIGN },
}
const printed = (event: Event, format: 'table' | 'tsv' | 'json' | 'sml', width = 200): string =>
  printedEvent(event, { format, width, nameOf: () => 'etcher', formatTime: (at) => at?.slice(11, 19) ?? '' })

test.each(['table', 'tsv'] as const)('what equipment says does not steer the terminal, as %s', (format) => {
  const text = printed(ALARM, format)
  expect(text).toContain('\\x1b[2J\\x1b]0;pwn\\x07\\x9b31m\\u202e')
  expect(text.replace(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\u202E]/u)
})

test('JSON has the text as it is', () => {
  expect(JSON.parse(printed(ALARM, 'json'))).toEqual(ALARM)
})

test('a body that is no SECS-II stands as bytes after its SML', () => {
  const data = { direction: 'received', stream: 1, function: 2, w_bit: false, sml: null, raw: '010203' }
  const message: Event = { ...ALARM, type: 'message', name: 'message_received', data }
  expect(printed(message, 'sml')).toContain('\n/* S1F2 is not valid SECS-II: 010203 */\n')
})

const change = (from: string, to: string, cause: string): Event => ({
  ...ALARM,
  type: 'connection',
  name: 'attempt_failed',
  data: { from, to, cause },
})

test('at 80 columns a change shows the state that was reached, and why', () => {
  expect(printed(change('NOT_CONNECTED', 'CONNECTING', 'connection_refused'), 'table', 80)).toBe(
    '5       08:00:00  etcher     attempt_failed       CONNECTING: connection_refused\n',
  )
  expect(printed(change('NOT_SELECTED', 'SELECTED', 'Select.rsp'), 'table', 80)).toBe(
    '5       08:00:00  etcher     attempt_failed       SELECTED: Select.rsp\n',
  )
})

test('a change of event reports says why, and an error of a connection is not text', () => {
  const failed = change('present', 'missing', 'failed')
  const text = printed({ ...failed, data: { ...failed.data, error: 'S2F33 was refused' } }, 'tsv')
  expect(text).toContain('present -> missing: failed: S2F33 was refused\n')
  const lost = printed({ ...failed, data: { ...failed.data, error: { code: 't3_timeout' } } }, 'tsv')
  expect(lost).toContain('present -> missing: failed\n')
})

test('programs are told both states and the type', () => {
  expect(printed(change('NOT_SELECTED', 'SELECTED', 'Select.rsp'), 'tsv')).toBe(
    '5\t08:00:00\tconnection\tetcher\tattempt_failed\tNOT_SELECTED -> SELECTED: Select.rsp\n',
  )
})

test('nothing of a long event is cut on a narrow terminal', () => {
  const text = 'the pressure of the chamber is above what the recipe allows for this step'
  const lines = printed({ ...ALARM, data: { alid: '42', text } }, 'table', 80).split('\n')
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80)
  expect(lines.map((line) => line.slice(50).trim()).join(' ')).toContain(text)
})

test('the columns after a name of wide characters stand where they stand after others', () => {
  const named = (name: string): string =>
    printedEvent(
      { ...ALARM, equipment_name: name, data: { alid: '42', text: 'x' } },
      { format: 'table', width: 80, nameOf: () => name, formatTime: () => '08:00:00' },
    )
  const before = (text: string): number => widthOf(text.slice(0, text.indexOf('alarm_set')))
  expect(before(named('装置１'))).toBe(before(named('etcher')))
})
