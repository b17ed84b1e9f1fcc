import { expect, test } from 'vitest'
import { topicOf } from '../../../src/gateway/records/message-topics.js'

test('each message has its own topic, also the reply to a function 255, which no message can be', () => {
  expect(topicOf(1, 256)).toBe('S1F256')
  expect(topicOf(2, 0)).toBe('S2F0')
  expect(topicOf(1, 256)).toBe('S1F256')
})
