import { beforeEach, describe, expect, test } from 'vitest'
import type { EquipmentModel, Limit } from '../../src/gem/equipment/equipment-model.js'
import { A, B, F4, type Item, L, U4 } from '../../src/secs2/item.js'
import { GemPair } from '../support/gem-pair.js'
import { bareModel } from './bare-model.js'

const model = (limits?: readonly Limit[]): EquipmentModel =>
  bareModel({
    variables: [
      {
        id: '1',
        name: 'Pressure',
        unit: 'Pa',
        kind: 'status',
        value: { F4: [50] },
        limits: { minimum: 0, maximum: 100, event: '41', ...(limits && { limits }) },
      },
      { id: '2', name: 'Text', unit: '', kind: 'status', value: { A: '' } },
      {
        id: '11',
        name: 'LimitVariable',
        unit: '',
        kind: 'data',
        value: { U4: [0] },
        source: 'limit_variable',
      },
      { id: '12', name: 'EventLimit', unit: '', kind: 'data', value: { B: [0] }, source: 'limit_id' },
      {
        id: '13',
        name: 'TransitionType',
        unit: '',
        kind: 'data',
        value: { B: [0] },
        source: 'transition_type',
      },
    ],
    reports: [{ id: '31', variables: ['11', '12', '13', '1'] }],
    events: [{ id: '41', name: 'PressureZone', enabled: true, reports: ['31'] }],
  })

let pair: GemPair
async function start(limits?: readonly Limit[]): Promise<void> {
  pair = new GemPair(model(limits))
  await pair.select()
  pair.crossed.length = 0
}
beforeEach(() => start())

const setPressure = (value: number): void => pair.equipment.variables.set('Pressure', value)
const limit = (id: number, upper?: Item, lower?: Item): Item =>
  L(B(id), upper && lower ? L(upper, lower) : L())
/** S2F45 for one variable. */
const define = (vid: number, ...limits: Item[]): string =>
  pair.told(2, 45, L(U4(1), L(L(U4(vid), L(...limits)))))
const ACCEPTED = '<L [2] <B 0x00> <L [0]> >'
/** LIMITID, direction and value of each crossing that was reported. */
const crossings = (): string[] =>
  pair.sent().map((one) => /<U4 1> <B 0x0(\d)> <B 0x0(\d)> <F4 ([^>]*)>/.exec(one)?.slice(1).join(' ') ?? one)

describe('a limit', () => {
  test('may have its ends where the variable has its own', () => {
    expect(define(1, limit(1, F4(100), F4(0)))).toBe(ACCEPTED)
  })

  test('is crossed at either end of its dead band, and not within', () => {
    expect(define(1, limit(1, F4(70), F4(60)))).toBe(ACCEPTED)
    for (const value of [69, 70, 65, 90, 61, 60, 65, 69, 70]) setPressure(value)
    expect(crossings()).toEqual(['1 0 70', '1 1 60', '1 0 70'])
  })

  test('in whose dead band the value was when it was defined is crossed either way first', () => {
    define(1, limit(1, F4(60), F4(40)))
    setPressure(39)
    define(1, limit(1))
    setPressure(50)
    define(1, limit(1, F4(60), F4(40)))
    setPressure(60)
    expect(crossings()).toEqual(['1 1 39', '1 0 60'])
  })

  test('is one of several, each crossed for itself', () => {
    define(1, limit(1, F4(60), F4(55)), limit(7, F4(90), F4(90)))
    setPressure(95)
    setPressure(90)
    setPressure(10)
    expect(crossings()).toEqual(['1 0 95', '7 0 95', '7 1 90', '1 1 10'])
  })

  test('without a dead band is crossed whenever the value comes to it from the other side', () => {
    define(1, limit(1, F4(70), F4(70)))
    for (const value of [69, 71, 70, 70, 69, 70]) setPressure(value)
    expect(crossings()).toEqual(['1 0 71', '1 1 70', '1 0 70'])
  })

  test('is seen to be crossed by a variable that follows something, within the period', async () => {
    let value = 50
    pair = new GemPair(
      model(),
      () => 0,
      (id) => (id === '1' ? { F4: [value] } : undefined),
    )
    await pair.select()
    pair.crossed.length = 0
    define(1, limit(1, F4(60), F4(55)))
    value = 61
    await pair.pass(499)
    expect(crossings()).toEqual([])
    await pair.pass(1)
    expect(crossings()).toEqual(['1 0 61'])
    define(1)
    value = 0
    await pair.pass(10_000)
    expect(crossings()).toHaveLength(1)
  })

  test('is watched by one timer, as long as there is one', () => {
    expect(pair.clock.scheduled).toBe(0)
    define(1, limit(1, F4(70), F4(60)), limit(2, F4(80), F4(75)))
    expect(pair.clock.scheduled).toBe(1)
    define(1)
    expect(pair.clock.scheduled).toBe(0)
    define(1, limit(1, F4(70), F4(60)))
    pair.equipment.disable()
    expect(pair.clock.scheduled).toBe(0)
  })

  test('may be there from the beginning, and be taken away', async () => {
    await start([{ id: 2, upper: 60, lower: 60 }])
    setPressure(61)
    expect(define(1, limit(2))).toBe(ACCEPTED)
    setPressure(10)
    expect(crossings()).toEqual(['2 0 61'])
  })
})

