import { describe, expect, test } from 'vitest'
import { categoryOf } from '../../src/catalogue/codes.js'
import { describeMessage } from '../../src/catalogue/description/message-description.js'
import { STANDARD_CATALOGUE as catalogue } from '../../src/catalogue/standard-catalogue.js'
import { A, B, BOOLEAN, F4, I2, I8, type Item, L, U1, U8 } from '../../src/secs2/item.js'

describe('messages', () => {
  test.each([
    [1, 13, 'S1F13 Establish Communications Request'],
    [6, 11, 'S6F11 Event Report Send'],
    [1, 0, 'S1F0 Abort Transaction'],
    [99, 0, 'S99F0 Abort Transaction'],
    [99, 1, 'S99F1'],
  ])('S%iF%i has a name', (stream, fn, name) => {
    expect(catalogue.name(stream, fn)).toBe(name)
  })

  test('the sender chooses the row, and the other’s will do', () => {
    expect(catalogue.find(1, 13, 'host')?.structure).toBe('<L>')
    expect(catalogue.find(1, 13, 'equipment')?.structure).toBe('<L <MDLN> <SOFTREV>>')
    expect(catalogue.find(6, 11, 'host')?.direction).toBe('equipment')
    expect(catalogue.find(99, 1)).toBeUndefined()
  })

  test.each([
    [1, 13, 'required'],
    [5, 3, 'optional'],
    [1, 14, 'forbidden'],
    [9, 7, 'forbidden'],
    [99, 1, undefined],
  ])('S%iF%i has a W-bit', (stream, fn, wBit) => {
    expect(catalogue.wBit(stream, fn, 'host')).toBe(wBit)
  })

  test('only a primary with a secondary is replied to', () => {
    expect([
      catalogue.replies(1, 13),
      catalogue.replies(1, 14),
      catalogue.replies(9, 7),
      catalogue.replies(99, 1),
    ]).toEqual([true, false, false, false])
  })

  test('a description holds both forms, the items and where the facts come from', () => {
    expect(describeMessage(catalogue, 1, 13)).toMatchObject({
      name: 'S1F13 Establish Communications Request',
      forms: [
        { direction: 'host', wBit: 'required', structure: '<L>', source: expect.stringContaining('secsgem') },
        { direction: 'equipment', structure: '<L <MDLN> <SOFTREV>>' },
      ],
      items: [{ name: 'MDLN' }, { name: 'SOFTREV' }],
      replies: true,
    })
    expect(describeMessage(catalogue, 99, 1)).toBeUndefined()
  })

  test('function 0 of every stream is described', () => {
    expect(describeMessage(catalogue, 6, 0)).toMatchObject({
      name: 'S6F0 Abort Transaction',
      forms: [{ direction: 'both', wBit: 'forbidden', structure: '' }],
      items: [],
      replies: false,
    })
  })
})

test('the catalogue covers these streams', () => {
  const functions = new Set(catalogue.messages.map(({ stream, function: fn }) => `S${stream}F${fn}`))
  const streams = new Set(catalogue.messages.map(({ stream }) => stream))
  expect([...streams]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21])
  expect(functions.size).toBeGreaterThanOrEqual(400)
})

describe('codes', () => {
  test.each([
    ['HCACK', 2, 'cannot perform now'],
    ['HCACK', 63, 'reserved'],
    ['HCACK', 64, 'equipment-specific'],
    ['GRNT1', 4, 'ID already there'],
    ['ITEMACK', 9, 'not listed'],
    ['BLKDEF', -1, 'ends a block'],
    ['ERRCODE', 17, 'not valid in this state'],
    ['COMMACK', 0, 'accepted'],
    ['NOTHING', 0, 'unknown'],
    ['MDLN', 0, 'unknown'],
  ])('%s %i has a meaning', (item, code, text) => {
    expect(catalogue.codeText(item, code)).toBe(text)
  })

  test.each([
    [1, 'personal safety'],
    [0x85, 'irrecoverable error'],
    [9, 'other category'],
    [127, 'equipment-specific'],
  ])('category %i has a meaning', (code, text) => {
    expect(categoryOf(code)).toBe(text)
  })

  test('an item knows its formats, the one that is built first', () => {
    expect(catalogue.item('SVID')?.formats.slice(0, 1)).toEqual(['U4'])
    expect(catalogue.item('SVID')?.formats).toContain('A')
    expect(catalogue.item('constructor')).toBeUndefined()
  })
})

describe('acknowledgement', () => {
  test.each<[number, number, Item, string, number, boolean]>([
    [1, 14, L(B(1), L()), 'COMMACK', 1, false],
    [2, 42, L(B(0), L()), 'HCACK', 0, true],
    [2, 42, L(B(4), L()), 'HCACK', 4, true],
    [2, 42, L(B(3), L(L(A('LOTID'), B(2)))), 'HCACK', 3, false],
    [5, 2, B(0), 'ACKC5', 0, true],
    [7, 18, B(6), 'ACKC7', 6, true],
    [7, 18, B(4), 'ACKC7', 4, false],
    [5, 14, L(A('EX1'), L(BOOLEAN(false), L())), 'ACKA', 0, false],
    [6, 6, B(2), 'GRANT6', 2, false],
    [1, 18, B(2), 'ONLACK', 2, false],
    [2, 42, L(U1(2)), 'HCACK', 2, false],
    [2, 38, B(1), 'ERACK', 1, false],
    [2, 42, L(U1(4), L()), 'HCACK', 4, true],
    [2, 42, L(I8(0n)), 'HCACK', 0, true],
    [5, 2, U8(1n), 'ACKC5', 1, false],
    [1, 18, I2(0), 'ONLACK', 0, true],
    [3, 18, L(U1(4), L()), 'CAACK', 4, true],
    [14, 10, L(A('C'), L(), L(U1(1), L())), 'OBJACK', 1, false],
    [16, 12, L(A('P'), L(BOOLEAN(true), L())), 'ACKA', 1, true],
  ])('S%iF%i carries one', (stream, fn, item, name, code, accepted) => {
    expect(catalogue.mayAcknowledge(stream, fn)).toBe(true)
    expect(catalogue.acknowledgement(stream, fn, item)).toMatchObject({ item: name, code, accepted })
  })

  test.each([
    [1, 4],
    [1, 12],
    [2, 41],
    [6, 11],
    [7, 6],
    [99, 2],
  ])('S%iF%i carries none, whatever it holds', (stream, fn) => {
    expect(catalogue.mayAcknowledge(stream, fn)).toBe(false)
  })

  test.each<[number, number, Item | undefined]>([
    [1, 2, L(A('X'), A('1'))],
    [2, 42, undefined],
    [2, 42, L(B(), L())],
    [2, 42, L(B(0, 0), L())],
    [2, 42, L(F4(0), L())],
    [2, 42, L(A('0'), L())],
    [2, 41, L(B(0))],
    [99, 2, B(0)],
  ])('S%iF%i without a code carries none', (stream, fn, item) => {
    expect(catalogue.acknowledgement(stream, fn, item)).toBeUndefined()
  })
})
