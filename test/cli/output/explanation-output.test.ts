import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  explanationAsJson,
  explanationAsTsv,
  explanationInWords,
  folded,
} from '../../../src/cli/output/explanation-output.js'
import { ENTRIES } from '../../../src/explanation/vocabulary.js'

test('folding keeps every word, and no line is longer than it may be unless one word is', () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1 })
  fc.assert(
    fc.property(words, fc.integer({ min: 20, max: 90 }), (given, width) => {
      const lines = folded(given.join(' '), width, '  ').split('\n')
      expect(lines.flatMap((line) => line.trim().split(' '))).toEqual(given)
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(width)
    }),
  )
})

test('an explanation fits a terminal of 80 columns, but for commands', () => {
  for (const entry of ENTRIES) {
    const [text = ''] = explanationInWords(entry, 80).split('\nTry\n')
    for (const line of text.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
  }
})

test('to programs it is reported with nothing left out', () => {
  const entry = {
    word: 'X',
    kind: 'k',
    meaning: 'M.',
    facts: [['a', 'b\tc']] as const,
    next: 'N.',
    commands: ['one', 'two'],
  }
  expect(explanationAsTsv(entry)).toBe(
    'word\tX\tk\nmeaning\tM.\nfact\ta\tb\\tc\nnext\tN.\ntry\tone\ntry\ttwo\n',
  )
  expect(explanationAsJson(entry)).toEqual({
    word: 'X',
    kind: 'k',
    meaning: 'M.',
    facts: { a: 'b\tc' },
    next: 'N.',
    try: ['one', 'two'],
  })
})
