import fc from 'fast-check'
import { expect, test } from 'vitest'
import { namePattern } from '../../../src/kit/text/name-pattern.js'

test.each([
  ['etch-*', 'etch-', true],
  ['etch-*', 'etch', false],
  ['*', '', true],
  ['', '', true],
  ['', 'a', false],
  ['?', '', false],
  ['?', '\u{1f600}', true],
  ['a?c', 'a\nc', true],
  ['*ab*ab', 'abab', true],
  ['*ab*ab', 'ab', false],
  ['*aab', 'aaab', true],
  ['a.c', 'abc', false],
  ['[ab]$', '[ab]$', true],
  // Letters that are written in two ways are one.
  ['u\u0308*', '\u00fcber', true],
])('%j matches %j: %j', (pattern, name, isMatch) => {
  expect(namePattern(pattern).test(name)).toBe(isMatch)
})

/** What a pattern means, by its words: slow, and plain. */
function means(pattern: string, name: string): boolean {
  if (pattern === '') return name === ''
  const rest = pattern.slice(1)
  if (pattern.startsWith('*'))
    return Array.from({ length: name.length + 1 }, (_, at) => at).some((at) => means(rest, name.slice(at)))
  return name !== '' && (pattern.startsWith('?') || pattern[0] === name[0]) && means(rest, name.slice(1))
}

test('a pattern matches what its words say', () => {
  const text = (unit: string) => fc.string({ unit: fc.constantFrom(...unit), maxLength: 8 })
  fc.assert(
    fc.property(text('ab*?'), text('ab'), (pattern, name) => {
      expect(namePattern(pattern).test(name)).toBe(means(pattern, name))
    }),
    { numRuns: 2000 },
  )
})

test('a pattern of many stars ends at once for a name that it does not match', () => {
  // As a regular expression it takes longer than anybody lives.
  const pattern = namePattern(`${'*?'.repeat(32)}z`)
  expect(pattern.test('a'.repeat(70_000))).toBe(false)
})
