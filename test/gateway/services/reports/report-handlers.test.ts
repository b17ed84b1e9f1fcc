import { expect, test } from 'vitest'
import { Problem } from '../../../../src/contract/errors.js'
import type { WantedReports } from '../../../../src/contract/topics/reports.js'
import { Decisions } from '../../../../src/gateway/decisions.js'
import { KnownEquipment } from '../../../../src/gateway/knowledge/known-equipment.js'
import { KeptReports } from '../../../../src/gateway/services/reports/kept-reports.js'
import type { ReportsChanged } from '../../../../src/gateway/services/reports/report-changes.js'
import { reportHandlers } from '../../../../src/gateway/services/reports/reports.js'
import type { ReportsRecord } from '../../../../src/gateway/services/reports/reports-record.js'
import { SoleOwnership } from '../../../../src/store/sole-ownership.js'
import { ManualClock } from '../../../support/manual-clock.js'
import { MemoryCollection, MemoryJournal } from '../../../support/memory-store.js'

const FIRST: WantedReports = { reports: [{ id: 1, variables: [10] }], events: [{ event: 31, reports: [1] }] }
const SECOND: WantedReports = { ...FIRST, reports: [{ id: 1, variables: [11] }] }
const OK: ReportsChanged = { steps: [], rolledBack: null, detail: null }
const STEP = { message: 'S2F33', purpose: 'define', count: 1 } as const
const SENT = { ...STEP, accepted: true, code: 0, text: '', message_id: '1', reply_id: '2' }
const UNSENT = { ...STEP, accepted: null, code: null, text: null, message_id: null, reply_id: null }

function scene() {
  const [known, clock, journal] = [new KnownEquipment(), new ManualClock(), new MemoryJournal()]
  known.learnVariables('status', [['10', { name: 'Pressure', unit: '', kind: 'status' }]], false)
  known.learnEvents([['31', { name: 'Started', variables: [] }]], false)
  const collection = new MemoryCollection<ReportsRecord>()
  const reports = new KeptReports({
    ...{ collection, journal, clock, knowledge: { of: () => known }, reportsStates: new Map() },
    decisions: new Decisions(journal, clock),
    ownership: new SoleOwnership(async () => []),
  })
  const next = { changed: OK, communication_state: 'COMMUNICATING' }
  const did: (string | unknown[])[] = []
  const gateway = {
    reports,
    asking: { nameOf: () => 'etcher' },
    naming: { of: () => known, learn: async (_: string, kind: string) => void did.push(`learn ${kind}`) },
    equipment: { get: async () => next },
    reportChanges: {
      plan: (_: string, wanted: object, before: object | undefined) => {
        did.push(['plan', wanted, before])
        return [{ ...STEP, data: {} }]
      },
      change: async (...given: unknown[]) => {
        did.push(['change', given.at(-1), (await collection.get('eq'))?.unfinished])
        return next.changed
      },
    },
  }
  const call = (name: keyof typeof reportHandlers, body?: WantedReports, dry_run = false, again = false) =>
    reportHandlers[name](
      {
        params: { id: 'eq' },
        query: { ...(dry_run && { dry_run }), ...(again && { again }) },
        send: 'SEND',
        body,
        caller: { email: 'ada' },
      } as never,
      gateway as never,
    ) as Promise<never>
  /** Recorded messages show that the equipment has the first reports. */
  const show = (): void => {
    known.learnReport('1', ['10'], 1)
    known.learnLinks('31', ['1'])
    known.learnEnabled(['31'])
  }
  const planned = () => did.filter((one) => one[0] === 'plan')
  const state = async () =>
    (await call('getReports')) as { state: string; definition: unknown; last_error: unknown }
  return { call, did, next, show, collection, journal, planned, state, clock }
}

test('where nothing was applied there is nothing to show', async () => {
  expect(await scene().state()).toEqual({
    ...{
      definition: null,
      applied_at: null,
      applied_by: null,
      state: 'none',
      checked_at: null,
      last_error: null,
      changed_elsewhere: null,
    },
  })
})

test('what is applied is kept with who applied it, and shown as present while the equipment communicates', async () => {
  const { call, did, next, show, state } = scene()
  next.changed = { ...OK, steps: [SENT] }
  expect(await call('applyReports', FIRST)).toEqual({
    ...{ applied: true, dry_run: false, warnings: [], steps: [SENT], rolled_back: null, detail: null },
    difference: {
      reports: [{ change: 'added', id: '1', before: null, after: ['Pressure'] }],
      events: [
        {
          change: 'added',
          id: '31',
          name: 'Started',
          before: null,
          after: { reports: ['1'], enabled: true },
        },
      ],
    },
  })
  expect(did).toEqual([
    'learn variables',
    'learn events',
    ['plan', expect.any(Object), undefined],
    ['change', 'SEND', undefined],
  ])
  show()
  expect(await state()).toMatchObject({ definition: FIRST, applied_by: 'ada', state: 'present' })
  next.communication_state = 'NOT_COMMUNICATING'
  expect(await state()).toMatchObject({ state: 'unknown', definition: FIRST })
})

