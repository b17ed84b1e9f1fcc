import { beforeEach, expect, test } from 'vitest'
import { A, type Item, L, U4 } from '../../src/secs2/item.js'
import { GemPair } from '../support/gem-pair.js'
import { bareModel } from './bare-model.js'

const MODEL = bareModel({
  variables: [
    { id: '1', name: 'Pressure', unit: 'Pa', kind: 'status', value: { U2: [10] } },
    { id: '2', name: 'Lot', unit: '', kind: 'data', value: { A: 'L1' } },
  ],
  traces: { count: 2, variables: 3, shortestPeriod: 50 },
})

let pair: GemPair
beforeEach(async () => {
  pair = new GemPair(MODEL)
  await pair.select()
  pair.crossed.length = 0
})

interface Wanted {
  readonly id?: Item
  readonly period?: string
  readonly total?: number
  readonly group?: number
  readonly variables?: readonly number[]
}
/** S2F23. */
const trace = ({
  id = U4(7),
  period = '000001',
  total = 3,
  group = 1,
  variables = [1],
}: Wanted = {}): string =>
  pair.told(2, 23, L(id, A(period), U4(total), U4(group), L(...variables.map((svid) => U4(svid)))))
const setPressure = (value: number): void => pair.equipment.variables.set('Pressure', value)
/** TRID, SMPLN and the values of each S6F1. */
const reports = (): string[] =>
  pair.sent().map((one) => one.replace(/^S6F1 <L \[4\] | <A "\d{16}">| >$/g, ''))

test('samples are taken each period, and each is reported', async () => {
  expect(trace()).toBe('<B 0x00>')
  await pair.pass(999)
  expect(reports()).toEqual([])
  await pair.pass(1)
  setPressure(20)
  await pair.pass(1000)
  expect(reports()).toEqual(['<U4 7> <U4 1> <L [1] <U2 10> >', '<U4 7> <U4 2> <L [1] <U2 20> >'])
  await pair.pass(60_000)
  expect(reports()).toHaveLength(3)
})

test('they are reported in groups, numbered and timed as the last of the group, what is left at the end', async () => {
  expect(trace({ period: '00000010', total: 5, group: 2, variables: [1, 2] })).toBe('<B 0x00>')
  await pair.pass(199)
  expect(reports()).toEqual([])
  setPressure(11)
  await pair.pass(301)
  expect(reports()).toEqual([
    '<U4 7> <U4 2> <L [4] <U2 10> <A "L1"> <U2 11> <A "L1"> >',
    '<U4 7> <U4 4> <L [4] <U2 11> <A "L1"> <U2 11> <A "L1"> >',
    '<U4 7> <U4 5> <L [2] <U2 11> <A "L1"> >',
  ])
  expect(pair.sent()[0]).toContain(pair.told(2, 17).slice(0, 15))
})

test('a trace of the same id takes the place of the one before', async () => {
  trace({ total: 100 })
  await pair.pass(1000)
  expect(trace({ total: 1, period: '000002' })).toBe('<B 0x00>')
  await pair.pass(60_000)
  expect(reports().map((one) => one.slice(0, 13))).toEqual(['<U4 7> <U4 1>', '<U4 7> <U4 1>'])
})

test('several run at a time, each is ended by itself, and no more than there is room for', async () => {
  expect([trace({ id: U4(1), total: 100 }), trace({ id: A('T'), total: 100 })]).toEqual([
    '<B 0x00>',
    '<B 0x00>',
  ])
  expect(trace({ id: U4(3) })).toBe('<B 0x02>')
  await pair.pass(1000)
  expect(reports()).toEqual(['<U4 1> <U4 1> <L [1] <U2 10> >', '<A "T"> <U4 1> <L [1] <U2 10> >'])
  expect(trace({ id: U4(1), total: 0 })).toBe('<B 0x00>')
  expect(trace({ id: U4(3), total: 1 })).toBe('<B 0x00>')
  await pair.pass(1000)
  expect(reports().slice(2)).toEqual(['<A "T"> <U4 2> <L [1] <U2 10> >', '<U4 3> <U4 1> <L [1] <U2 10> >'])
})

test.each<[string, Wanted, number]>([
  ['too many variables', { variables: [1, 1, 1, 1] }, 1],
  ['no period', { period: '000000' }, 3],
  ['a period that is too short', { period: '00000004' }, 3],
  ['a period that is none', { period: '1 s' }, 3],
  ['61 minutes', { period: '006100' }, 3],
  ['an unknown variable', { variables: [1, 99] }, 4],
  ['a group of none', { group: 0 }, 5],
  ['a group beyond the whole', { total: 2, group: 3 }, 5],
  ['a group beyond all memory', { total: 4_000_000_000, group: 4_000_000_000 }, 5],
])('%s is refused, and a trace that runs goes on', async (_, wanted, tiaack) => {
  trace({ total: 100 })
  expect(trace(wanted)).toBe(`<B 0x0${tiaack}>`)
  await pair.pass(1000)
  expect(reports()).toHaveLength(1)
})

test('offline nothing is reported, and when the equipment ends no timer is left', async () => {
  trace({ total: 100 })
  await pair.equipment.operate('offline')
  await pair.pass(2000)
  expect(reports()).toEqual([])
  await pair.equipment.operate('online')
  pair.crossed.length = 0
  await pair.pass(1000)
  expect(reports()).toEqual(['<U4 7> <U4 3> <L [1] <U2 10> >'])
  expect(pair.clock.scheduled).toBe(1)
  pair.equipment.disable()
  expect(pair.clock.scheduled).toBe(0)
})
