import { expect, test } from 'vitest'
import { mheadOf, STREAM9_FUNCTIONS, subjectOfStream9 } from '../../src/gem/message-header.js'
import { B } from '../../src/secs2/item.js'

const header = { sessionId: 5, stream: 6, function: 11, wait: true, systemBytes: 0x01020304 }

test('MHEAD is the ten bytes of the header', () => {
  expect([...mheadOf(header)]).toEqual([0, 5, 0x86, 11, 0, 0, 1, 2, 3, 4])
})

const { timed_out, ...ABOUT_THE_OTHER } = STREAM9_FUNCTIONS

test.each(Object.values(ABOUT_THE_OTHER))('S9F%i shows the message that it is about', (fn) => {
  const item = B(...mheadOf(header))
  expect(subjectOfStream9({ stream: 9, function: fn, wait: false, item })).toEqual(header)
})

test.each([
  ['S9F9, which is about a primary of its own sender', 9, timed_out, B(...mheadOf(header))],
  ['S9F13, which has another body', 9, 13, B(...mheadOf(header))],
  ['another stream', 6, 1, B(...mheadOf(header))],
  ['a header that is too short', 9, 5, B(0, 5, 0x86)],
  ['no body', 9, 5, undefined],
])('%s tells nothing', (_, stream, fn, item) => {
  expect(subjectOfStream9({ stream, function: fn, wait: false, item })).toBeUndefined()
})

test('the body of another stream is not looked at', () => {
  const primary = {
    ...{ stream: 6, function: 11, wait: true },
    get item(): never {
      throw new Error('the item was made')
    },
  }
  expect(subjectOfStream9(primary)).toBeUndefined()
})
