import { describe, expect, test } from 'vitest'
import { parseStructure, StructureError } from '../../../src/catalogue/structure/parse-structure.js'
import { itemNames, namesIn } from '../../../src/catalogue/structure/structure.js'

describe('the structure notation', () => {
  test('nothing is a header-only message', () => {
    expect(parseStructure(' ')).toEqual({ kind: 'nothing' })
  })

  test('an item is its name, three dots in it mean any number of values', () => {
    expect(parseStructure('<CEID>')).toEqual({ kind: 'item', name: 'CEID', many: false })
    expect(parseStructure('<ALID...>')).toEqual({ kind: 'item', name: 'ALID', many: true })
  })

  test('a list has members, and with a question mark may be empty', () => {
    const members = [
      { kind: 'item', name: 'MDLN', many: false },
      { kind: 'item', name: 'SOFTREV', many: false },
    ]
    expect(parseStructure('<L <MDLN> <SOFTREV>>')).toEqual({ kind: 'list', mayBeEmpty: false, members })
    expect(parseStructure('<L? <MDLN> <SOFTREV>>')).toEqual({ kind: 'list', mayBeEmpty: true, members })
    expect(parseStructure('<L>')).toEqual({ kind: 'list', mayBeEmpty: false, members: [] })
  })

  test('three dots after an item repeat it', () => {
    expect(parseStructure('<L <SVID>...>')).toEqual({ kind: 'items', name: 'SVID' })
  })

  test('three dots after a name repeat what follows', () => {
    const reports = parseStructure('<L REPORTS... <L <RPTID> <L <V>...>>>')
    expect(reports).toEqual({
      kind: 'group',
      name: 'REPORTS',
      member: {
        kind: 'list',
        mayBeEmpty: false,
        members: [
          { kind: 'item', name: 'RPTID', many: false },
          { kind: 'items', name: 'V' },
        ],
      },
    })
    expect(namesIn(reports)).toEqual(['REPORTS', 'RPTID', 'V'])
    expect(itemNames(reports)).toEqual(['RPTID', 'V'])
  })

  test('a choice holds its alternatives', () => {
    const choice = parseStructure('<L <MF> (<L <MID>...> | <L CARRIERS... <L <CARRIERID> <L <SLOTID>...>>>)>')
    expect(choice).toMatchObject({
      kind: 'list',
      members: [
        { kind: 'item', name: 'MF' },
        {
          kind: 'choice',
          alternatives: [
            { kind: 'items', name: 'MID' },
            { kind: 'group', name: 'CARRIERS' },
          ],
        },
      ],
    })
    expect(namesIn(choice)).toEqual(['MF', 'MID', 'CARRIERS', 'CARRIERID', 'SLOTID'])
    expect(itemNames(choice)).toEqual(['MF', 'MID', 'CARRIERID', 'SLOTID'])
  })

  test('a group is closed where a name in it stands elsewhere at its level', () => {
    const closed = parseStructure('<L <L FILTERS... <L <ATTRID> <ATTRDATA>>> <L <ATTRID>...>>')
    expect(closed).toMatchObject({ members: [{ kind: 'group', closed: true }, { kind: 'items' }] })
    expect(namesIn(closed)).toEqual(['FILTERS', 'ATTRID'])
    expect(itemNames(closed)).toEqual(['ATTRID', 'ATTRDATA'])
  })

  test('of two groups with a name in common both are closed, in lists between as well', () => {
    const both = parseStructure('<L <L A... <L <X> <Y>>> <L <Z> <L B... <L <X>>>>>')
    expect(namesIn(both)).toEqual(['A', 'Z', 'B'])
  })

  test.each([
    ['()', 2, '"<" or "(" expected, but found ")"'],
    ['(<A>', 5, '"|" or ")" expected, but the text ends'],
    ['(<A> <B>)', 6, '"|" or ")" expected, but found "<"'],
    ['<L (<A> | )>', 11, '"<" or "(" expected, but found ")"'],
    ['<L <A> | <B>>', 8, '"<", "(" or ">" expected, but found "|"'],
    ['<', 2, '"L" or the name of an item expected, but the text ends'],
    ['<A', 3, '">" or "..." expected, but the text ends'],
    ['<A>>', 4, 'the end expected, but found ">"'],
    ['<A> <B>', 5, 'the end expected, but found "<"'],
    ['<L <A>... <B>>', 11, '">" expected, but found "<"'],
    ['<L? <A>...>', 8, '"<", "(" or ">" expected, but found "..."'],
    ['<L NAMES <A>>', 10, '"..." expected, but found "<"'],
    ['<L NAMES... >', 13, '"<" or "(" expected, but found ">"'],
    ['<>', 2, '"L" or the name of an item expected, but found ">"'],
    ['<a>', 2, '"a" is no part of a structure'],
    ['<A;>', 3, '";" is no part of a structure'],
    ['<L '.repeat(100), 100, 'lists nest deeper than 32'],
  ])('%s is a mistake at character %i', (text, character, detail) => {
    let error: unknown
    try {
      parseStructure(text)
    } catch (thrown) {
      error = thrown
    }
    expect(error).toBeInstanceOf(StructureError)
    expect(error).toMatchObject({ at: character - 1, detail })
  })
})
