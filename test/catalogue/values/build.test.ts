import { describe, expect, test } from 'vitest'
import { CatalogueError } from '../../../src/catalogue/catalogue.js'
import { STANDARD_CATALOGUE as catalogue } from '../../../src/catalogue/standard-catalogue.js'
import type { View } from '../../../src/catalogue/view.js'
import { A, B, BOOLEAN, F8, I4, type Item, L, U1, U2, U4, U8 } from '../../../src/secs2/item.js'
import { textCodec } from '../../../src/secs2/text.js'

type Data = Readonly<Record<string, unknown>>

const host: View = { sender: 'host' }
const equipment: View = { sender: 'equipment' }

function problems(stream: number, fn: number, data: Data, view: View = host): readonly unknown[] {
  try {
    catalogue.buildAny(stream, fn, data, view)
  } catch (error) {
    if (error instanceof CatalogueError) return error.problems
    throw error
  }
  return []
}

describe('without data', () => {
  test.each<[number, number, View, Item | undefined]>([
    [1, 1, host, undefined],
    [1, 3, host, L()],
    [1, 13, host, L()],
    [2, 37, { sender: 'host' }, undefined],
    [5, 5, host, U4()],
    [7, 6, equipment, L()],
  ])('S%iF%i is header-only or empty where it may be', (stream, fn, view, item) => {
    const data = stream === 2 ? { CEED: 'true' } : {}
    expect(catalogue.buildAny(stream, fn, data, view)).toEqual(stream === 2 ? L(BOOLEAN(true), L()) : item)
  })

  test('what has to be there is missed, all of it at once', () => {
    expect(problems(1, 13, {}, equipment)).toEqual([
      { item: 'MDLN', detail: 'is missing' },
      { item: 'SOFTREV', detail: 'is missing' },
    ])
  })
})

describe('named values', () => {
  test.each<[Data, Item]>([
    [{ SVID: ['1', '2'] }, L(U4(1), U4(2))],
    [{ SVID: '1' }, L(U4(1))],
    [{ SVID: '0x10' }, L(U4(16))],
    [{ SVID: [1, { U2: 2 }] }, L(U4(1), U2(2))],
    [{ SVID: { A: 'Temp' } }, L(A('Temp'))],
    [{ SVID: [] }, L()],
  ])('S1F3 of %j', (data, item) => {
    expect(catalogue.buildAny(1, 3, data, host)).toEqual(item)
  })

  test('a repeated group is an array of objects, one object, or its one member flat', () => {
    const item = L(A('START'), L(L(A('LOTID'), A('L1'))))
    const member = { CPNAME: 'LOTID', CPVAL: 'L1' }
    expect(catalogue.buildAny(2, 41, { RCMD: 'START', PARAMS: [member] }, host)).toEqual(item)
    expect(catalogue.buildAny(2, 41, { RCMD: 'START', PARAMS: member }, host)).toEqual(item)
    expect(catalogue.buildAny(2, 41, { RCMD: 'START', ...member }, host)).toEqual(item)
    expect(catalogue.buildAny(2, 41, { RCMD: 'START' }, host)).toEqual(L(A('START'), L()))
  })

  test('groups nest, given whole or flat', () => {
    const item = L(U4(1), L(L(U4(7), L(U4(1), U4(2)))))
    expect(catalogue.buildAny(2, 33, { DATAID: 1, REPORTS: [{ RPTID: 7, VID: [1, 2] }] }, host)).toEqual(item)
    expect(catalogue.buildAny(2, 33, { DATAID: '1', RPTID: '7', VID: ['1', '2'] }, host)).toEqual(item)
  })

  test.each<[unknown, Item]>([
    ['5', A('5')],
    [5, U4(5)],
    [2 ** 32, U8(2 ** 32)],
    [-5, I4(-5)],
    [1.5, F8(1.5)],
    [true, BOOLEAN(true)],
    [['a', 1], L(A('a'), U4(1))],
    [{ U1: [1, 2] }, U1(1, 2)],
    [{ L: [{ A: 'x' }] }, L(A('x'))],
  ])('a value of free format %j is of its own kind', (value, item) => {
    expect(catalogue.buildAny(6, 20, { V: [value] }, equipment)).toEqual(L(item))
  })

  test.each<[unknown, Item]>([
    ['0', B(0)],
    ['0x0a', B(10)],
    ['0x0102ff', B(1, 2, 255)],
    [[1, '2'], B(1, 2)],
    [[], B()],
  ])('bytes are a number, a string of hex or an array: %j', (value, item) => {
    expect(catalogue.buildAny(2, 25, { ABS: value }, host)).toEqual(item)
  })

  test.each([true, 'true', 'T', 1, '1'])('%j is true', (value) => {
    expect(catalogue.buildAny(2, 37, { CEED: value }, host)).toEqual(L(BOOLEAN(true), L()))
  })

  test('one message differs by who sends it', () => {
    expect(catalogue.buildAny(1, 14, { COMMACK: '0' }, host)).toEqual(L(B(0), L()))
    expect(catalogue.buildAny(1, 14, { COMMACK: '0', MDLN: 'X', SOFTREV: '1' }, equipment)).toEqual(
      L(B(0), L(A('X'), A('1'))),
    )
  })
})

