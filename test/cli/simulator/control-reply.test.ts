import { expect, test } from 'vitest'
import { resultRows, resultText } from '../../../src/cli/simulator/control-reply.js'

const TOLD = {
  ok: true,
  model: 'etcher',
  faults: [],
  sml: 'S1F1 W\n.',
  commands: [
    { name: 'drop', does: 'cuts the link' },
    { name: 'late', does: 'answers late' },
  ],
}

test('for people it is lines and columns', () => {
  expect(resultText(TOLD)).toBe(
    'model: etcher\nfaults: -\nsml: S1F1 W\n.\ndrop  cuts the link\nlate  answers late',
  )
})

test('for programs it is lines of tab-separated values, nothing padded', () => {
  expect(resultRows(TOLD)).toBe(
    'model\tetcher\nfaults\t-\nsml\tS1F1 W\\n.\ndrop\tcuts the link\nlate\tanswers late\n',
  )
})

test('columns stand below each other after texts of wide characters', () => {
  const rows = [
    { name: '装置', does: 'one' },
    { name: 'drop', does: 'two' },
  ]
  expect(resultText({ rows })).toBe('装置  one\ndrop  two')
})
