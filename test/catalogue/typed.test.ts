import { describe, expect, expectTypeOf, test } from 'vitest'
import type { Content, Given, MessageFrom, ReplyTo } from '../../src/catalogue/known-message.js'
import { STANDARD_CATALOGUE as catalogue } from '../../src/catalogue/standard-catalogue.js'
import type {
  GivenData,
  GivenValue,
  ReadData,
  ReadValue,
} from '../../src/catalogue/structure/structure-data.js'
import { A, B, L, U4 } from '../../src/secs2/item.js'

const host = { sender: 'host' } as const
const equipment = { sender: 'equipment' } as const

describe('the types of a structure’s named data', () => {
  test('have its names, and which of them may be left out', () => {
    expectTypeOf<GivenData<'<L <MDLN> <SOFTREV>>'>>().toEqualTypeOf<
      { readonly MDLN: GivenValue } & { readonly SOFTREV: GivenValue }
    >()
    expectTypeOf<GivenData<'<L <SVID>...>'>>().toEqualTypeOf<{ readonly SVID?: GivenValue }>()
    expectTypeOf<GivenData<'<ALID...>'>>().toEqualTypeOf<{ readonly ALID?: GivenValue }>()
    expectTypeOf<GivenData<''>>().toEqualTypeOf<Readonly<Record<string, never>>>()
    expectTypeOf<GivenData<'<L>'>>().toEqualTypeOf<Readonly<Record<string, never>>>()
  })

  test('tell values, repeats and groups apart when they are read', () => {
    type Report = ReadData<'<L <CEID> <L REPORTS... <L <RPTID> <L <V>...>>>>'>
    expectTypeOf<Report['CEID']>().toEqualTypeOf<ReadValue>()
    expectTypeOf<Report['REPORTS'][number]['RPTID']>().toEqualTypeOf<ReadValue>()
    expectTypeOf<Report['REPORTS'][number]['V']>().toEqualTypeOf<readonly ReadValue[]>()
  })

  test('follow lists that may be empty, and choices', () => {
    expectTypeOf<keyof ReadData<'<L <COMMACK> <L? <MDLN> <SOFTREV>>>'>>().toEqualTypeOf<
      'COMMACK' | 'MDLN' | 'SOFTREV'
    >()
    expectTypeOf<{ COMMACK: string }>().toExtend<GivenData<'<L <COMMACK> <L? <MDLN> <SOFTREV>>>'>>()
    type Material = ReadData<'<L <MF> (<L <MID>...> | <L CARRIERS... <L <CARRIERID> <L <SLOTID>...>>>)>'>
    expectTypeOf<{ MF: string; MID: string[] }>().toExtend<Material>()
    expectTypeOf<{ MF: string; CARRIERS: [] }>().toExtend<Material>()
    expectTypeOf<{ MF: string }>().not.toExtend<Material>()
  })

  test('are those of both sides’ rows, and of structures that are read as well', () => {
    expectTypeOf<Given<'S1F13', 'host'>>().toEqualTypeOf<Readonly<Record<string, never>>>()
    expectTypeOf<keyof Given<'S1F13', 'equipment'>>().toEqualTypeOf<'MDLN' | 'SOFTREV'>()
    expectTypeOf<Content<'S1F3', 'host'>['SVID']>().toEqualTypeOf<ReadValue | readonly ReadValue[]>()
    expectTypeOf<'S6F11'>().toExtend<MessageFrom<'equipment'>>()
    expectTypeOf<'S6F11'>().not.toExtend<MessageFrom<'host'>>()
    expectTypeOf<ReplyTo<'S1F1' | 'S2F9' | 'S2F49' | 'S6F11'>>().toEqualTypeOf<
      'S1F2' | 'S2F10' | 'S2F50' | 'S6F12'
    >()
  })
})

describe('a wrong name is a mistake for the compiler', () => {
  test('in data that are given', () => {
    // @ts-expect-error RCMD is missing
    expect(() => catalogue.build('S2F41', { PARAMS: [] }, host)).toThrow('RCMD is missing')
    // @ts-expect-error there is no RCMDS
    expect(() => catalogue.build('S2F41', { RCMD: 'X', RCMDS: 'Y' }, host)).toThrow('RCMDS is not known here')
    expect(() =>
      // @ts-expect-error CPVAL is missing
      catalogue.build('S2F41', { RCMD: 'X', PARAMS: [{ CPNAME: 'A' }] }, host),
    ).toThrow('PARAMS/0/CPVAL is missing')
    // @ts-expect-error a host's S1F13 has no items
    expect(() => catalogue.build('S1F13', { MDLN: 'X' }, host)).toThrow('MDLN is not known here')
  })

  test('in data that are read', () => {
    const data = catalogue.read('S5F1', L(B(0x85), U4(7), A('hot')), equipment)
    // @ts-expect-error it is ALTX
    expect(data?.ALTEXT).toBeUndefined()
    expect(data?.ALTX).toBe('hot')
  })

  test('in the name of the message', () => {
    // @ts-expect-error there is no S99F1
    expect(() => catalogue.build('S99F1', {}, host)).toThrow('S99F1 is not in the catalogue')
  })
})

test('what is built by name is what any message is built by', () => {
  const data = { DATAID: 1n, CEID: 7, REPORTS: [{ RPTID: '3', V: [1, 'x', true, { F4: 1.5 }] }] }
  const item = catalogue.build('S6F11', data, equipment)
  expect(item).toEqual(catalogue.buildAny(6, 11, data, equipment))
  expect(catalogue.read('S6F11', item, equipment)).toEqual({
    DATAID: '1',
    CEID: '7',
    REPORTS: [{ RPTID: '3', V: ['1', 'x', 'true', '1.5'] }],
  })
})
