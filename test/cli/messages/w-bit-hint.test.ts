import { expect, test } from 'vitest'
import { messageFields } from '../../../src/cli/messages/message-output.js'
import type { Message } from '../../../src/contract/topics/messages.js'
import { REPLIES } from '../../support/example-gateway.js'

const hintOn = (fn: number, about: object): string | undefined => {
  const header = { session_id: 0, device_id: 0, stream: 1, function: 3, w_bit: false, system_bytes: 7 }
  const message = {
    ...(REPLIES.getMessage as object),
    stream: 9,
    function: fn,
    about: { ...header, message_id: '4', ...about },
  }
  return messageFields(message as unknown as Message, 'etch 1', String).find(([name]) => name === 'hint')?.[1]
}

test('S9F7 about a primary without W-bit shows the line that sends it with one', () => {
  const hint = hintOn(7, {})
  expect(hint).toContain('W-bit')
  expect(hint).toContain("secsctl send 'etch 1' 'S1F3 W")
})

test('so does that primary, where it shows the S9F7', () => {
  const sent = { ...(REPLIES.getMessage as object), direction: 'sent', stream: 10, function: 3, w_bit: false }
  const hint = (change: object) =>
    messageFields({ ...sent, ...change } as unknown as Message, 'etch 1', String).find(
      ([name]) => name === 'hint',
    )?.[1]
  expect(hint({ s9: 'S9F7' })).toContain("secsctl send 'etch 1' 'S10F3 W")
  expect(hint({ s9: 'S9F7', w_bit: true })).toBeUndefined()
  expect(hint({ s9: 'S9F5' })).toBeUndefined()
  expect(hint({ s9: undefined })).toBeUndefined()
})

test('S9F7 about a primary with W-bit or about a reply, and other stream 9 messages, have no such hint', () => {
  expect(hintOn(7, { w_bit: true })).toBeUndefined()
  expect(hintOn(7, { function: 4 })).toBeUndefined()
  expect(hintOn(5, {})).toBeUndefined()
})
