import fc from 'fast-check'
import { expect, test } from 'vitest'
import { carrierAttributes } from '../../src/gem300/carrier-attributes.js'
import { errorsText } from '../../src/gem300/error-text.js'
import { idFault } from '../../src/gem300/identifier.js'
import { readBody } from '../../src/gem300/messages/bodies.js'
import { BodyError } from '../../src/gem300/messages/body-error.js'
import { occupiedSlots, slotMapIn, slotMapText } from '../../src/gem300/slot-map.js'
import { checkSlots, slotsIn, slotsText } from '../../src/gem300/slot-ranges.js'
import { A, type Item, L, U1 } from '../../src/secs2/item.js'
import { DEFAULT_VIEW } from './default-view.js'

test.each([
  ['', 'empty'],
  ['x'.repeat(81), '81 characters'],
  ['FOUP*7', '*'],
  ['LOT~1', '~'],
  ['ControlJob:CJ', ':'],
  ['A\tB', 'U+0009'],
  [' ', 'empty'],
  ['Käse', 'U+00E4'],
  ['🙂', 'U+1F642'],
])('%j is no ID', (id, said) => {
  expect(idFault(id)).toContain(said)
})

test.each(['x'.repeat(80), 'CSX 52078', 'PADDED  ', '201804172058-M8A3J.04-01', '}'])('%j is an ID', (id) => {
  expect(idFault(id)).toBeUndefined()
})

test.each([
  ['1-25', Array.from({ length: 25 }, (_, at) => at + 1)],
  ['1,3,5-9', [1, 3, 5, 6, 7, 8, 9]],
  [' 25 , 2 - 3', [25, 2, 3]],
])('The slots %s', (text, slots) => {
  expect(slotsIn(text)).toEqual(slots)
})

test.each(['', '1,', 'a', '0', '26', '1-26', '9-5', '1,1', '1-3,2', '1--2', '-1', '1.5', '99999', '1-2-3'])(
  'The slots %j are refused',
  (text) => {
    expect(() => slotsIn(text)).toThrow(RangeError)
  },
)

test('A carrier of another size has its own slots', () => {
  expect(slotsIn('13', 13)).toEqual([13])
  expect(() => slotsIn('14', 13)).toThrow('14')
  expect(() => checkSlots([1, 2, 1])).toThrow('slot 1')
  expect(() => checkSlots([1.5])).toThrow('1.5')
})

test('Slots as text are read as the same slots', () => {
  expect(slotsText([1, 2, 5, 7, 8, 9, 4])).toBe('1,2,5,7-9,4')
  const slots = fc.uniqueArray(fc.integer({ min: 1, max: 25 }), { minLength: 1 })
  fc.assert(
    fc.property(slots, (numbers) => {
      expect(slotsIn(slotsText(numbers))).toEqual(numbers)
    }),
  )
})

test('A slot map is a line with a letter for each slot', () => {
  expect(slotMapText(slotMapIn('oO..dX?*'))).toBe('oo..DX?*')
  expect(slotMapText(['EMPTY', 'unknown (9)'])).toBe('.!')
  expect(() => slotMapIn('oo-')).toThrow('slot 3')
  expect(occupiedSlots(slotMapIn('o.oD*'))).toEqual([1, 3])
})

const refused = (item: Item | undefined, name: 'S16F20' | 'S16F6' | 'S16F22' | 'S16F15'): BodyError => {
  try {
    readBody(name, item, DEFAULT_VIEW)
  } catch (error) {
    if (error instanceof BodyError) return error
  }
  throw new Error('it was read')
}

test('What cannot be understood is said with its place', () => {
  expect(refused(L(L(A('J'), U1(1)), L(A('J'))), 'S16F20').pointer).toBe('/1/PRSTATE')
  expect(refused(A('no list'), 'S16F20').detail).toContain('A')
  expect(refused(L(A('J'), L(L(), L())), 'S16F6').pointer).toBe('/RESULT/ACKA')
  expect(refused(U1(1, 2), 'S16F22').detail).toContain('2 values')
  expect(refused(A('many'), 'S16F22').detail).toContain('many')
  const job = L(A('J'), A('13'), L(L(A('C'), L(A('x')))))
  expect(refused(L(U1(1), L(job)), 'S16F15').pointer).toBe('/JOBS/0/MATERIAL/0/SLOTID/0')
})

test('A body that was left out is an empty list', () => {
  expect(readBody('S16F20', undefined, DEFAULT_VIEW)).toEqual([])
})

test('Errors are told in full, and one without a reason as such', () => {
  const text = errorsText([
    { PTN: 7, ERRCODE: 48, ERRTEXT: 'PTN 7 invalid' },
    { ERRCODE: 31000, ERRTEXT: '' },
    { ERRCODE: undefined, ERRTEXT: ' no host ' },
    { ERRCODE: undefined, ERRTEXT: '' },
  ])
  for (const said of ['port 7', '48', 'PTN 7 invalid', '31000', '"no host"', 'without'])
    expect(text).toContain(said)
  expect(errorsText([])).toContain('no reason')
})

test('the usage of a carrier may be text beyond Latin-1', () => {
  const [usage] = carrierAttributes(['Usage'], { usage: 'Ā' }, DEFAULT_VIEW)
  expect(usage?.CATTRDATA.format).toBe('C')
})
