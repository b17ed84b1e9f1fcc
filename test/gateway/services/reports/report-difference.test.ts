import { expect, test } from 'vitest'
import { differenceOf } from '../../../../src/gateway/services/reports/report-difference.js'
import { NO_REPORTS } from '../../../../src/gateway/services/reports/report-setup.js'

const NAMES = {
  variable: (vid: string) => (vid === '10' ? 'Pressure' : undefined),
  event: (ceid: string) => (ceid === '31' ? 'Started' : undefined),
}
const APPLIED = {
  ...NO_REPORTS,
  reports: [
    { id: '1', variables: ['10'] },
    { id: '2', variables: ['11'] },
    { id: '3', variables: ['12'] },
  ],
  events: [{ id: '31', reports: ['1'], enabled: true }],
}
const WANTED = {
  ...NO_REPORTS,
  reports: [
    { id: '4', variables: ['10', '11'] },
    { id: '2', variables: ['10'] },
    { id: '1', variables: ['10'] },
  ],
  events: [
    { id: '31', reports: ['1', '2'], enabled: false },
    { id: '32', reports: [], enabled: true },
  ],
}

test('what is removed, added and changed is shown with names where they are known', () => {
  expect(differenceOf(WANTED, APPLIED, NAMES)).toEqual({
    reports: [
      { change: 'removed', id: '3', before: ['12'], after: null },
      { change: 'added', id: '4', before: null, after: ['Pressure', '11'] },
      { change: 'changed', id: '2', before: ['11'], after: ['Pressure'] },
    ],
    events: [
      {
        ...{ change: 'changed', id: '31', name: 'Started' },
        before: { reports: ['1'], enabled: true },
        after: { reports: ['1', '2'], enabled: false },
      },
      { change: 'added', id: '32', name: null, before: null, after: { reports: [], enabled: true } },
    ],
  })
  expect(differenceOf(WANTED, undefined, NAMES).reports.map(({ change }) => change)).toEqual(
    Array(3).fill('added'),
  )
})
