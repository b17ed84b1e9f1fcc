import { expect, test } from 'vitest'
import { Decisions } from '../../../../src/gateway/decisions.js'
import { KeptReports } from '../../../../src/gateway/services/reports/kept-reports.js'
import { NO_REPORTS } from '../../../../src/gateway/services/reports/report-setup.js'
import type { ReportsRecord } from '../../../../src/gateway/services/reports/reports-record.js'
import { deferred } from '../../../../src/kit/deferred.js'
import { SoleOwnership } from '../../../../src/store/sole-ownership.js'
import { ManualClock } from '../../../support/manual-clock.js'
import { HeldJournal, MemoryCollection } from '../../../support/memory-store.js'

const SETUP = {
  ...NO_REPORTS,
  reports: [
    { id: '1', variables: ['010', '11'] },
    { id: '2', variables: ['0'] },
  ],
}
const RECORD = { id: 'eq', definition: { reports: [], events: [] }, setup: SETUP, applied_by: 'ada' }
const MODEL = { mdln: 'M', softrev: '1' }

/** What is kept of an equipment of which this is known. */
function scene(reports: Readonly<Record<string, readonly string[]>>, model: typeof MODEL | null = MODEL) {
  const known = { model, reports: new Map(Object.entries(reports)) }
  const collection = new MemoryCollection<ReportsRecord>()
  const [journal, clock] = [new HeldJournal(), new ManualClock()]
  const kept = new KeptReports({
    decisions: new Decisions(journal, clock),
    collection,
    knowledge: { of: () => known } as never,
    journal,
    clock,
    ownership: new SoleOwnership(async () => []),
    reportsStates: new Map(),
  })
  return { kept, known, collection, journal }
}

test.each([
  ['as applied', { 1: ['10', '11'], 2: ['00'] }, false, 'present'],
  ['fewer variables', { 1: ['10'], 2: ['0'] }, true, 'unknown'],
  ['another variable', { 1: ['10', '12'], 2: ['0'] }, true, 'unknown'],
  ['another first variable', { 1: ['1010', '11'], 2: ['0'] }, true, 'unknown'],
  ['text for a number', { 1: ['010a', '11'], 2: ['0'] }, true, 'unknown'],
  ['a report of which nothing is known', { 1: ['10', '11'] }, false, 'unknown'],
  ['a report that was not applied', { 1: ['10', '11'], 2: ['0'], 3: ['7'] }, false, 'present'],
])('reports by the messages: %s', async (_, reports, isContradicted, state) => {
  const { kept, collection } = scene(reports)
  await kept.accepted(RECORD, 'applied')
  const record = (await collection.get('eq')) as ReportsRecord
  expect([kept.isContradicted(record), kept.reportsState(record).state]).toEqual([isContradicted, state])
  expect(kept.isSurelyThere(record)).toBe(state === 'present')
})

test.each([
  ['the same software', MODEL, MODEL, false],
  ['other software', MODEL, { ...MODEL, softrev: '2' }, true],
  ['software that is not known now', MODEL, null, false],
  ['software that was not known', null, MODEL, false],
])('reports of equipment with %s', async (_, before, now, isOther) => {
  const { kept, known, collection } = scene({ 1: ['10', '11'], 2: ['0'] }, before)
  await kept.accepted(RECORD, 'applied')
  const record = (await collection.get('eq')) as ReportsRecord
  known.model = now
  expect([kept.isForOther(record), kept.isSurelyThere(record)]).toEqual([isOther, !isOther])
})

test.each([
  [{ 1: ['10', '11'], 2: ['0'] }, false],
  [{ 1: ['10'] }, true],
])('a record of an earlier version, without the software, goes by the variables %j', (reports, isOther) => {
  expect(scene(reports).kept.isForOther({ ...RECORD, applied_at: '' } as never)).toBe(isOther)
})

test('a change is noted before it begins, and a record that is restored is as before', async () => {
  const { kept, collection } = scene({ 1: ['10', '11'], 2: ['0'] })
  await kept.accepted(RECORD, 'applied')
  const record = (await collection.get('eq')) as ReportsRecord
  expect(record).toMatchObject({ unfinished: false, model: MODEL, applied_at: '2026-01-01T00:00:00.000Z' })
  await kept.begin(record)
  const begun = (await collection.get('eq')) as ReportsRecord
  expect([begun.unfinished, kept.isSurelyThere(begun)]).toEqual([true, false])
  await kept.restore(record)
  expect(await collection.get('eq')).toEqual(record)
})

test('an event says how the state changed, with the error where there was one', async () => {
  const { kept, journal, collection } = scene({})
  await kept.accepted(RECORD, 'applied')
  await kept.found('eq', 'missing', 'failed', 'refused')
  const record = (await collection.get('eq')) as ReportsRecord
  expect(kept.reportsState(record)).toMatchObject({ state: 'missing', last_error: { detail: 'refused' } })
  await kept.found('eq', 'present', 'applied_again')
  kept.doubt('eq', 'silent')
  expect(kept.reportsState(record)).toMatchObject({ state: 'unknown', checked_at: null })
  await kept.cleared('eq')
  expect(journal.entries.map(({ data }) => data)).toEqual([
    { from: 'none', to: 'present', cause: 'applied' },
    { from: 'unknown', to: 'missing', cause: 'failed', error: 'refused' },
    { from: 'missing', to: 'present', cause: 'applied_again' },
    { from: 'unknown', to: 'none', cause: 'cleared' },
  ])
})

test('equipment that is deleted while reports are applied to it leaves no record', async () => {
  const { kept, collection } = scene({}, null)
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
