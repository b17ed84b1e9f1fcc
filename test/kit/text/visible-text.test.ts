import fc from 'fast-check'
import { expect, test } from 'vitest'
import { visiblePainted } from '../../../src/cli/output/highlight.js'
import { visible, visibleLines } from '../../../src/kit/text/visible-text.js'

test('controls are shown as escapes', () => {
  expect(visible('\x1b[2J\x1b]0;pwn\x07\x9b31m')).toBe('\\x1b[2J\\x1b]0;pwn\\x07\\x9b31m')
  expect(visible('a\tb\r\nc\0\x7f')).toBe('a\\tb\\r\\nc\\x00\\x7f')
  expect(visible('\u202eabc\u2066')).toBe('\\u202eabc\\u2066')
})

test('what can be read is left alone, of any script', () => {
  for (const text of ['Door open', '批号 42', 'Überdruck', '🙂', 'a\\b']) expect(visible(text)).toBe(text)
})

test('line breaks of the layout are kept, and nothing else', () => {
  expect(visibleLines('a\nb\tc\x1b')).toBe('a\nb\\tc\\x1b')
})

test('no text brings an escape sequence to a pipe, not even a colour', () => {
  expect(visiblePainted('\x1b[31mred\x1b[39m')).toBe('\\x1b[31mred\\x1b[39m')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(visiblePainted(text).replace(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u)
    }),
  )
})
