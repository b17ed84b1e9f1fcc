import { expect, test } from 'vitest'
import type { WantedReports } from '../../../../src/contract/topics/reports.js'
import { Decisions } from '../../../../src/gateway/decisions.js'
import type { StartedEquipment } from '../../../../src/gateway/equipment/equipment-directory.js'
import { KnownEquipment } from '../../../../src/gateway/knowledge/known-equipment.js'
import type { ReportedEvent } from '../../../../src/gateway/link/session.js'
import type { Asking } from '../../../../src/gateway/services/asking.js'
import type { Naming } from '../../../../src/gateway/services/naming.js'
import { KeptReports } from '../../../../src/gateway/services/reports/kept-reports.js'
import type { ReportChanges } from '../../../../src/gateway/services/reports/report-changes.js'
import { ReportsMaintenance } from '../../../../src/gateway/services/reports/reports-maintenance.js'
import type { ReportsRecord } from '../../../../src/gateway/services/reports/reports-record.js'
import { Signal } from '../../../../src/kit/signal.js'
import { SoleOwnership } from '../../../../src/store/sole-ownership.js'
import { settle } from '../../../support/gem-pair.js'
import { ManualClock } from '../../../support/manual-clock.js'
import { MemoryCollection, MemoryJournal } from '../../../support/memory-store.js'

const EVENTS = Array.from({ length: 81 }, (_, at) => String(100 + at))
/** The last report is in no event. */
const REPORTS = ['1', '2', '3', '4']
const VARIABLES = ['10', '11']
const DEFINITION: WantedReports = {
  reports: REPORTS.map((id) => ({ id, variables: [...VARIABLES] })),
  events: EVENTS.map((event, at) => ({ event, reports: [reportOf(at)] })),
}
function reportOf(at: number): string {
  return REPORTS[at % 3] ?? ''
}
const SETUP: ReportsRecord['setup'] = {
  reports: REPORTS.map((id) => ({ id, variables: VARIABLES })),
  events: EVENTS.map((id, at) => ({ id, reports: [reportOf(at)], enabled: true })),
  ...{ others: 'delete', inquire: false },
}

/** Equipment with 81 events that has its reports, but for the events in `unlinked`, and those who look after it. */
async function fab(count: number) {
  const [clock, journal, collection] = [
    new ManualClock(),
    new MemoryJournal(),
    new MemoryCollection<ReportsRecord>(),
  ]
  const ids = Array.from({ length: count }, (_, at) => `eq_${at}`)
  const known = new KnownEquipment()
  const learn = (): void => {
    for (const id of REPORTS) known.learnReport(id, VARIABLES, 1)
    for (const { id, reports } of SETUP.events) known.learnLinks(id, reports)
  }
  learn()
  for (const id of ids)
    await collection.put({
      ...{ id, definition: DEFINITION, setup: SETUP, applied_at: 't', applied_by: 'ada' },
      ...{ unfinished: false, model: null },
    })
  const decisions = new Decisions(journal, clock)
  const kept = new KeptReports({
    ...{ collection, journal, clock, decisions, knowledge: { of: () => known }, reportsStates: new Map() },
    ownership: new SoleOwnership(async () => []),
  })
  const [asked, applied, unlinked] = [[] as [id: string, what: string][], [] as string[], new Set<string>()]
  const V = VARIABLES.map(() => '0')
  const ask = async (id: string, message: string, { CEID = '' }: { readonly CEID?: string }) => {
    asked.push([id, message])
    const RPTID = SETUP.events.find((event) => event.id === String(CEID))?.reports[0]
    return { content: { V, REPORTS: unlinked.has(String(CEID)) ? [] : [{ RPTID, V }] } }
  }
  const changes = {
    plan: () => [],
    carryOut: async (id: string) => {
      applied.push(id)
      unlinked.clear()
      learn()
      return { steps: [] }
    },
  } as unknown as ReportChanges
  const asking = { ask, nameOf: (id: string) => id } as unknown as Asking
  const naming = { of: () => known } as unknown as Naming
  const maintenance = new ReportsMaintenance(kept, changes, asking, naming, clock)
  const signals = { started: new Signal<StartedEquipment>(), removed: new Signal<string>() }
  const reported = new Signal<ReportedEvent>()
  maintenance.watch(signals, reported)
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left >= 0; left -= 10) {
      clock.advance(left === ms ? 0 : 10)
      await settle()
    }
  }
  const come = (id: string): void => signals.started.emit({ equipmentId: id, waitFor: () => {} })
  const report = async (id: string, CEID: string, RPTID: string): Promise<void> => {
    reported.emit({ equipmentId: id, report: { CEID, REPORTS: [{ RPTID, V }] } } as never)
    await pass(2000)
  }
  const stateOf = async (id: string) => {
    const record = await collection.get(id)
    return record && kept.reportsState(record).state
  }
  return { ids, clock, asked, applied, unlinked, known, kept, maintenance, come, pass, report, stateOf }
}

