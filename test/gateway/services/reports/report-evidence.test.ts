import { expect, test } from 'vitest'
import { contradicts } from '../../../../src/gateway/services/reports/report-evidence.js'

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