test('a dry run asks for names alone, plans, and changes nothing', async () => {
  const { call, did, collection } = scene()
  const result = await call('applyReports', FIRST, true)
  expect(result).toMatchObject({
    applied: false,
    dry_run: true,
    steps: [UNSENT],
    rolled_back: null,
    detail: null,
  })
  expect(did).toHaveLength(3)
  await call('clearReports', undefined, true)
  expect([did.length, await collection.all()]).toEqual([4, []])
})

test('what is there already is not sent; another definition of the same is kept', async () => {
  const { call, show, planned, collection, clock } = scene()
  await call('applyReports', FIRST)
  const there = { applied: true, dry_run: false, steps: [], rolled_back: null, detail: null }
  show()
  clock.advance(1000)
  expect(await call('applyReports', FIRST)).toMatchObject(there)
  expect((await collection.get('eq'))?.applied_at).toBe('2026-01-01T00:00:00.000Z')
  expect(await call('applyReports', FIRST, true)).toMatchObject({ ...there, applied: false, dry_run: true })
  const named: WantedReports = { ...FIRST, reports: [{ id: 1, variables: ['Pressure'] }] }
  await call('applyReports', named, true)
  expect(await collection.get('eq')).toMatchObject({ definition: FIRST })
  await call('applyReports', named)
  expect(await collection.get('eq')).toMatchObject({
    definition: named,
    applied_at: '2026-01-01T00:00:01.000Z',
  })
  expect(planned()).toHaveLength(1)
  // Not known to be there, or not wanted.
  await call('applyReports', SECOND)
  await call('applyReports', SECOND)
  expect(planned()).toHaveLength(3)
})

test('what is there as far as is known is sent again to who asks for that', async () => {
  const { call, show, planned } = scene()
  await call('applyReports', FIRST)
  show()
  await call('applyReports', FIRST)
  expect(planned()).toHaveLength(1)
  await call('applyReports', FIRST, false, true)
  expect(planned()).toHaveLength(2)
})

test('while a change is under way the record says so', async () => {
  const { call, did } = scene()
  await call('applyReports', FIRST)
  await call('applyReports', SECOND)
  expect(did.filter((one) => one[0] === 'change')).toEqual([
    ['change', 'SEND', undefined],
    ['change', 'SEND', true],
  ])
})

const failure = (more: object, changed = true): ReportsChanged =>
  ({ ...OK, failed: { purpose: 'define', detail: 'refused', changed }, ...more }) as ReportsChanged

type Case = [
  what: string,
  isApplied: boolean,
  changed: ReportsChanged,
  state: string,
  isUnfinished: boolean | undefined,
]

test.each<Case>([
  ['before anything changed', true, failure({ detail: 'none' }, false), 'present', false],
  ['and was rolled back', true, failure({ rolledBack: true, detail: 'back' }), 'present', false],
  ['and could not be rolled back', true, failure({ rolledBack: false }), 'missing', true],
  ['and nobody knows what there was', true, failure({ rolledBack: null }), 'missing', false],
  ['where nothing was applied', false, failure({ rolledBack: null }), 'missing', undefined],
  ['and was rolled back to nothing', false, failure({ rolledBack: true }), 'none', undefined],
])('a change that fails %s', async (_, isApplied, changed, state, isUnfinished) => {
  const { call, next, show, collection, state: stateNow, journal } = scene()
  if (isApplied) await call('applyReports', FIRST)
  show()
  next.changed = changed
  const before = journal.entries.length
  expect(await call('applyReports', SECOND)).toMatchObject({ applied: false, detail: changed.detail })
  expect((await stateNow()).state).toBe(state)
  expect((await collection.get('eq'))?.unfinished).toBe(isUnfinished)
  if (isApplied) expect(await collection.get('eq')).toMatchObject({ definition: FIRST })
  const events = journal.entries.slice(before).map(({ data }) => [data['cause'], data['error']])
  const cause = isApplied && changed.rolledBack === true ? 'rolled_back' : 'failed'
  expect(events).toEqual(changed.failed?.changed ? [[cause, changed.detail ?? 'refused']] : [])
})

test('a step without a usable reply is the problem of the call, with what state it left', async () => {
  const { call, next } = scene()
  const problem = new Problem('reply_timeout', 'silent', { message_id: '7' })
  const failed = { purpose: 'define', detail: 'silent', changed: false, problem } as const
  next.changed = { ...OK, failed, detail: 'It has a part of it.' }
  await expect(call('applyReports', FIRST)).rejects.toMatchObject({
    ...{ code: 'reply_timeout', message: 'It has a part of it.', extra: { message_id: '7' } },
  })
  next.changed = { ...OK, failed }
  await expect(call('applyReports', FIRST)).rejects.toMatchObject({ message: 'silent' })
})

test('what was applied is cleared, and of others what was kept stays', async () => {
  const { call, planned, collection, state } = scene()
  await call('applyReports', { ...FIRST, others: 'keep' })
  const result = await call('clearReports')
  expect(result).toMatchObject({
    applied: true,
    warnings: [],
    difference: { reports: [{ change: 'removed' }] },
  })
  expect([await collection.all(), (await state()).state]).toEqual([[], 'none'])
  await call('clearReports')
  const none = { reports: [], events: [] }
  expect(planned().slice(1)).toMatchObject([
    ['plan', { ...none, others: 'keep' }, { others: 'keep', reports: [{ id: '1' }] }],
    ['plan', { ...none, others: 'delete' }, undefined],
  ])
})
