import { expect, test } from 'vitest'
import { Complaints } from '../../src/gateway/complaints.js'
import { mheadOf } from '../../src/gem/mhead.js'
import { encodeBody } from '../../src/secs2/encode.js'
import { B } from '../../src/secs2/item.js'
import { ManualClock } from '../support/manual-clock.js'

const MHEAD = encodeBody(B(...mheadOf({ sessionId: 0, stream: 64, function: 1, wait: true, systemBytes: 9 })))

function heard(fn: number, body: Uint8Array): Complaints {
  const complaints = new Complaints(new ManualClock(), 0)
  const message = { sessionId: 0, stream: 9, function: fn, wait: false, systemBytes: 1, body }
  complaints.hear({ kind: 'primary', message })
  return complaints
}

test('a complaint is told with the message that it is about', () => {
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
