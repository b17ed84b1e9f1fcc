import { expect, test } from 'vitest'
import { logJson, logLine } from '../../../src/cli/daemon/log-line.js'

const AT = { level: 30, time: '2026-03-01T08:00:00.123Z' }
const told = (record: object | string): string =>
  logLine(typeof record === 'string' ? record : JSON.stringify({ ...AT, ...record }), (at) =>
    (at ?? '').slice(11, 19),
  )

const REQUEST = {
  request_id: '75d80f62',
  method: 'GET',
  path: '/api/v1/equipment',
  status: 200,
  ms: 15,
  from: '127.0.0.1',
  user: 'mes@fab.example',
  msg: 'request',
}

test('a request is reported in the words of HTTP, and by whom', () => {
  expect(told(REQUEST)).toBe('08:00:00  info   GET /api/v1/equipment 200  15 ms  mes@fab.example')
  expect(told({ ...REQUEST, user: undefined })).toMatch(/ 15 ms {2}127\.0\.0\.1$/)
})

test('one that failed here names its request, as the answer to it did', () => {
  expect(told({ ...REQUEST, status: 500 })).toMatch(/ request_id=75d80f62$/)
})

test('another record has its message, its error and its members', () => {
  expect(told({ level: 40, by_ms: 5000, msg: 'the clock was set' })).toBe(
    '08:00:00  warn   the clock was set  by_ms=5000',
  )
  const err = { type: 'Error', message: 'disk full', stack: 'Error: disk full\n    at write' }
  expect(told({ level: 50, err, msg: 'store unavailable' })).toBe(
    '08:00:00  error  store unavailable  disk full',
  )
})

test('what is no record stands as it is, and is one for programs', () => {
  expect(told('Error: the port is taken')).toBe('Error: the port is taken')
  expect(logJson('Error: the port is taken')).toBe('{"msg":"Error: the port is taken"}')
  expect(logJson('42')).toBe('{"msg":"42"}')
  expect(logJson('{"level":30,"msg":"up"}')).toBe('{"level":30,"msg":"up"}')
})

test('what somebody sent does not steer the terminal', () => {
  expect(told({ ...REQUEST, path: '/\u001b[2J' })).toContain('GET /\\x1b[2J')
})
