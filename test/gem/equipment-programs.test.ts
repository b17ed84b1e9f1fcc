import { beforeEach, describe, expect, test } from 'vitest'
import type { EquipmentModel, ProgramModel } from '../../src/gem/equipment/equipment-model.js'
import { A, B, F4, type Item, L, U1, U2, U4 } from '../../src/secs2/item.js'
import { GemPair } from '../support/gem-pair.js'
import { bareModel } from './bare-model.js'

const PROGRAMS: ProgramModel = {
  stored: [
    { id: 'CLEAN', body: { B: [1, 2, 3] } },
    { id: 'ETCH', steps: [{ command: '10', parameters: [{ F4: [1.5] }] }] },
    { id: 'SERVICE', body: { A: 'factory' } },
  ],
  capacity: 4,
  longest: 100,
  commands: [
    { code: '10', name: 'Pressure', parameters: [{ name: 'Target', format: 'F4', minimum: 0, maximum: 10 }] },
    { code: 'WAIT', name: 'Wait', parameters: [] },
  ],
  locked: ['SERVICE'],
}
const model = (programs: ProgramModel): EquipmentModel =>
  bareModel({
    programs,
    occasions: { program_changed: '41' },
    variables: [
      { id: '1', name: 'PPChangeName', unit: '', kind: 'data', value: { A: '' }, source: 'program_id' },
      {
        id: '2',
        name: 'PPChangeStatus',
        unit: '',
        kind: 'data',
        value: { U1: [0] },
        source: 'program_change',
      },
    ],
    reports: [{ id: '31', variables: ['1', '2'] }],
    events: [{ id: '41', name: 'PPChange', enabled: true, reports: ['31'] }],
  })

let pair: GemPair
async function start(programs: ProgramModel = PROGRAMS): Promise<void> {
  pair = new GemPair(model(programs))
  await pair.select()
  pair.crossed.length = 0
}
beforeEach(() => start())

const inquire = (id: string, length: number): string => pair.told(7, 1, L(A(id), U4(length)))
const send = (id: string, body: Item): string => pair.told(7, 3, L(A(id), body))
const fetch = (id: string): string => pair.told(7, 5, A(id))
const list = (): string => pair.told(7, 19)

describe('unformatted programs', () => {
  test('are listed, fetched and deleted', () => {
    expect(list()).toBe('<L [3] <A "CLEAN"> <A "ETCH"> <A "SERVICE"> >')
    expect([fetch('CLEAN'), fetch('ETCH'), fetch('NONE')]).toEqual([
      '<L [2] <A "CLEAN"> <B 0x01 0x02 0x03> >',
      '<L [0]>',
      '<L [0]>',
    ])
    expect(pair.told(7, 17, L(A('CLEAN')))).toBe('<B 0x00>')
    expect([fetch('CLEAN'), list()]).toEqual(['<L [0]>', '<L [2] <A "ETCH"> <A "SERVICE"> >'])
  })

  test.each([
    ['bytes', B(0, 255, 7)],
    ['text', A('step 1\nstep 2')],
    ['numbers', { format: 'I2', value: Int16Array.of(-1, 2) }],
    ['one number', U1(9)],
  ] as const)('come back as the %s that they were sent as', (_, body) => {
    expect([inquire('NEW', 100), send('NEW', body)]).toEqual(['<B 0x00>', '<B 0x02>'])
    expect(send('NEW', body)).toBe('<B 0x00>')
    const answer = pair.ask(7, 5, A('NEW'))
    expect(answer).toMatchObject({ message: { item: L(A('NEW'), body) } })
  })

  test('take the place of one with the same name, but for those that are locked', () => {
    expect([inquire('CLEAN', 2), send('CLEAN', A('hi'))]).toEqual(['<B 0x00>', '<B 0x00>'])
    expect(fetch('CLEAN')).toBe('<L [2] <A "CLEAN"> <A "hi"> >')
    expect([inquire('SERVICE', 2), send('SERVICE', A('hi'))]).toEqual(['<B 0x05>', '<B 0x01>'])
    expect([pair.told(7, 17, L(A('CLEAN'), A('SERVICE'))), pair.told(7, 17, L())]).toEqual([
      '<B 0x01>',
      '<B 0x01>',
    ])
    expect(fetch('SERVICE')).toBe('<L [2] <A "SERVICE"> <A "factory"> >')
  })

  test('are refused where there is no room for them, or no name', () => {
    expect([inquire('LONG', 101), send('LONG', A('x'.repeat(101)))]).toEqual(['<B 0x02>', '<B 0x02>'])
    expect([inquire('', 1), send('', A('x'))]).toEqual(['<B 0x03>', '<B 0x01>'])
    expect(send('FOURTH', A('x'))).toBe('<B 0x00>')
    expect([inquire('FIFTH', 1), send('FIFTH', A('x'))]).toEqual(['<B 0x02>', '<B 0x07>'])
    expect(pair.told(7, 17, L(A('FOURTH'), A('NONE')))).toBe('<B 0x04>')
    expect(list()).toContain('FOURTH')
  })
})

