import { expect, test } from 'vitest'
import { Problem } from '../../../src/contract/errors.js'
import { isUnknownMessage, passOverRefusal } from '../../../src/gateway/services/unknown-message.js'
import { requireOne } from '../../../src/gateway/services/verdict.js'

test.each([
  [new Problem('transaction_aborted', ''), true, true],
  [new Problem('message_rejected', ''), true, true],
  [new Problem('equipment_error', ''), true, true],
  [new Problem('reply_timeout', ''), false, false],
  [new Problem('connection_lost', ''), false, false],
  [new Problem('invalid_message', ''), false, false],
  [new Error('a bug'), false, false],
])('%o: the message is unknown %s, and passed over %s', (error, isUnknown, isPassedOver) => {
  expect(isUnknownMessage(error)).toBe(isUnknown)
  if (isPassedOver) expect(passOverRefusal(error)).toBeUndefined()
  else expect(() => passOverRefusal(error)).toThrow(error)
})

test.each([
  [true, false],
  [false, true],
])('of two members one is enough: %s and %s', (one, other) => {
  expect(() => requireOne(['text', one], ['lines', other])).not.toThrow()
})

test.each([
  [true, true],
  [false, false],
])('of two members exactly one is given: %s and %s are refused, with their place', (one, other) => {
  expect(() => requireOne(['text', one], ['lines', other])).toThrow(
    expect.objectContaining({
      code: 'invalid_request',
      extra: { errors: [{ pointer: '/text', detail: expect.stringContaining(one ? 'beside' : 'required') }] },
    }),
  )
})
