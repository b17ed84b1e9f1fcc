import { describe, expect, test } from 'vitest'
import { Problem } from '../../../../src/contract/errors.js'
import type { WantedReports } from '../../../../src/contract/topics/reports.js'
import type { Namelist } from '../../../../src/gateway/knowledge/equipment-knowledge.js'
import { KnownEquipment } from '../../../../src/gateway/knowledge/known-equipment.js'
import { differenceOf } from '../../../../src/gateway/services/reports/report-difference.js'
import { learnToResolve, resolveReports } from '../../../../src/gateway/services/reports/resolve-reports.js'

/** An equipment that told these lists. */
function known(...lists: Namelist[]): KnownEquipment {
  const equipment = new KnownEquipment()
  const row = (id: string, name: string) => [id, { name, unit: '', kind: 'status' }] as const
  if (lists.includes('S1F11')) equipment.learnVariables('status', [row('1010', 'ChamberPressure')], true)
  if (lists.includes('S1F21')) equipment.learnVariables('data', [row('1101', 'LotID')], true)
  if (lists.includes('S1F23')) {
    equipment.learnEvents([['3010', { name: 'ProcessingStarted', variables: [] }]], true)
  }
  if (lists.includes('S2F29')) equipment.learnConstants([], true)
  return equipment
}

const WANTED: WantedReports = {
  reports: [{ id: 1001, variables: ['ChamberPressure', 1101, 'lot id'] }],
  events: [{ event: 'Processing Started', reports: [1001] }],
}
const ALL = known('S1F11', 'S1F21', 'S1F23', 'S2F29')

const resolve = (wanted: WantedReports, equipment = ALL) =>
  resolveReports(wanted, equipment, { id: 'eq_1', name: 'etcher' })

function faultsOf(wanted: WantedReports, equipment = ALL): string[] {
  try {
    resolve(wanted, equipment)
  } catch (error) {
    if (error instanceof Problem && error.code === 'invalid_message') {
      return (error.extra.errors ?? []).map(({ pointer, detail }) => `${pointer} ${detail}`)
    }
    throw error
  }
  return []
}

test('names become identifiers, whatever their spelling, and what is left out has its default', () => {
  expect(resolve(WANTED)).toEqual({
    setup: {
      reports: [{ id: '1001', variables: ['1010', '1101', '1101'] }],
      events: [{ id: '3010', reports: ['1001'], enabled: true }],
      others: 'delete',
      inquire: true,
    },
    warnings: [],
  })
})

describe('refused, and all of it at once', () => {
  test('a name that is not known, with the calls that list the names', () => {
    expect(faultsOf(WANTED, known())).toEqual([
      expect.stringMatching(/^\/reports\/0\/variables\/0 is ChamberPressure: .*S1F11.*give the VID/),
      expect.stringMatching(/^\/reports\/0\/variables\/2 is lot id/),
      expect.stringMatching(/^\/events\/0\/event is Processing Started: .*S1F23.*give the CEID/),
    ])
    const [fault] = faultsOf({ reports: [{ id: 1, variables: ['Nonsense'] }], events: [] }, ALL)
    expect(fault).toContain('etcher has no variable of that name')
    const parameters = { id: 'eq_1' }
    expect(() => resolve(WANTED, known())).toThrow(
      expect.objectContaining({
        extra: expect.objectContaining({
          next: [
            { operation: 'listVariables', parameters },
            { operation: 'listCollectionEvents', parameters },
          ],
        }),
      }),
    )
  })

  test('a report or event that stands there twice, a report without variables, a report that is not defined', () => {
    const [report] = WANTED.reports
    const wanted = {
      reports: [...WANTED.reports, { id: '1001', variables: [1010] }, { id: 5, variables: [] }],
      events: [...WANTED.events, { event: 3010, reports: [77, 1001, '1001'] }],
    }
    expect(report).toBeDefined()
    expect(faultsOf(wanted)).toEqual([
      '/reports/2/variables is empty: S2F33 would delete report 5',
      '/reports/1/id is RPTID 1001 again: it is there twice',
      '/events/1/reports/2 is report 1001 again: it is there twice',
      '/events/1/reports/0 is 77, which is no report of this definition',
      '/events/1/event is event 3010 again: it is there twice',
    ])
  })

  test('an identifier that is in no namelist, once every namelist was told', () => {
    const wanted = { reports: [{ id: 1, variables: [9] }], events: [{ event: 8, reports: [1] }] }
    expect(faultsOf(wanted)).toEqual([
      '/reports/0/variables/0 is 9, a VID that etcher does not have',
      '/events/0/event is 8, a CEID that etcher does not have',
    ])
    expect(faultsOf(wanted, known())).toEqual([])
    const named = { reports: [{ id: 1, variables: ['9x', 'x9'] }], events: [{ event: '8x', reports: [1] }] }
    expect(faultsOf(named, known())).toHaveLength(3)
  })
})

