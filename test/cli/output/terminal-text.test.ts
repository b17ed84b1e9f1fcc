import fc from 'fast-check'
import { expect, test } from 'vitest'
import { record } from '../../../src/cli/output/output.js'
import { Progress } from '../../../src/cli/output/progress.js'
import { linesFor, wrapped } from '../../../src/cli/output/terminal-text.js'
import { testEnvironment } from '../../support/command.js'

test('a long line continues between words, indented as it began', () => {
  expect(wrapped('  <A "one two three four five">', 20)).toEqual(['  <A "one two three', '  four five">'])
  expect(wrapped('short', 20)).toEqual(['short'])
})

test('no word is lost, broken or put elsewhere, and no line is longer than it has to be', () => {
  const word = fc.stringMatching(/^[a-z]{1,30}$/)
  fc.assert(
    fc.property(fc.array(word, { minLength: 1 }), fc.integer({ min: 16, max: 60 }), (words, width) => {
      const lines = wrapped(words.join(' '), width)
      expect(lines.join(' ').split(' ')).toEqual(words)
      for (const line of lines) expect(line.length <= width || !line.includes(' ')).toBe(true)
    }),
  )
})

test('a wide character takes two columns', () => {
  expect(wrapped('温度過高 温度過高 温度過高', 18)).toEqual(['温度過高 温度過高', '温度過高'])
})

test('a value of a record that is wider than the terminal continues below where it began', () => {
  const fields = [['who dials', 'The equipment listens, and the gateway dials it.']] as const
  expect(record(fields, { isTerminal: true, width: 40 })).toBe(
    'who dials  The equipment listens, and\n           the gateway dials it.\n',
  )
})

test('an error on a terminal is broken between words, and the command to try is not', () => {
  const text =
    'Error: nothing listens at the address of the etcher\nTry: secsctl equipment update etcher --port'
  const { stderr } = testEnvironment({ columns: 30 })
  expect(linesFor(stderr, text).split('\n')).toEqual([
    'Error: nothing listens at the',
    'address of the etcher',
    'Try: secsctl equipment update etcher --port',
  ])
  expect(linesFor(testEnvironment().stderr, text)).toBe(text)
})

test('a state on a terminal is broken between words', () => {
  const environment = testEnvironment({ columns: 30, variables: { TERM: 'dumb' } })
  new Progress(environment, false).line('etcher: CONNECTING: nothing listens there')
  expect(environment.written.stderr).toBe('etcher: CONNECTING: nothing\nlistens there\n')
})
