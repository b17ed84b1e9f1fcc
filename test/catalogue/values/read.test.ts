import { describe, expect, test } from 'vitest'
import { STANDARD_CATALOGUE as catalogue } from '../../../src/catalogue/standard-catalogue.js'
import type { View } from '../../../src/catalogue/view.js'
import { A, B, BOOLEAN, F4, type Item, L, U1, U2, U4, U8 } from '../../../src/secs2/item.js'
import { textCodec } from '../../../src/secs2/text.js'

const host: View = { sender: 'host' }
const equipment: View = { sender: 'equipment' }

describe('a body that fits', () => {
  test.each<[number, number, Item | undefined, View, unknown]>([
    [1, 1, undefined, host, {}],
    [1, 3, L(), host, { SVID: [] }],
    [1, 3, L(U4(1), U2(2), A('T')), host, { SVID: ['1', '2', 'T'] }],
    [1, 13, L(), host, {}],
    [1, 13, L(A('X'), A('1')), equipment, { MDLN: 'X', SOFTREV: '1' }],
    [1, 14, L(B(0), L(A('X'), A('1'))), equipment, { COMMACK: '0', MDLN: 'X', SOFTREV: '1' }],
    [1, 14, L(B(1), L()), equipment, { COMMACK: '1' }],
    [2, 37, L(BOOLEAN(true), L(U8(5))), host, { CEED: 'true', CEID: ['5'] }],
    [5, 1, L(B(0x85), U2(7), A('hot')), equipment, { ALCD: '133', ALID: '7', ALTX: 'hot' }],
    [5, 6, L(L(B(), U4(7), A(''))), equipment, { ROWS: [{ ALCD: [], ALID: '7', ALTX: '' }] }],
    [6, 11, L(U4(), U4(9), L()), equipment, { DATAID: [], CEID: '9', REPORTS: [] }],
    [9, 7, B(0, 1, 2), equipment, { MHEAD: '0x000102' }],
  ])('S%iF%i is named values, as strings', (stream, fn, item, view, values) => {
    expect(catalogue.readAny(stream, fn, item, view)).toEqual(values)
  })

  test('values of any format and lists in lists', () => {
    const values = L(A('x'), F4(0.1), U1(1, 2), U1(), BOOLEAN(true, false), B(1), B(1, 2), L(A('y'), L()))
    expect(catalogue.readAny(6, 20, values, equipment)).toEqual({
      V: ['x', '0.1', ['1', '2'], [], ['true', 'false'], '1', '0x0102', ['y', []]],
    })
  })

  test('older structures are read as well', () => {
    expect(catalogue.readAny(1, 3, U4(1, 2), host)).toEqual({ SVID: ['1', '2'] })
    expect(catalogue.readAny(5, 5, L(U4(1)), host)).toEqual({ ALID: ['1'] })
    const trace = L(U4(1), A('000010'), U4(5), U4(1), U2(1, 2))
    expect(catalogue.readAny(2, 23, trace, host)).toMatchObject({ SVID: ['1', '2'] })
  })

  test('text is in the equipment’s encoding', () => {
    const item = A('\xd6\xd0')
    expect(catalogue.readAny(10, 9, item, { sender: 'host', text: textCodec('gb18030') })).toEqual({
      TEXT: '中',
    })
  })

  test('a format that is the equipment’s own is read', () => {
    expect(catalogue.readAny(2, 18, U1(9), equipment)).toBeNull()
    expect(catalogue.readAny(2, 18, U1(9), { sender: 'equipment', formats: { TIME: 'U1' } })).toEqual({
      TIME: '9',
    })
  })

  test('a code is read whichever integer equipment makes of it, and of a host as the standard has it', () => {
    const item = L(U1(4), U4(7), A('Pressure'))
    expect(catalogue.readAny(5, 1, item, equipment)).toEqual({ ALCD: '4', ALID: '7', ALTX: 'Pressure' })
    expect(catalogue.readAny(5, 1, L(U1(4, 5), U4(7), A('')), equipment)).toBeNull()
    expect(catalogue.readAny(5, 1, L(A('4'), U4(7), A('')), equipment)).toBeNull()
    expect(catalogue.readAny(5, 3, L(U1(128), U4(7)), { sender: 'host' })).toBeNull()
  })
})

describe('a choice', () => {
  const job = (material: Item): Item =>
    L(U4(0), A('P'), B(14), material, L(U1(1), A('R'), L()), BOOLEAN(true), L())

  test('is read as the alternative that fits', () => {
    expect(catalogue.readAny(16, 11, job(L(A('W1'))), host)).toMatchObject({ MID: ['W1'] })
    const carriers = job(L(L(A('C1'), L())))
    expect(catalogue.readAny(16, 11, carriers, host)).toMatchObject({
      CARRIERS: [{ CARRIERID: 'C1', SLOTID: [] }],
    })
  })

  test('of which none fits is null', () => {
    expect(catalogue.readAny(16, 11, job(L(A('W1'), L(A('C1'), L()))), host)).toBeNull()
    expect(catalogue.readAny(16, 11, job(A('W1')), host)).toBeNull()
  })

  test('leaves nothing of an alternative that did not fit', () => {
    const values = catalogue.readAny(16, 11, job(L(A('W1'))), host)
    expect(values).not.toHaveProperty('CARRIERS')
  })
})

describe('a body that does not fit', () => {
  test.each<[number, number, Item | undefined]>([
    [1, 1, L()],
    [1, 3, undefined],
    [1, 3, L(F4(1))],
    [1, 13, L(A('X'))],
    [1, 13, L(A('X'), A('1'), A('2'))],
    [1, 13, L(A('X'), L())],
    [5, 1, L(B(1, 2), U4(7), A(''))],
    [5, 1, L(B(1), U4(7, 8), A(''))],
    [6, 11, L(U4(1), U4(9), L(L(U4(1))))],
    [6, 11, L(U4(1), U4(9), L(L(U4(1), A('no list'))))],
    [99, 1, undefined],
  ])('S%iF%i is null', (stream, fn, item) => {
    expect(catalogue.readAny(stream, fn, item, equipment)).toBeNull()
  })
})
