import { expect, test } from 'vitest'
import { CommandError, lineOf, wordsOf } from '../../../src/simulator/control/arguments.js'

test.each<[string, readonly string[]]>([
  ['', []],
  ['  status  ', ['status']],
  ['set Lot  L1', ['set', 'Lot', 'L1']],
  ['set Lot "a \\"b\\" \\u00e9"', ['set', 'Lot', 'a "b" é']],
  [`set Lot 'C:\\x "y"'`, ['set', 'Lot', 'C:\\x "y"']],
  ['set Lot ""', ['set', 'Lot', '']],
])('%j is %j', (line, words) => {
  expect(wordsOf(line)).toEqual(words)
})

test.each(['set Lot "open', "set Lot 'open", 'set Lot "\\q"', 'set Lot "a"b'])('%j is refused', (line) => {
  expect(() => wordsOf(line)).toThrow(CommandError)
})

test.each([[['set', 'Lot', 'L 1']], [['a', '']], [['"', "'", '\\', '\n\t', 'é']], [['plain', '1.5']]])(
  '%j survives being a line',
  (words) => {
    expect(lineOf(words)).not.toContain('\n')
    expect(wordsOf(lineOf(words))).toEqual(words)
  },
)
