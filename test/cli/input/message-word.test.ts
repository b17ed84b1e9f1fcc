import { expect, test } from 'vitest'
import { messageWord } from '../../../src/cli/input/message-word.js'

test.each([
  ['S6F11', 'S6F11'],
  ['s6', 'S6'],
  ['S127F255', 'S127F255'],
])('%s is %s', (text, word) => {
  expect(messageWord(text)).toBe(word)
})

test.each(['S6F', 'S128', 'S6F256', '6F11', ''])('"%s" is refused with an example', (text) => {
  expect(() => messageWord(text)).toThrow(/S6F11/)
})
