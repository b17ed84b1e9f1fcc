import { expect, test } from 'vitest'
import { idList, textsIn, textValue, unpadded } from '../../src/gem/content.js'

test.each([
  ['  \0\tETCH A \0\0  ', 'ETCH A'],
  ['ETCH', 'ETCH'],
  [' a\0 b', 'a\0 b'],
  ['a  ', 'a'],
  [' \0 ', ''],
])('%j is %j without what fills up its field', (given, name) => expect(unpadded(given)).toBe(name))

test('ids are numbers where U4 holds them, else text; text beyond Latin-1 has its encoding', () => {
  expect(idList(['7', '4294967296', 'A7', ''])).toMatchObject({
    L: [{ U4: expect.anything() }, { A: '4294967296' }, { A: 'A7' }, { A: '' }],
  })
  expect([textValue('Größe'), textValue('温度')]).toEqual([{ A: 'Größe' }, { C: '温度' }])
})

test('the values of a repeated item are a list of texts, also where there is one or none', () => {
  expect([textsIn(undefined), textsIn('7'), textsIn(['7', '8'])]).toEqual([[], ['7'], ['7', '8']])
})
