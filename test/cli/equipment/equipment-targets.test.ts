import { expect, test } from 'vitest'
import { equipmentMatching } from '../../../src/cli/equipment/equipment-targets.js'
import { sampleEquipment } from '../../support/sample-equipment.js'

const ALL = ['etch-1', 'etch-2', 'litho.1', 'litho-1', 'bay 3, left', 'a*b'].map((name, at) =>
  sampleEquipment({ id: `eq_${at}`, name }),
)
const names = (...given: string[]): string[] => equipmentMatching(given, ALL).map(({ name }) => name)

test.each([
  [['etch-*'], ['etch-1', 'etch-2']],
  [['etch-?'], ['etch-1', 'etch-2']],
  [['litho.*'], ['litho.1']],
  [['*1'], ['etch-1', 'litho-1', 'litho.1']],
  [
    ['etch-2,etch-1', 'eq_1'],
    ['etch-2', 'etch-1'],
  ],
  [['bay 3, left'], ['bay 3, left']],
  [['a*b'], ['a*b']],
  [['litho-,etch-1'], ['litho-1', 'etch-1']],
])('%j means %j', (given, found) => {
  expect(names(...given)).toEqual(found)
})

test('a pattern that nothing matches is missing, also beside one that matches', () => {
  const nothing = expect.objectContaining({ kind: 'missing', message: "no equipment matches 'x*'" })
  expect(() => names('x*')).toThrow(nothing)
  expect(() => names('etch-*,x*')).toThrow(nothing)
})