describe('an equipment’s own ways', () => {
  test('its formats are built', () => {
    const view: View = { sender: 'host', formats: { SVID: 'U2', CPVAL: 'U4', LOTID: 'A' } }
    expect(catalogue.buildAny(1, 3, { SVID: '1' }, view)).toEqual(L(U2(1)))
    expect(catalogue.buildAny(2, 41, { RCMD: 'GO', CPNAME: 'N', CPVAL: '5' }, view)).toEqual(
      L(A('GO'), L(L(A('N'), U4(5)))),
    )
  })

  test('a format that the item does not have elsewhere is built all the same', () => {
    expect(
      catalogue.buildAny(2, 42, { HCACK: '0' }, { sender: 'equipment', formats: { HCACK: 'U1' } }),
    ).toEqual(L(U1(0), L()))
  })

  test('its text encoding is written', () => {
    const view: View = { sender: 'host', text: textCodec('gb18030') }
    expect(catalogue.buildAny(10, 3, { TID: 0, TEXT: '中' }, view)).toEqual(L(B(0), A('\xd6\xd0')))
  })
})

describe('a choice', () => {
  const job = { DATAID: 0, PRJOBID: 'P', MF: 13, PRRECIPEMETHOD: 1, RCPSPEC: 'R', PRPROCESSSTART: true }
  const materialIn = (data: Data): Item | undefined => {
    const body = catalogue.buildAny(16, 11, { ...job, ...data }, host)
    return body?.format === 'L' ? body.items[3] : undefined
  }

  test.each<[Data, Item]>([
    [{ MID: ['W1'] }, L(A('W1'))],
    [{ CARRIERS: [{ CARRIERID: 'C1', SLOTID: [1] }] }, L(L(A('C1'), L(U1(1))))],
    [{ CARRIERID: 'C1', SLOTID: '1' }, L(L(A('C1'), L(U1(1))))],
    [{}, L()],
  ])('is made by the names that are given: %j', (data, item) => {
    expect(materialIn(data)).toEqual(item)
  })

  test('takes the names of one alternative only', () => {
    expect(problems(16, 11, { ...job, MID: 'W1', CARRIERID: 'C1' })).toEqual([
      { item: 'MID', detail: expect.stringContaining('is not known here') },
    ])
  })
})

describe('a closed group', () => {
  const request = { OBJSPEC: '', OBJTYPE: 'Carrier', ATTRID: ['CarrierID'] }

  test('leaves the names that stand beside it as they are', () => {
    expect(catalogue.buildAny(14, 1, request, host)).toEqual(
      L(A(''), A('Carrier'), L(), L(), L(A('CarrierID'))),
    )
  })

  test('is given whole', () => {
    const FILTERS = { ATTRID: 'State', ATTRDATA: '1', ATTRRELN: 0 }
    expect(catalogue.buildAny(14, 1, { ...request, FILTERS }, host)).toEqual(
      L(A(''), A('Carrier'), L(), L(L(A('State'), A('1'), U1(0))), L(A('CarrierID'))),
    )
    expect(problems(14, 1, { ...request, ATTRRELN: 0 })).toEqual([
      { item: 'ATTRRELN', detail: 'is not known here: there is OBJSPEC, OBJTYPE, OBJID, FILTERS, ATTRID' },
    ])
  })
})

