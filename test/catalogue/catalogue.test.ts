import { describe, expect, test } from 'vitest'
import {
  acknowledgement,
  alarmCategory,
  allMessages,
  codeText,
  describeMessage,
  findItem,
  findMessage,
  messageName,
  replies,
  wBitOf,
} from '../../src/catalogue/catalogue.js'
import { A, B, BOOLEAN, type Item, L, U1 } from '../../src/secs2/item.js'

describe('messages', () => {
  test.each([
    [1, 13, 'S1F13 Establish Communications Request'],
    [6, 11, 'S6F11 Event Report Send'],
    [1, 0, 'S1F0 Abort Transaction'],
    [99, 0, 'S99F0 Abort Transaction'],
    [99, 1, 'S99F1'],
  ])('S%iF%i has a name', (stream, fn, name) => {
    expect(messageName(stream, fn)).toBe(name)
  })

  test('the sender chooses the row, and the other’s will do', () => {
    expect(findMessage(1, 13, 'host')?.structure).toBe('<L>')
    expect(findMessage(1, 13, 'equipment')?.structure).toBe('<L <MDLN> <SOFTREV>>')
    expect(findMessage(6, 11, 'host')?.direction).toBe('equipment')
    expect(findMessage(99, 1)).toBeUndefined()
  })

  test.each([
    [1, 13, 'required'],
    [5, 3, 'optional'],
    [1, 14, 'forbidden'],
    [9, 7, 'forbidden'],
    [99, 1, undefined],
  ])('S%iF%i has a W-bit', (stream, fn, wBit) => {
    expect(wBitOf(stream, fn, 'host')).toBe(wBit)
  })

  test('only a primary with a secondary is replied to', () => {
    expect([replies(1, 13), replies(1, 14), replies(9, 7), replies(99, 1)]).toEqual([
      true,
      false,
      false,
      false,
    ])
  })

  test('a description holds both forms, the items and where the facts come from', () => {
    expect(describeMessage(1, 13)).toMatchObject({
      name: 'S1F13 Establish Communications Request',
      forms: [
        { direction: 'host', wBit: 'required', structure: '<L>', source: expect.stringContaining('secsgem') },
        { direction: 'equipment', structure: '<L <MDLN> <SOFTREV>>' },
      ],
      items: [{ name: 'MDLN' }, { name: 'SOFTREV' }],
      replies: true,
    })
    expect(describeMessage(99, 1)).toBeUndefined()
  })
})

test('the catalogue covers these streams', () => {
  const functions = new Set(allMessages().map(({ stream, function: fn }) => `S${stream}F${fn}`))
  const streams = new Set(allMessages().map(({ stream }) => stream))
  expect([...streams]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15, 16, 17, 18, 19, 21])
  expect(functions.size).toBeGreaterThanOrEqual(400)
})

describe('codes', () => {
  test.each([
    ['HCACK', 2, 'cannot perform now'],
    ['HCACK', 63, 'reserved'],
    ['HCACK', 64, 'equipment-specific'],
    ['GRNT1', 4, 'ID already there'],
    ['GRNT1', 5, 'not listed'],
    ['BLKDEF', -1, 'ends a block'],
    ['ERRCODE', 17, 'not valid in this state'],
    ['COMMACK', 0, 'accepted'],
    ['NOTHING', 0, 'unknown'],
    ['MDLN', 0, 'unknown'],
  ])('%s %i has a meaning', (item, code, text) => {
    expect(codeText(item, code)).toBe(text)
  })

  test.each([
    [1, 'personal safety'],
    [0x85, 'irrecoverable error'],
    [9, 'other category'],
    [127, 'equipment-specific'],
  ])('category %i has a meaning', (code, text) => {
    expect(alarmCategory(code)).toBe(text)
  })

  test('an item knows its formats, the one that is built first', () => {
    expect(findItem('SVID')?.formats.slice(0, 1)).toEqual(['U4'])
    expect(findItem('SVID')?.formats).toContain('A')
    expect(findItem('constructor')).toBeUndefined()
  })
})

describe('acknowledgement', () => {
  test.each<[number, number, Item, string, number, boolean]>([
    [1, 14, L(B(1), L()), 'COMMACK', 1, false],
    [2, 42, L(B(0), L()), 'HCACK', 0, true],
    [2, 42, L(B(4), L()), 'HCACK', 4, true],
    [2, 42, L(B(3), L(L(A('LOTID'), B(2)))), 'HCACK', 3, false],
    [5, 2, B(0), 'ACKC5', 0, true],
    [5, 14, L(A('EX1'), L(BOOLEAN(false), L())), 'ACKA', 0, false],
    [6, 6, B(2), 'GRANT6', 2, false],
    [1, 18, B(2), 'ONLACK', 2, false],
    [2, 42, L(U1(2)), 'HCACK', 2, false],
    [2, 38, B(1), 'ERACK', 1, false],
    [3, 18, L(U1(4), L()), 'CAACK', 4, true],
    [14, 10, L(A('C'), L(), L(U1(1), L())), 'OBJACK', 1, false],
    [16, 12, L(A('P'), L(BOOLEAN(true), L())), 'ACKA', 1, true],
  ])('S%iF%i carries one', (stream, fn, item, name, code, accepted) => {
    expect(acknowledgement(stream, fn, item)).toMatchObject({ item: name, code, accepted })
  })

  test.each<[number, number, Item | undefined]>([
    [1, 2, L(A('X'), A('1'))],
    [2, 42, undefined],
    [2, 42, L(B(), L())],
    [2, 41, L(B(0))],
    [99, 2, B(0)],
  ])('S%iF%i without a code carries none', (stream, fn, item) => {
    expect(acknowledgement(stream, fn, item)).toBeUndefined()
  })
})
