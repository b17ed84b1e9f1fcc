import { expect, test } from 'vitest'
import { Decisions } from '../../../../src/gateway/decisions.js'
import { KeptReports } from '../../../../src/gateway/services/reports/kept-reports.js'
import { NO_REPORTS } from '../../../../src/gateway/services/reports/report-setup.js'
import type { ReportsRecord } from '../../../../src/gateway/services/reports/reports-record.js'
import { deferred } from '../../../../src/kit/deferred.js'
import { SoleOwnership } from '../../../../src/store/sole-ownership.js'
import { ManualClock } from '../../../support/manual-clock.js'
import { HeldJournal, MemoryCollection } from '../../../support/memory-store.js'

test('equipment that is deleted while reports are applied to it leaves no record', async () => {
  const collection = new MemoryCollection<ReportsRecord>()
  const knowledge = { of: () => ({ model: null, reports: new Map() }) } as never
  const [journal, clock] = [new HeldJournal(), new ManualClock()]
  const kept = new KeptReports({
    decisions: new Decisions(journal, clock),
    collection,
    knowledge,
    journal,
    clock,
    ownership: new SoleOwnership(async () => []),
    reportsStates: new Map(),
  })
  const answered = deferred<void>()
  const definition = { reports: [], events: [] }
  const applying = kept.inTurn('eq', async () => {
    await answered.promise
    await kept.accepted({ id: 'eq', definition, setup: NO_REPORTS, applied_by: 'ada' }, 'applied')
  })
  const forgotten = kept.forget('eq')
  await new Promise(setImmediate)
  answered.resolve()
  await Promise.all([applying, forgotten])
  expect(await collection.all()).toEqual([])
})