describe('what does not fit', () => {
  test.each<[number, number, Data, string, string]>([
    [1, 1, { SVID: '1' }, 'SVID', 'is not known here: there are none here'],
    [1, 3, { SVIDS: '1' }, 'SVIDS', 'is not known here: there is SVID'],
    [1, 3, { SVID: ['1', 'x'] }, 'SVID/1', '"x" is no integer, as U4 wants'],
    [1, 3, { SVID: '-1' }, 'SVID', '"-1" is outside U4: 0 to 4294967295'],
    [1, 3, { SVID: [['1', '2']] }, 'SVID/0', 'takes one value, not 2'],
    [1, 3, { SVID: [null] }, 'SVID/0', 'takes a number, not null'],
    [1, 3, { SVID: true }, 'SVID', 'takes a number, not a boolean'],
    [1, 3, { SVID: { F4: 1 } }, 'SVID', 'takes U4, not F4'],
    [1, 3, { SVID: { U4: -1 } }, 'SVID', '/U4: -1 is outside U4: 0 to 4294967295'],
    [2, 41, { RCMD: 'X', CPNAME: 'A' }, 'CPVAL', 'is missing'],
    [2, 41, { RCMD: 'X', PARAMS: [{ CPNAME: 'A' }] }, 'PARAMS/0/CPVAL', 'is missing'],
    [
      2,
      41,
      { RCMD: 'X', PARAMS: [{ CPNAME: 'A', CPVAL: 1, X: 1 }] },
      'PARAMS/0/X',
      'is not known here: there is CPNAME, CPVAL',
    ],
    [2, 41, { RCMD: 'X', PARAMS: ['A'] }, 'PARAMS/0', 'takes an object with CPNAME, CPVAL'],
    [2, 41, { RCMD: 'X', PARAMS: [], CPNAME: 'A' }, 'CPNAME', 'is not known here: there is RCMD, PARAMS'],
    [2, 37, { CEED: 'yes' }, 'CEED', 'takes true or false, not "yes"'],
    [2, 25, { ABS: '0x123' }, 'ABS', '"0x123" is outside U1: 0 to 255'],
    [10, 3, { TID: 0, TEXT: '中' }, 'TEXT', 'the character U+4E2D cannot be written in latin1'],
    [10, 3, { TID: 0, TEXT: true }, 'TEXT', 'takes text, not a boolean'],
  ])('S%iF%i of %j names the item and the reason', (stream, fn, data, item, detail) => {
    expect(problems(stream, fn, data)).toEqual([{ item, detail }])
  })

  test('the message says all of it', () => {
    expect(() => catalogue.buildAny(2, 41, { FOO: 1 }, host)).toThrow(
      'S2F41 Host Command Send: FOO is not known here: there is RCMD, PARAMS, CPNAME, CPVAL; RCMD is missing',
    )
  })

  test('a hundred problems are told, and how many more there are', () => {
    const SVID = new Array(150).fill('x')
    expect(problems(1, 3, { SVID })).toHaveLength(100)
    expect(() => catalogue.buildAny(1, 3, { SVID }, host)).toThrow(/; and 50 more$/)
  })

  test('a message that is not known is named', () => {
    expect(problems(99, 1, {})).toEqual([{ item: 'S99F1', detail: 'is not in the catalogue' }])
  })

  test('names that every object has are unknown like others', () => {
    expect(problems(1, 3, JSON.parse('{"__proto__":1,"constructor":2}'))).toHaveLength(2)
  })

  test('values nested beyond all measure are refused', () => {
    let value: unknown = 'x'
    for (let depth = 0; depth < 100_000; depth++) value = [value]
    expect(problems(6, 20, { V: [value] }, equipment)).toEqual([
      { item: 'V/0', detail: 'takes lists nested no deeper than 128' },
    ])
  })
})
