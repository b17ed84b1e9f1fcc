import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escaped, typedLine } from '../../../src/cli/completion/typed-line.js'

test.each([
  ['secsctl ', { words: ['secsctl'], current: '', quote: undefined }],
  ['secsctl send my\\ as', { words: ['secsctl', 'send'], current: 'my as', quote: undefined }],
  [`secsctl send 'my as`, { words: ['secsctl', 'send'], current: 'my as', quote: "'" }],
  [`secsctl "a \\" b" c`, { words: ['secsctl', 'a " b'], current: 'c', quote: undefined }],
  [`secsctl '' x`, { words: ['secsctl', ''], current: 'x', quote: undefined }],
  ['secsctl $(rm x', { words: ['secsctl', '$(rm'], current: 'x', quote: undefined }],
  ['a\\', { words: [], current: 'a\\', quote: undefined }],
])('%j is split as a shell would', (text, line) => {
  expect(typedLine(text)).toEqual(line)
})

test('any text that is escaped is read as itself again', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (text) => {
      fc.pre(!/[\n\r]/.test(text))
      expect(typedLine(`x ${escaped(text)}`)).toEqual({ words: ['x'], current: text, quote: undefined })
    }),
  )
})

test('bash reads an escaped text as itself', () => {
  const texts = ['my asher', `it's "5"`, '$HOME `id` $(id)', '#1 & co; x|y <z>', '\\*?[a]{b,c}~!', 'Ätzer 中']
  const words = texts.map(escaped).join(' ')
  expect(execFileSync('bash', ['-c', `printf '%s\\n' ${words}`], { encoding: 'utf8' })).toBe(
    `${texts.join('\n')}\n`,
  )
})
