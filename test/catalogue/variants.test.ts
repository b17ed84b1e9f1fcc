import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { STANDARD_CATALOGUE as catalogue } from '../../src/catalogue/standard-catalogue.js'
import { A, B, BOOLEAN, F4, F8, I1, I2, I4, I8, type Item, L, U1, U2, U4, U8 } from '../../src/secs2/item.js'
import { anyItem } from '../secs2/any-item.js'

const equipment = { sender: 'equipment' } as const
const host = { sender: 'host' } as const
const INTEGERS = { U1, U2, U4, U8, I1, I2, I4, I8 }
const ALTERNATIVES = Object.entries(INTEGERS).map(([format, make]) => [format, make(7)] as const)

describe('an identifier is any integer, or text', () => {
  test.each([...ALTERNATIVES, ['A', A('7')] as const])('as %s', (_format, id) => {
    const alarm = catalogue.readAny(5, 1, L(B(0x81), id, A('hot')), equipment)
    expect(alarm).toEqual({ ALCD: '129', ALID: '7', ALTX: 'hot' })
    expect(catalogue.readAny(1, 3, L(id, id), host)).toEqual({ SVID: ['7', '7'] })
    expect(catalogue.readAny(2, 13, L(id), host)).toEqual({ ECID: ['7'] })
    expect(catalogue.readAny(2, 37, L(BOOLEAN(true), L(id)), host)).toEqual({ CEED: 'true', CEID: ['7'] })
    expect(catalogue.readAny(2, 35, L(id, L(L(id, L(id)))), host)).toEqual({
      DATAID: '7',
      EVENTS: [{ CEID: '7', RPTID: ['7'] }],
    })
    expect(catalogue.readAny(6, 11, L(id, id, L(L(id, L(id)))), equipment)).toEqual({
      DATAID: '7',
      CEID: '7',
      REPORTS: [{ RPTID: '7', V: ['7'] }],
    })
  })
})

describe('an event report', () => {
  test('may have no reports, reports without values, and values that are lists', () => {
    expect(catalogue.readAny(6, 11, L(U4(1), U4(2), L()), equipment)).toEqual({
      DATAID: '1',
      CEID: '2',
      REPORTS: [],
    })
    const nested = L(U4(1), U4(2), L(L(U4(3), L()), L(U4(4), L(L(A('x'), L(F4(0.5))), F8()))))
    expect(catalogue.readAny(6, 11, nested, equipment)).toMatchObject({
      REPORTS: [
        { RPTID: '3', V: [] },
        { RPTID: '4', V: [['x', ['0.5']], []] },
      ],
    })
  })
})

describe('a trace', () => {
  test.each<[string, Item, Item]>([
    ['numbers', U4(1), U4(5)],
    ['small numbers', U1(1), U2(5)],
    ['text', A('T1'), A('5')],
  ])('may be asked for with %s', (_what, id, count) => {
    const body = L(id, A('000010'), count, count, L(id, id))
    expect(catalogue.readAny(2, 23, body, host)).toMatchObject({ DSPER: '000010', TOTSMP: '5', REPGSZ: '5' })
  })

  test('may be asked for with either kind of value', () => {
    const given = { TRID: 1, DSPER: '000010', TOTSMP: 5, REPGSZ: 1, SVID: [1, 2] }
    const texts = { TRID: '1', DSPER: '000010', TOTSMP: '5', REPGSZ: '1', SVID: ['1', '2'] }
    expect(catalogue.buildAny(2, 23, given, host)).toEqual(catalogue.buildAny(2, 23, texts, host))
    const formats = { TRID: 'A', TOTSMP: 'A', REPGSZ: 'A', SVID: 'U2' }
    expect(catalogue.buildAny(2, 23, given, { ...host, formats })).toEqual(
      L(A('1'), A('000010'), A('5'), A('1'), L(U2(1), U2(2))),
    )
  })
})

test('variables, constants and parameters have values of any format', () => {
  fc.assert(
    fc.property(anyItem, (value) => {
      expect(catalogue.readAny(1, 4, L(value, value), equipment)).not.toBeNull()
      expect(catalogue.readAny(2, 14, L(value), equipment)).not.toBeNull()
      expect(catalogue.readAny(6, 11, L(U4(1), U4(2), L(L(U4(3), L(value)))), equipment)).not.toBeNull()
      expect(catalogue.readAny(2, 41, L(A('GO'), L(L(A('P'), value))), host)).not.toBeNull()
    }),
  )
})