describe('a program that was announced', () => {
  test('has to come within the conversation timeout, or S9F13 says what is missing', async () => {
    expect(inquire('NEW', 5)).toBe('<B 0x00>')
    await pair.pass(44_999)
    expect(pair.sent()).toEqual([])
    await pair.pass(1)
    expect(pair.sent()).toEqual(['S9F13 <L [2] <A "S07F03"> <A "NEW"> >'])
  })

  test('is no longer waited for when it came, or when the link is gone', async () => {
    inquire('NEW', 5)
    expect(send('NEW', A('12345'))).toBe('<B 0x00>')
    inquire('OTHER', 5)
    pair.cut()
    await pair.select()
    pair.crossed.length = 0
    await pair.pass(100_000)
    expect(pair.sent()).toEqual([])
  })

  test('is one of a hundred at most', () => {
    const grants = Array.from({ length: 101 }, (_, at) => inquire(`P${at}`, 1))
    expect([grants[99], grants[100], inquire('P5', 1)]).toEqual(['<B 0x00>', '<B 0x04>', '<B 0x00>'])
  })
})

describe('formatted programs', () => {
  const formatted = (id: string, steps: Item[], mdln = 'TESTER', softrev = '3'): Item =>
    L(A(id), A(mdln), A(softrev), L(...steps))
  const pressure = (value: Item): Item => L(U2(10), L(value))
  const WAIT = L(A('WAIT'), L())

  test('are told step by step, and not as unformatted ones', () => {
    expect(pair.told(7, 25, A('ETCH'))).toBe(
      '<L [4] <A "ETCH"> <A "TESTER"> <A "3"> <L [1] <L [2] <U4 10> <L [1] <F4 1.5> > > > >',
    )
    expect(pair.told(7, 25, A('CLEAN'))).toBe('<L [0]>')
    expect(pair.told(7, 33, A('ETCH'))).toMatch(/<A "ETCH"> <U4 0> <U4 \d+> >$/)
    expect(pair.told(7, 33, A('CLEAN'))).toBe('<L [3] <A "CLEAN"> <U4 3> <U4 0> >')
  })

  test('are stored and found right by S7F27, once S7F24 has left', async () => {
    const program = formatted('NEW', [pressure(F4(2)), WAIT])
    expect(pair.told(7, 23, program)).toBe('<B 0x00>')
    expect(pair.sent()).toEqual([])
    await pair.pass(0)
    expect(pair.sent()).toEqual(['S7F27 <L [2] <A "NEW"> <L [0]> >'])
    expect(pair.ask(7, 25, A('NEW'))).toMatchObject({ message: { item: program } })
  })

  test.each([
    ['of another model', formatted('NEW', [WAIT], 'OTHER'), '<U1 1> <U4 0> <A "this equipment is TESTER">'],
    [
      'of another revision',
      formatted('NEW', [WAIT], 'TESTER', '4'),
      '<U1 2> <U4 0> <A "this revision is 3">',
    ],
    [
      'with an unknown command',
      formatted('NEW', [WAIT, L(A('JUMP'), L())]),
      '<U1 3> <U4 2> <A "no command JUMP">',
    ],
    [
      'with a value out of range',
      formatted('NEW', [pressure(F4(11))]),
      '<U1 4> <U4 1> <A "10: Target is F4 from 0 to 10">',
    ],
    [
      'without a parameter',
      formatted('NEW', [WAIT, L(U2(10), L())]),
      '<U1 4> <U4 2> <A "10 takes 1 parameters, not 0">',
    ],
  ])('%s are found wrong and not stored', async (_, program, fault) => {
    expect(pair.told(7, 23, program)).toBe('<B 0x00>')
    await pair.pass(0)
    expect(pair.sent()).toEqual([`S7F27 <L [2] <A "NEW"> <L [1] <L [3] ${fault} > > >`])
    expect(pair.told(7, 25, A('NEW'))).toBe('<L [0]>')
  })

  test('are verified without being stored by S7F31', async () => {
    expect(pair.told(7, 31, formatted('NEW', [WAIT]))).toBe('<B 0x00>')
    await pair.pass(0)
    expect(pair.sent()).toEqual(['S7F27 <L [2] <A "NEW"> <L [0]> >'])
    expect(list()).not.toContain('NEW')
  })
})

test('what the operator does to programs is an event, what the host does is none', async () => {
  send('NEW', A('x'))
  const { operator } = pair.equipment
  expect(operator.storeProgram('NEW', { A: 'y' })).toBe(0)
  expect(operator.deleteProgram('NEW')).toBe(0)
  expect(operator.storeProgram('OTHER', { A: 'z' })).toBe(0)
  expect(operator.deleteProgram('NEW')).toBe(4)
  await pair.pass(0)
  expect(pair.sent().map((one) => /<A "(\w+)"> <U1 (\d)>/.exec(one)?.slice(1))).toEqual([
    ['NEW', '2'],
    ['NEW', '3'],
    ['OTHER', '1'],
  ])
})

test('an equipment without process programs knows nothing of stream 7', async () => {
  pair = new GemPair(bareModel())
  await pair.select()
  expect(list()).toBe('unknown_stream')
})