test('a warning where a constant could have the VID, where an event has no report, and a report no event', () => {
  const wanted = { reports: [{ id: 1, variables: [9] }], events: [{ event: 3010 }] }
  expect(resolve(wanted, known('S1F11', 'S1F21', 'S1F23')).warnings).toEqual([
    'VID 9 is neither a status nor a data variable of etcher.',
    '3010 has no report: it would come without values.',
    'Report 1 is sent with no event: only S6F19 asks for it.',
  ])
})

test('no warning where a list that could have the VID was not told', () => {
  const wanted = { reports: [{ id: 1, variables: [9] }], events: [{ event: 3010, reports: [1] }] }
  for (const list of ['S1F11', 'S1F21'] as const) expect(resolve(wanted, known(list)).warnings).toEqual([])
})

test('names are asked for before they are resolved', async () => {
  const asked: unknown[] = []
  const naming = { of: () => ALL, learn: async (...given: unknown[]) => void asked.push(given) }
  const options = { timeout: 3 }
  const equipment = { id: 'eq_1', name: 'etcher' }
  expect(await learnToResolve(WANTED, naming as never, equipment, options)).toEqual(resolve(WANTED))
  expect(asked).toEqual([
    ['eq_1', 'variables', ['ChamberPressure', '1101', 'lot id'], options],
    ['eq_1', 'events', ['Processing Started'], options],
  ])
})

test('a warning where the events that tell the control state would not come any more', () => {
  const equipment = known('S1F23')
  const events = [
    ['3001', { name: 'Offline', variables: [] }],
    ['3002', { name: 'Local', variables: [] }],
    ['3010', { name: 'ProcessingStarted', variables: [] }],
  ] as const
  equipment.learnEvents(events, true)
  const wanted: WantedReports = {
    reports: [{ id: 1, variables: [9] }],
    events: [{ event: 'Local', reports: [1] }],
  }
  expect(resolve(wanted, equipment).warnings).toEqual([
    'Offline will not be reported, so a change of the control state is not seen at once: name it under events, or say others: keep.',
  ])
  expect(resolve({ ...wanted, others: 'keep' }, equipment).warnings).toEqual([])
})

test('where others are kept, an event may be linked to a report of theirs', () => {
  expect(faultsOf({ reports: [], events: [{ event: 3010, reports: [77] }], others: 'keep' })).toEqual([])
})

test('the difference is against what was applied, in names where they are known', () => {
  const { setup } = resolve(WANTED)
  const before = {
    ...setup,
    reports: [{ id: '900', variables: ['1010'] }],
    events: [{ id: '3010', reports: ['900'], enabled: true }],
  }
  const names = {
    variable: (id: string) => (id === '1010' ? 'ChamberPressure' : undefined),
    event: () => 'Started',
  }
  expect(differenceOf(setup, before, names)).toEqual({
    reports: [
      { change: 'removed', id: '900', before: ['ChamberPressure'], after: null },
      { change: 'added', id: '1001', before: null, after: ['ChamberPressure', '1101', '1101'] },
    ],
    events: [
      {
        change: 'changed',
        id: '3010',
        name: 'Started',
        before: { reports: ['900'], enabled: true },
        after: { reports: ['1001'], enabled: true },
      },
    ],
  })
  expect(differenceOf(setup, setup, names)).toEqual({ reports: [], events: [] })
})
