import { describe, expect, test } from 'vitest'
import { planOf } from '../../../../src/gateway/services/reports/report-plan.js'
import { NO_REPORTS, type ReportSetup } from '../../../../src/gateway/services/reports/report-setup.js'

const setup = (given: Partial<ReportSetup>): ReportSetup => ({ ...NO_REPORTS, inquire: true, ...given })

const WANTED = setup({
  reports: [
    { id: '1001', variables: ['1010', 'Pressure'] },
    { id: '1002', variables: ['1011'] },
  ],
  events: [
    { id: '3010', reports: ['1001', '1002'], enabled: true },
    { id: '3011', reports: [], enabled: false },
  ],
})

const plan = (wanted: ReportSetup, applied?: ReportSetup, size = 10) =>
  planOf(wanted, applied, { dataId: 7, sizeOf: () => size })

const steps = (...given: Parameters<typeof plan>): string[] =>
  plan(...given).map(({ message, purpose, count }) => `${message} ${purpose} ${count}`)

test('what is wanted takes the place of everything, in the order that works on real equipment', () => {
  expect(plan(WANTED)).toEqual([
    { message: 'S2F37', purpose: 'disable', count: 0, data: { CEED: false, CEID: [] } },
    { message: 'S2F33', purpose: 'delete', count: 0, data: { DATAID: 7, REPORTS: [] } },
    {
      message: 'S2F33',
      purpose: 'define',
      count: 2,
      data: {
        DATAID: 7,
        REPORTS: [
          { RPTID: '1001', VID: ['1010', { A: 'Pressure' }] },
          { RPTID: '1002', VID: ['1011'] },
        ],
      },
    },
    {
      message: 'S2F35',
      purpose: 'link',
      count: 1,
      data: { DATAID: 7, EVENTS: [{ CEID: '3010', RPTID: ['1001', '1002'] }] },
    },
    { message: 'S2F37', purpose: 'enable', count: 1, data: { CEED: true, CEID: ['3010'] } },
  ])
})

test('a step with nothing in it is left out: an empty list would mean all', () => {
  expect(steps(NO_REPORTS)).toEqual(['S2F37 disable 0', 'S2F33 delete 0'])
  expect(steps({ ...NO_REPORTS, others: 'keep' })).toEqual([])
  expect(steps(setup({ events: [{ id: '3010', reports: [], enabled: true }] }))).toEqual([
    'S2F37 disable 0',
    'S2F33 delete 0',
    'S2F37 enable 1',
  ])
})

describe('where others are kept', () => {
  const kept = setup({ ...WANTED, others: 'keep' })

  test('only the events that are named are touched, and no report is deleted that the gateway did not define', () => {
    // The reports first: when they are refused, the events are as others have set them up.
    expect(steps(kept)).toEqual([
      'S2F33 define 2',
      'S2F37 disable 2',
      'S2F35 unlink 2',
      'S2F35 link 1',
      'S2F37 enable 1',
    ])
  })

  test('what the gateway applied before goes, and nothing else', () => {
    const applied = setup({
      reports: [{ id: '900', variables: ['1'] }],
      events: [{ id: '3012', reports: ['900'], enabled: true }],
    })
    const [disable, unlink, deletion, , others] = plan(kept, applied)
    expect(disable?.data).toEqual({ CEED: false, CEID: ['3012'] })
    expect(unlink?.data).toMatchObject({ EVENTS: [{ CEID: '3012', RPTID: [] }] })
    expect(deletion?.data).toEqual({ DATAID: 7, REPORTS: [{ RPTID: '900', VID: [] }] })
    expect(others?.data).toEqual({ CEED: false, CEID: ['3010', '3011'] })
  })
})

describe('S2F39', () => {
  test('asks before what is longer than a block of SECS-I, under the same DATAID', () => {
    expect(steps(WANTED, undefined, 244)).not.toContain('S2F39 inquire 2')
    expect(plan(WANTED, undefined, 245).slice(2, 5)).toMatchObject([
      { message: 'S2F39', purpose: 'inquire', data: { DATAID: 7, DATALENGTH: 245 } },
      { message: 'S2F33', data: { DATAID: 7 } },
      { message: 'S2F39', purpose: 'inquire', data: { DATAID: 7, DATALENGTH: 245 } },
    ])
  })

  test('asks nothing where the definition says so', () => {
    expect(steps({ ...WANTED, inquire: false }, undefined, 5000).join()).not.toContain('S2F39')
  })
})
