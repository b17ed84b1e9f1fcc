import { expect, test } from 'vitest'
import { STANDARD_CATALOGUE as catalogue } from '../../../src/catalogue/standard-catalogue.js'
import { parseParameters } from '../../../src/cli/input/parameters.js'
import { messageGiven } from '../../../src/cli/messages/message-argument.js'

test.each([
  [['A=1'], { A: '1' }],
  [['A='], { A: '' }],
  [['A=x=y'], { A: 'x=y' }],
  [['A:=1.5'], { A: 1.5 }],
  [['A:=[{"B":"c"}]'], { A: [{ B: 'c' }] }],
  [['A=1', 'A=2', 'A=3'], { A: ['1', '2', '3'] }],
  [['A=1,2'], { A: '1,2' }],
])('%j is read as %j', (texts, values) => {
  expect(parseParameters(texts)).toEqual(values)
})

test.each(['A', '=1', 'A:={', '__proto__=1', 'constructor=1'])('"%s" is wrong usage', (text) => {
  expect(() => parseParameters([text])).toThrow(expect.objectContaining({ kind: 'usage' }))
})

test('commas part the values of an item that repeats, and of no other', () => {
  expect(messageGiven('S1F3', ['SVID=1,2'], catalogue)).toEqual({
    stream: 1,
    function: 3,
    data: { SVID: ['1', '2'] },
  })
  expect(messageGiven('s10f3', ['TID=1', 'TEXT=hello, world'], catalogue)).toEqual({
    stream: 10,
    function: 3,
    data: { TID: '1', TEXT: 'hello, world' },
  })
})

test.each(['S1F3 W <L>.', '<L>', 'S1F1.', 'S1F1 W'])('%s is taken as SML', (sml) => {
  expect(messageGiven(sml, [], catalogue)).toEqual({ sml })
})

test.each(['S1', 'hello', 'F1', 'S128F1', 'S1F256'])('%s is no message', (text) => {
  expect(() => messageGiven(text, [], catalogue)).toThrow(expect.objectContaining({ kind: 'usage' }))
})
