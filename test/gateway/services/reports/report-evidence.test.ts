import { expect, test } from 'vitest'
import type { EquipmentKnowledge } from '../../../../src/gateway/knowledge/equipment-knowledge.js'
import { contradicts, hasEvents } from '../../../../src/gateway/services/reports/report-evidence.js'

const SETUP = {
  reports: [
    { id: '0100', variables: ['10', '11'] },
    { id: '101', variables: ['12'] },
  ],
  events: [
    { id: '031', reports: ['0100', '101'], enabled: true },
    { id: '32', reports: [], enabled: true },
    { id: '33', reports: [], enabled: false },
  ],
  others: 'delete',
  inquire: false,
} as const
const R100 = { RPTID: '100', V: ['1', '2'] }
const R101 = { RPTID: '101', V: ['3'] }

test.each([
  ['the reports in another order', '31', [R101, R100], false],
  ['the same annotated', '31', [R100, { RPTID: '101', VALUES: [{ VID: '12', V: '3' }] }], false],
  ['no report where there are some', '31', [], true],
  ['one report less', '31', [R100], true],
  ['another report', '31', [R100, { RPTID: '102', V: ['3'] }], true],
  ['a report with one value less', '31', [{ RPTID: '100', V: ['1'] }, R101], true],
  ['no report where there is none', '32', [], false],
  ['a report where there is none', '32', [R101], true],
  ['an event that should not be sent', '33', [], true],
  ['an event that the setup does not name', '34', [R101], false],
])('%s', (_, CEID, REPORTS, expected) => {
  expect(contradicts({ CEID, REPORTS }, SETUP)).toBe(expected)
})

const WANTED = {
  reports: [{ id: '1', variables: ['10'] }],
  events: [
    { id: '31', reports: ['1'], enabled: true },
    { id: '32', reports: [], enabled: false },
  ],
  others: 'delete',
  inquire: false,
} as const

test.each<[string, object, object, boolean | 'keep', string[]?]>([
  ['as wanted', {}, {}, true],
  ['another link', { 31: ['1', '2'] }, {}, false],
  ['an event that is not enabled', {}, { 31: false }, false],
  ['an event of which nothing is known', {}, { 32: undefined }, false],
  ['another report', {}, {}, 'keep', ['1', '2']],
  ['another event that is enabled', {}, { 33: true }, 'keep'],
  ['another event that is not', {}, { 33: false }, true],
])('of links and enabled events: %s', (_, links, enabled, expected, reports = ['1']) => {
  const linked: Readonly<Record<string, readonly string[]>> = { 31: ['1'], 32: [], ...links }
  const on: Readonly<Record<string, boolean | undefined>> = { 31: true, 32: false, ...enabled }
  const known = {
    reports: new Map(reports.map((id) => [id, ['10']])),
    events: new Map(Object.keys(on).map((id) => [id, {}])),
    reportsOf: (id: string) => linked[id],
    isEnabled: (id: string) => on[id],
  } as unknown as EquipmentKnowledge
  const isAll = expected === true
  expect(hasEvents(known, WANTED)).toBe(isAll)
  expect(hasEvents(known, { ...WANTED, others: 'keep' })).toBe(isAll || expected === 'keep')
})
