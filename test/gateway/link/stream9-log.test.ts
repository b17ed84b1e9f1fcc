import { describe, expect, test } from 'vitest'
import type { Transport } from '../../../src/contract/topics/equipment/equipment-line.js'
import { Stream9Log } from '../../../src/gateway/link/stream9-log.js'
import { RecordedMessage } from '../../../src/gateway/records/recorded-message.js'
import { mheadOf } from '../../../src/gem/message-header.js'
import { encodeBody } from '../../../src/secs2/encode.js'
import { B } from '../../../src/secs2/item.js'
import { ManualClock } from '../../support/manual-clock.js'

const MHEAD = encodeBody(B(...mheadOf({ sessionId: 0, stream: 64, function: 1, wait: true, systemBytes: 9 })))

const FROM = { direction: 'received', equipmentId: 'eq_1' } as const
const IDS = { transport: 'hsms' as Transport, device_id: 0, session_id: 65535 }

function heard(fn: number, body: Uint8Array): Stream9Log {
  const log = new Stream9Log(new ManualClock(), IDS)
  const message = { sessionId: 0, stream: 9, function: fn, wait: false, systemBytes: 1, body }
  log.receive({ kind: 'primary', message: new RecordedMessage(FROM, message) })
  return log
}

test('a stream 9 message is reported with the message that it is about', () => {
  expect(heard(3, MHEAD).recent).toBe('; its last S9: S9F3 about S64F1, 0 s ago')
  expect(heard(3, MHEAD).all).toBe(', and sent S9F3 about S64F1')
})

test.each([
  ['of the equipment itself that waited in vain', 9, MHEAD],
  ['without a body', 3, new Uint8Array()],
  ['whose body is no SECS-II', 3, Uint8Array.of(0x21, 0x0a, 1)],
  ['with a body that is no header', 3, new Uint8Array(100)],
])('one %s is told without', (_, fn, body) => {
  expect(heard(fn, body).recent).toBe(`; its last S9: S9F${fn}, 0 s ago`)
})

test('a new connection is not told of the stream 9 and the device ID of the connection before it', () => {
  const log = heard(3, MHEAD)
  log.begin()
  expect([log.recent, log.all]).toEqual(['', ''])
  const message = {
    sessionId: 7,
    stream: 1,
    function: 14,
    wait: false,
    systemBytes: 1,
    body: new Uint8Array(),
  }
  log.receive({ kind: 'other_device', message: new RecordedMessage(FROM, message) })
  expect(log.misaddressed).not.toBeNull()
  log.begin()
  expect([log.misaddressed, log.recent]).toEqual([null, ''])
})

describe('a reply under another session ID', () => {
  const replied = (sessionId: number, ids = IDS, fn = 14): Stream9Log => {
    const log = new Stream9Log(new ManualClock(), ids)
    const message = {
      sessionId,
      stream: 1,
      function: fn,
      wait: false,
      systemBytes: 1,
      body: new Uint8Array(),
    }
    log.receive({ kind: 'other_device', message: new RecordedMessage(FROM, message) })
    return log
  }

  test('that is the one of Select.req names the session ID that helps', () => {
    expect(replied(65535).misaddressed).toEqual({
      code: 'wrong_session_id',
      detail:
        'it speaks under session ID 65535, that of our Select.req, and not under device ID 0: set its session_id to 0 (--session-id 0)',
    })
  })

  test('that is another device ID names that', () => {
    const { misaddressed, recent } = replied(7)
    expect(misaddressed?.code).toBe('wrong_device_id')
    expect(recent).toBe(
      '; it speaks as device ID 7, not 0: set its device_id (--device-id 7), or the one there',
    )
  })

  test('is another device ID over SECS-I, which has no Select.req', () => {
    const ids = { transport: 'secs1-tcp', device_id: 1, session_id: 0 } as const
    expect(replied(0, ids).misaddressed).toEqual({
      code: 'wrong_device_id',
      detail: 'it speaks as device ID 0, not 1: set its device_id (--device-id 0), or the one there',
    })
  })

  test('that cannot be a device ID names none', () => {
    expect(replied(65535, { ...IDS, session_id: 0 }).misaddressed?.detail).not.toContain('--')
  })

  test('is none in a primary', () => {
    expect(replied(7, IDS, 13).misaddressed).toBeNull()
  })
})