test('S2F47 shows the limits of those that can have any, and nothing of others', () => {
  define(1, limit(3, F4(70), F4(60)))
  const told = '<L [2] <U4 1> <L [4] <A "Pa"> <F4 0> <F4 100> <L [1] <L [3] <B 0x03> <F4 70> <F4 60> > > > >'
  expect(pair.told(2, 47, L())).toBe(`<L [1] ${told} >`)
  expect(pair.told(2, 47, L(U4(2), U4(1)))).toBe(`<L [2] <L [2] <U4 2> <L [0]> > ${told} >`)
  expect(pair.told(2, 45, L(U4(1), L()))).toBe(ACCEPTED)
  expect(pair.told(2, 47, L())).toMatch(/<F4 100> <L \[0\]> > > >$/)
})

test.each([
  ['an unknown variable', 99, [], '<B 0x01> <L [0]>'],
  ['a variable that can have none', 2, [], '<B 0x02> <L [0]>'],
  ['LIMITID 8', 1, [limit(8, F4(60), F4(50))], '<B 0x04> <L [2] <B 0x08> <B 0x01> >'],
  ['an upper end above the maximum', 1, [limit(2, F4(101), F4(50))], '<B 0x04> <L [2] <B 0x02> <B 0x02> >'],
  ['a lower end below the minimum', 1, [limit(2, F4(60), F4(-1))], '<B 0x04> <L [2] <B 0x02> <B 0x03> >'],
  ['ends the wrong way round', 1, [limit(2, F4(50), F4(60))], '<B 0x04> <L [2] <B 0x02> <B 0x04> >'],
  ['a list', 1, [limit(2, L(), F4(60))], '<B 0x04> <L [2] <B 0x02> <B 0x05> >'],
  ['text that is no number', 1, [limit(2, A('high'), F4(60))], '<B 0x04> <L [2] <B 0x02> <B 0x06> >'],
  ['text that is empty', 1, [limit(2, F4(70), A(''))], '<B 0x04> <L [2] <B 0x02> <B 0x06> >'],
  ['text of spaces', 1, [limit(2, A(' '), F4(60))], '<B 0x04> <L [2] <B 0x02> <B 0x06> >'],
  [
    'a limit defined twice',
    1,
    [limit(2, F4(70), F4(60)), limit(2, F4(70), F4(60))],
    '<B 0x04> <L [2] <B 0x02> <B 0x07> >',
  ],
])('%s is refused and named, and nothing is changed', (_, vid, limits, fault) => {
  define(1, limit(1, F4(70), F4(60)))
  expect(define(vid, ...limits)).toBe(`<L [2] <B 0x01> <L [1] <L [3] <U4 ${vid}> ${fault} > > >`)
  expect(pair.told(2, 47, L())).toContain('<L [1] <L [3] <B 0x01> <F4 70> <F4 60> > >')
})

describe('a variable of whole numbers that has limits and no event for them', () => {
  const happened: string[] = []
  beforeEach(async () => {
    const whole = { value: { U1: [50] }, limits: { minimum: 0, maximum: 100 } }
    const { variables, ...rest } = model()
    pair = new GemPair({
      ...rest,
      variables: variables.map((one) => (one.id === '1' ? { ...one, ...whole } : one)),
    })
    await pair.select()
    happened.length = 0
    pair.equipment.happened.on((event) => happened.push(event))
    pair.crossed.length = 0
  })

  test('refuses an end that its format cannot hold', () => {
    expect(define(1, limit(2, U4(70), F4(60.5)))).toContain('<B 0x04> <L [2] <B 0x02> <B 0x05> >')
    expect(define(1, limit(2, U4(256), U4(60)))).toContain('<B 0x04> <L [2] <B 0x02> <B 0x05> >')
  })

  test('is crossed without anything being told of it', () => {
    expect(define(1, limit(1, U4(70), U4(60)))).toBe(ACCEPTED)
    setPressure(71)
    expect([happened, pair.sent()]).toEqual([[], []])
    expect(pair.equipment.value('12')).toEqual({ B: [1] })
  })
})

test('a variable that is named twice is refused', () => {
  const twice = L(U4(1), L())
  expect(pair.told(2, 45, L(U4(1), L(twice, twice)))).toBe(
    '<L [2] <B 0x01> <L [1] <L [3] <U4 1> <B 0x03> <L [0]> > > >',
  )
})

describe('what a message of the host brings about', () => {
  const START: EquipmentModel['commands'][number] = {
    name: 'START',
    parameters: [{ name: 'P', format: 'F4', required: true, sets: '1' }],
  }
  beforeEach(async () => {
    pair = new GemPair({ ...model([{ id: 1, upper: 70, lower: 60 }]), commands: [START] })
    await pair.select()
    pair.crossed.length = 0
  })
  const start = (value: number): string => pair.told(2, 41, L(A('START'), L(L(A('P'), F4(value)))))

  test('is told after the answer, with the values that it had then', async () => {
    expect(start(71)).toBe('<L [2] <B 0x00> <L [0]> >')
    expect(pair.sent()).toEqual([])
    expect(start(59)).toBe('<L [2] <B 0x00> <L [0]> >')
    await pair.pass(0)
    expect(crossings()).toEqual(['1 0 71', '1 1 59'])
  })

  test('is not overtaken by what happens in the same moment', async () => {
    start(71)
    setPressure(50)
    await pair.pass(0)
    expect(crossings()).toEqual(['1 0 71', '1 1 50'])
  })

  test('is lost with the link that goes before it is told', async () => {
    start(71)
    pair.cut()
    await pair.pass(0)
    expect(pair.sent()).toEqual([])
  })
})
