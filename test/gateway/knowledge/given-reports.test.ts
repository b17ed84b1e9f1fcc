import { expect, test } from 'vitest'
import { KnownEquipment } from '../../../src/gateway/knowledge/known-equipment.js'

const GIVEN = { reports: [['5', ['1', '2']]], events: [['30', ['5'], true]] } as const

function given(): KnownEquipment {
  const known = new KnownEquipment()
  known.begin(10)
  known.learnGiven(GIVEN, 20)
  return known
}
/** What is known by hand. */
const marks = (known: KnownEquipment) => [
  [...known.reports.keys()].filter((id) => known.originOf('reports', id) === 'by_hand'),
  [...known.links.keys()].filter((id) => known.originOf('events', id) === 'by_hand'),
]

test('definitions by hand hold from the time when communication began', () => {
  const known = given()
  expect([known.variablesOf('5', 9), known.variablesOf('5', 15)]).toEqual([null, ['1', '2']])
  expect([known.reportsOf('30'), known.isEnabled('30')]).toEqual([['5'], true])
  expect(marks(known)).toEqual([['5'], ['30']])
})

test('what the line shows takes their place, one by one', () => {
  const known = given()
  known.accept({ kind: 'define', reports: [['5', ['7']]] }, 30, 'line')
  expect(known.variablesOf('5', 31)).toEqual(['7'])
  expect(known.variablesOf('5', 29)).toEqual(['1', '2'])
  expect(marks(known)).toEqual([[], ['30']])
  known.accept({ kind: 'link', events: [['30', []]] }, 31, 'line')
  expect(marks(known)).toEqual([[], []])
})

test('they end where all reports are deleted, or the equipment has other software', () => {
  const deleted = given()
  deleted.accept({ kind: 'define', reports: [] }, 30, 'line')
  expect([deleted.variablesOf('5', 31), ...marks(deleted)]).toEqual([null, [], []])
  const other = given()
  other.meet({ mdln: 'A', softrev: '1' }, 30)
  expect(marks(other)).toEqual([['5'], ['30']])
  other.meet({ mdln: 'A', softrev: '2' }, 31)
  expect([other.variablesOf('5', 32), ...marks(other)]).toEqual([null, [], []])
})

test('a link whose report is deleted on the line is none by hand any more', () => {
  const known = given()
  known.accept({ kind: 'define', reports: [['5', []]] }, 30, 'line')
  expect(known.reportsOf('30')).toEqual([])
  expect(marks(known)[0]).toEqual([])
})

test('a snapshot keeps which are by hand', () => {
  const again = new KnownEquipment()
  for (const line of given().lines()) again.load(JSON.parse(JSON.stringify(line)))
  expect(marks(again)).toEqual([['5'], ['30']])
  expect(again.variablesOf('5', 15)).toEqual(['1', '2'])
})

test('a definition says whether the host, somebody by hand, or the gateway has made it, also after a snapshot', () => {
  const known = given()
  known.accept({ kind: 'define', reports: [['6', ['7']]] }, 30, 'line')
  known.accept({ kind: 'define', reports: [['7', ['7']]] }, 31, 'gateway')
  known.accept({ kind: 'link', events: [['31', ['6']]] }, 32, 'line')
  const again = new KnownEquipment()
  for (const line of known.lines()) again.load(JSON.parse(JSON.stringify(line)))
  for (const one of [known, again]) {
    expect(['5', '6', '7'].map((id) => one.originOf('reports', id))).toEqual(['by_hand', 'line', 'gateway'])
    expect(['30', '31'].map((id) => one.originOf('events', id))).toEqual(['by_hand', 'line'])
  }
  known.accept({ kind: 'link', events: [['31', ['7']]] }, 33, 'gateway')
  expect(known.originOf('events', '31')).toBe('gateway')
})
