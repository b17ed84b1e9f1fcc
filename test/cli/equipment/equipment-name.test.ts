import { expect, test } from 'vitest'
import { equipmentNamed } from '../../../src/cli/equipment/equipment-name.js'
import { sampleEquipment } from '../../support/sample-equipment.js'

const etcher = sampleEquipment({ id: 'eq_aaa1', name: 'etcher' })
const etcher2 = sampleEquipment({ id: 'eq_abb2', name: 'etcher-2' })
const coater = sampleEquipment({ id: 'eq_ccc3', name: 'coater' })
const ALL = [etcher, etcher2, coater]

test.each([
  ['etcher', etcher, 'a whole name, though another begins with it'],
  ['etcher-2', etcher2, 'a whole name'],
  ['eq_abb2', etcher2, 'an id'],
  ['co', coater, 'a beginning of one name alone'],
  ['eq_c', coater, 'a beginning of one id alone'],
])('%s is found', (given, found, _why) => {
  expect(equipmentNamed(given, ALL)).toBe(found)
})

test('a beginning of several is wrong usage and lists them', () => {
  const ambiguous = expect.objectContaining({
    kind: 'usage',
    message: expect.stringContaining('etcher-2 (eq_abb2)'),
  })
  expect(() => equipmentNamed('etch', ALL)).toThrow(ambiguous)
})

test('of many that begin so a few are listed', () => {
  const many = Array.from({ length: 42 }, (_, at) =>
    sampleEquipment({ id: `eq_${at}`, name: `etcher-${at}` }),
  )
  expect(() => equipmentNamed('etch', many.toReversed())).toThrow(
    '"etch" could be any of etcher-0 (eq_0), etcher-1 (eq_1), etcher-2 (eq_2), etcher-3 (eq_3), etcher-4 (eq_4), and 37 more',
  )
})

test('a name is found in either normal form of Unicode', () => {
  const composed = sampleEquipment({ id: 'eq_1', name: 'Ätzer' })
  const decomposed = sampleEquipment({ id: 'eq_2', name: 'Öfen'.normalize('NFD') })
  expect(equipmentNamed('Ätzer'.normalize('NFD'), [decomposed, composed])).toBe(composed)
  expect(equipmentNamed('Ö', [decomposed, composed])).toBe(decomposed)
})

test.each(['stepper', 'tcher', ''])('"%s" is missing', (given) => {
  expect(() => equipmentNamed(given, ALL)).toThrow(expect.objectContaining({ kind: 'missing' }))
})

test('an id wins over a name that reads like it', () => {
  const twin = sampleEquipment({ id: 'eq_zzz9', name: 'eq_aaa1' })
  expect(equipmentNamed('eq_aaa1', [twin, etcher])).toBe(etcher)
})