const names = (asked: readonly (readonly [string, string])[]): string =>
  asked.map(([, what]) => what).join(' ')

test('equipment that has its reports is asked for its first and last event, and for one report without an event', async () => {
  const { come, asked, pass, stateOf, unlinked, applied } = await fab(1)
  come('eq_0')
  await pass(100)
  expect(names(asked)).toBe('S6F15 S6F15 S6F19')
  expect(await stateOf('eq_0')).toBe('present')
  unlinked.add(EVENTS.at(-1) ?? '')
  come('eq_0')
  await pass(2000)
  expect(applied).toEqual(['eq_0'])
})

test('equipment whose links recorded messages do not show is asked for all of them', async () => {
  const { come, asked, pass, known, unlinked, applied } = await fab(1)
  known.learnLinks('140', ['4'])
  unlinked.add('140')
  come('eq_0')
  await pass(3000)
  expect(asked.filter(([, what]) => what === 'S6F15').length).toBeGreaterThanOrEqual(EVENTS.length)
  expect(applied).toEqual(['eq_0'])
})

test('the first report of each event shows a difference that the sample has not shown, and then all is asked for', async () => {
  const { come, asked, pass, report, unlinked, applied, stateOf } = await fab(1)
  come('eq_0')
  await pass(100)
  unlinked.add('140')
  asked.length = 0
  await report('eq_0', '139', reportOf(39))
  await report('eq_0', '999', '7')
  expect(asked).toEqual([])
  await report('eq_0', '140', '4')
  expect(asked.filter(([, what]) => what === 'S6F15').length).toBeGreaterThanOrEqual(EVENTS.length)
  expect([applied, await stateOf('eq_0')]).toEqual([['eq_0'], 'present'])
})

test('an event report that differs where the replies do not is no reason to ask again and again', async () => {
  const { come, asked, pass, report, applied, stateOf } = await fab(1)
  come('eq_0')
  await pass(100)
  await report('eq_0', '140', '4')
  asked.length = 0
  await report('eq_0', '140', '4')
  await report('eq_0', '141', '4')
  expect([asked, applied, await stateOf('eq_0')]).toEqual([[], [], 'present'])
})

test('two hundred tools that come back at once are asked in turn, and no faster than the pace', async () => {
  const { ids, come, asked, pass, stateOf } = await fab(200)
  for (const id of ids) come(id)
  await pass(0)
  const atOnce = asked.length
  expect(atOnce).toBeLessThanOrEqual(20)
  await pass(1000)
  expect(asked.length - atOnce).toBeLessThanOrEqual(101)
  await pass(9000)
  expect(asked).toHaveLength(3 * ids.length)
  // Each has its first question before any has its second, but for those that were asked at once.
  const firsts = new Set(asked.slice(0, ids.length + atOnce).map(([id]) => id))
  expect(firsts.size).toBe(ids.length)
  for (const id of ids) expect(await stateOf(id)).toBe('present')
})

test('who applies reports does not wait for the check, and what it finds later changes nothing', async () => {
  const { ids, come, asked, pass, kept, applied, unlinked, stateOf } = await fab(200)
  for (const id of ids) come(id)
  await pass(0)
  const last = ids.at(-1) ?? ''
  expect(asked.some(([id]) => id === last)).toBe(false)
  let isDone = false
  await kept.inTurn(last, async () => {
    kept.seen(last, 'present')
    isDone = true
  })
  expect(isDone).toBe(true)
  unlinked.add(EVENTS[0] ?? '')
  await pass(10_000)
  expect(applied).not.toContain(last)
  expect(await stateOf(last)).toBe('present')
})

test('a check takes the place of the one before, and what waits for it waits for the last', async () => {
  const { ids, come, asked, pass, maintenance, stateOf } = await fab(100)
  for (const id of ids) come(id)
  const last = ids.at(-1) ?? ''
  await pass(0)
  come(last)
  let isSettled = false
  void maintenance.settled(last).then(() => {
    isSettled = true
  })
  await pass(100)
  expect([isSettled, await stateOf(last)]).toEqual([false, 'unknown'])
  await pass(10_000)
  expect([isSettled, await stateOf(last)]).toEqual([true, 'present'])
  expect(asked.filter(([id]) => id === last)).toHaveLength(3)
})

test('a gateway that closes leaves no question waiting', async () => {
  const { ids, clock, come, asked, pass, maintenance } = await fab(100)
  for (const id of ids) come(id)
  await pass(0)
  const before = asked.length
  maintenance.close()
  await settle()
  expect([asked.length, clock.scheduled]).toEqual([before, 0])
})
