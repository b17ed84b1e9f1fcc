import { describe, expect, test } from 'vitest'
import { type ErrorCode, Problem } from '../../../../src/contract/errors.js'
import type { WantedReports } from '../../../../src/contract/topics/reports.js'
import { Decisions } from '../../../../src/gateway/decisions.js'
import type { StartedEquipment } from '../../../../src/gateway/equipment/equipment-directory.js'
import { KnownEquipment } from '../../../../src/gateway/knowledge/known-equipment.js'
import type { ReportedEvent } from '../../../../src/gateway/link/session.js'
import type { Asking } from '../../../../src/gateway/services/asking.js'
import type { Naming } from '../../../../src/gateway/services/naming.js'
import { KeptReports, type KeptReportsWorld } from '../../../../src/gateway/services/reports/kept-reports.js'
import type { ReportChanges } from '../../../../src/gateway/services/reports/report-changes.js'
import { ReportsMaintenance } from '../../../../src/gateway/services/reports/reports-maintenance.js'
import type { ReportsRecord } from '../../../../src/gateway/services/reports/reports-record.js'
import { Signal } from '../../../../src/kit/signal.js'
import { NotOwner, StoreUnavailable } from '../../../../src/store/failure.js'
import { SoleOwnership } from '../../../../src/store/sole-ownership.js'
import { settle } from '../../../support/gem-pair.js'
import { ManualClock } from '../../../support/manual-clock.js'
import { AwayJournal, MemoryCollection, MemoryJournal } from '../../../support/memory-store.js'

/** The result of the maintenance of reports where reading them fails with this. */
async function maintenanceWith(failure: Error): Promise<unknown> {
  const started = new Signal<StartedEquipment>()
  const collection = { get: () => Promise.reject(failure) }
  const decisions = new Decisions(new MemoryJournal(), new ManualClock())
  const kept = new KeptReports({ collection, decisions } as unknown as KeptReportsWorld)
  const maintenance = new ReportsMaintenance(
    kept,
    {} as ReportChanges,
    {} as Asking,
    {} as Naming,
    new ManualClock(),
  )
  maintenance.watch({ started, removed: new Signal<string>() }, new Signal())
  const works: Promise<unknown>[] = []
  started.emit({ equipmentId: 'eq_1', waitFor: (work) => works.push(work) })
  return Promise.all(works)
}

test('a bug in the maintenance of reports is thrown; what another process does now is not its own', async () => {
  await expect(maintenanceWith(new TypeError('no such function'))).rejects.toThrow('no such function')
  await expect(maintenanceWith(new NotOwner('eq_1'))).resolves.toEqual([undefined])
})

const DEFINITION: WantedReports = {
  reports: [{ id: 1, variables: [10, 11] }],
  events: [{ event: 31, reports: [1] }],
}
const RECORD: ReportsRecord = {
  ...{ id: 'eq', definition: DEFINITION, applied_at: 't', applied_by: 'ada', unfinished: false, model: null },
  setup: {
    reports: [{ id: '1', variables: ['10', '11'] }],
    events: [{ id: '31', reports: ['1'], enabled: true }],
    ...{ others: 'delete', inquire: false },
  },
}

interface Scene {
  /** Values of report 1 by S6F15 and S6F19 each time, or the problem that is the reply. */
  readonly values?: readonly (number | ErrorCode | Error)[]
  readonly linked?: readonly (number | ErrorCode | Error)[]
  readonly record?: Partial<ReportsRecord>
  readonly definition?: Partial<WantedReports>
  readonly known?: (known: KnownEquipment) => void
  /** Why applying fails, each time or the first times. */
  readonly refusal?: string
  readonly refusals?: readonly string[]
  /** What planning throws. */
  readonly fault?: Error
  /** What asking for names throws. */
  readonly unnamed?: Error
}

/** Equipment that returns with reports as they are kept. */
async function scene({
  values = [2],
  linked = [2],
  record,
  definition,
  known,
  refusal,
  refusals = [],
  fault,
  unnamed,
}: Scene) {
  const refusing = [...refusals]
  const [knowledge, collection] = [new KnownEquipment(), new MemoryCollection<ReportsRecord>()]
  const learn = (variables: readonly string[]): void => knowledge.learnReport('1', variables, 1)
  learn(['10', '11'])
  known?.(knowledge)
  const [journal, clock, asked, applied] = [
    new MemoryJournal(),
    new ManualClock(),
    [] as string[],
    [] as string[],
  ]
  const kept = new KeptReports({
    ...{ collection, journal, clock, knowledge: { of: () => knowledge }, reportsStates: new Map() },
    decisions: new Decisions(journal, clock),
    ownership: new SoleOwnership(async () => []),
  })
  await collection.put({ ...RECORD, definition: { ...DEFINITION, ...definition }, ...record })
  const left = { S6F15: [...linked], S6F19: [...values] }
  const ask = async (_: string, message: 'S6F15' | 'S6F19') => {
    asked.push(message)
    const replies = left[message]
    const [reply = 0] = replies.length > 1 ? replies.splice(0, 1) : replies
    if (reply instanceof Error) throw reply
    if (typeof reply === 'string') throw new Problem(reply, message)
    const V = Array.from({ length: reply }, () => '0')
    return { content: { V, REPORTS: reply === 0 ? [] : [{ RPTID: '1', V }] } }
  }
  const asking = { ask, nameOf: () => 'etcher', isOnline: () => true } as unknown as Asking
  const changes = {
    plan: (_: string, __: object, present: { reports: { id: string }[] }) => {
      if (fault) throw fault
      applied.push(present.reports.map(({ id }) => id).join())
      return []
    },
    carryOut: async () => {
      expect((await collection.get('eq'))?.unfinished).toBe(true)
      learn(['10', '11'])
      const detail = refusing.shift() ?? refusal
      return detail === undefined ? { steps: [] } : { steps: [], failed: { detail } }
    },
  } as unknown as ReportChanges
  const naming = {
    learn: async () => {
      if (unnamed) throw unnamed
    },
    of: () => knowledge,
  } as unknown as Naming
  const maintenance = new ReportsMaintenance(kept, changes, asking, naming, clock)
  const [started, removed, reported] = [
    new Signal<StartedEquipment>(),
    new Signal<string>(),
    new Signal<ReportedEvent>(),
  ]
  maintenance.watch({ started, removed }, reported)
  const report = async (count: number) => {
    const V = Array.from({ length: count }, () => '0')
    reported.emit({ equipmentId: 'eq', report: { CEID: '31', REPORTS: [{ RPTID: '1', V }] } } as never)
    await settle()
  }
  const state = async () => {
    const now = await collection.get('eq')
    return now && kept.reportsState(now)
  }
  /** Seconds go by. */
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      await settle()
      clock.advance(1000)
    }
    await settle()
  }
  return {
    ...{ maintenance, collection, knowledge, kept, asked, applied, report, removed, state, journal },
    ...{ started, clock, pass },
  }
}

/** The equipment has other software than when the reports were applied. */
const OTHER: Scene = {
  record: { model: { mdln: 'M', softrev: '1' } },
  known: (known) => {
    known.meet({ mdln: 'M', softrev: '2' }, 1)
    known.learnReport('1', ['10', '11'], 2)
  },
}
/** A recorded message showed that report 1 has other variables. */
const CONTRADICTED: Scene = { known: (known) => known.learnReport('1', ['77'], 1) }

/** The reports of others stay, and its own are deleted one by one before they are defined. */
const KEEPING: Partial<ReportsRecord> = { setup: { ...RECORD.setup, others: 'keep' } }

type Case = [what: string, given: Scene, asked: string, applied: string[], state: string]

test.each<Case>([
  ['that has its reports', {}, 'S6F15', [], 'present'],
  ['without its reports', { linked: [0], values: [0] }, 'S6F15 S6F19 S6F15 S6F19 S6F19', ['1'], 'present'],
  [
    'without its reports, where those of others stay',
    { linked: [0], values: [0], record: KEEPING },
    'S6F15 S6F19 S6F15 S6F19 S6F19',
    [''],
    'present',
  ],
  ['with other links', { linked: [0, 2] }, 'S6F15 S6F19 S6F15', ['1'], 'present'],
  [
    'that replies to neither question',
    { linked: ['reply_timeout'], values: ['reply_timeout'] },
    'S6F15 S6F19',
    [],
    'unknown',
  ],
  [
    'that refuses both questions',
    { linked: ['equipment_error'], values: ['equipment_error'] },
    'S6F15 S6F19',
    [],
    'unknown',
  ],
  [
    'whose reports are never applied again',
    { linked: [0], definition: { apply_again: 'never' } },
    '',
    [],
    'unknown',
  ],
  ['whose reports are always applied again', { definition: { apply_again: 'always' } }, '', ['1'], 'present'],
  ['whose change did not end', { record: { unfinished: true } }, '', ['1'], 'present'],
  ['with other software', OTHER, 'S6F15', ['1'], 'present'],
  [
    'with other software, where the reports of others stay',
    { ...OTHER, record: { ...OTHER.record, ...KEEPING }, definition: { others: 'keep' } },
    'S6F15 S6F15',
    ['1'],
    'present',
  ],
  ['that a message contradicts', CONTRADICTED, 'S6F15', ['1'], 'present'],
  [
    'that has no report to ask for',
    { record: { setup: { ...RECORD.setup, reports: [], events: [] } } },
    '',
    [],
    'unknown',
  ],
  ['whose replies showed nothing', { record: { shown: 'nothing' } }, '', [], 'unknown'],
  ['whose replies show no links', { record: { shown: 'reports' } }, 'S6F19', [], 'present'],
  [
    'that refuses to have them again',
    { linked: [0], values: [0], refusal: 'S2F33 was refused' },
    'S6F15 S6F19',
    ['1'],
    'missing',
  ],
  [
    'whose formats have changed',
    { linked: [0], fault: new Problem('invalid_message', 'no item') },
    'S6F15 S6F19',
    [],
    'missing',
  ],
])('equipment that returns: %s', async (_, given, asked, applied, state) => {
  const returned = await scene(given)
  await returned.maintenance.returned('eq')
  expect(returned.asked.join(' ')).toBe(asked)
  expect(returned.applied).toEqual(applied)
  expect((await returned.state())?.state).toBe(state)
})

const SILENT: Scene = { linked: ['reply_timeout'], values: ['reply_timeout'] }

test('equipment that was silent is not asked again about the same reports until it is deleted', async () => {
  const silent = await scene({ ...SILENT })
  await silent.maintenance.returned('eq')
  expect((await silent.state())?.last_error).not.toBeNull()
  await silent.maintenance.returned('eq')
  expect(silent.asked).toEqual(['S6F15', 'S6F19'])
  expect((await silent.state())?.last_error).not.toBeNull()
  silent.removed.emit('eq')
  await settle()
  expect(await silent.collection.get('eq')).toBeUndefined()
  await silent.collection.put({ ...RECORD })
  await silent.maintenance.returned('eq')
  await silent.collection.put({ ...RECORD, applied_at: 'later' })
  await silent.maintenance.returned('eq')
  expect(silent.asked).toHaveLength(6)
})

test('equipment that has refused the questions is asked again', async () => {
  const refusing = await scene({ linked: ['equipment_error'], values: ['equipment_error'] })
  await refusing.maintenance.returned('eq')
  await refusing.maintenance.returned('eq')
  expect(refusing.asked).toHaveLength(4)
})

test.each<[what: string, given: Scene, count: number, applied: number, state: string]>([
  ['as set shows nothing', SILENT, 2, 0, 'unknown'],
  ['with another number of values has them applied again', SILENT, 1, 1, 'present'],
  [
    'is the reason of the state where they are never applied',
    { definition: { apply_again: 'never' } },
    1,
    0,
    'missing',
  ],
  ['of equipment that has them changes nothing', {}, 1, 0, 'present'],
])('an event report %s', async (_, given, count, applied, state) => {
  const doubted = await scene(given)
  await doubted.report(1)
  await doubted.maintenance.returned('eq')
  await doubted.report(count)
  await doubted.report(count)
  expect(doubted.applied).toHaveLength(applied)
  expect((await doubted.state())?.state).toBe(state)
})

test('an event report changes nothing once a caller has applied reports, or the equipment is deleted', async () => {
  const [applied, deleted] = [await scene(SILENT), await scene(SILENT)]
  for (const one of [applied, deleted]) await one.maintenance.returned('eq')
  applied.kept.seen('eq', 'present')
  await applied.report(1)
  deleted.removed.emit('eq')
  await deleted.report(1)
  expect([applied.applied, deleted.applied]).toEqual([[], []])
})

test.each<[what: string, given: Scene, shown: string | undefined]>([
  ['links, as always', {}, undefined],
  ['reports alone', { linked: ['equipment_error'] }, 'reports'],
  ['links again', { record: { shown: 'reports' }, values: [0, 2] }, 'links'],
  ['reports after they were applied', { linked: [0], values: [0, 2] }, 'reports'],
  ['nothing after they were applied', { linked: [0], values: [0] }, 'nothing'],
  [
    'nothing new where it is silent afterwards',
    { linked: [0, 'reply_timeout'], values: [0, 'reply_timeout'] },
    undefined,
  ],
  ['nothing where there is no report', { ...OTHER, definition: { reports: [], events: [] } }, undefined],
  ['what was known where it was not asked', { record: { shown: 'reports', unfinished: true } }, 'reports'],
])('what replies show is kept: %s', async (_, given, shown) => {
  const { maintenance, collection } = await scene(given)
  await maintenance.returned('eq')
  expect((await collection.get('eq'))?.shown).toBe(shown)
})

test('reports that are applied again have an event and a new time', async () => {
  const { maintenance, collection, journal } = await scene({ record: { unfinished: true } })
  await maintenance.returned('eq')
  expect(await collection.get('eq')).toMatchObject({ unfinished: false, applied_by: 'ada' })
  expect((await collection.get('eq'))?.applied_at).not.toBe('t')
  expect(journal.entries.map(({ data }) => data)).toMatchObject([{ to: 'present', cause: 'applied_again' }])
})

test('names that other software does not have are the error of the reports', async () => {
  const { maintenance, state, applied, asked } = await scene({
    ...OTHER,
    unnamed: new Problem('invalid_message', 'no such name'),
  })
  await maintenance.returned('eq')
  expect(await state()).toMatchObject({
    state: 'missing',
    last_error: { detail: expect.stringContaining('no such name') },
  })
  expect([applied, asked]).toEqual([[], []])
})

const BUG = new TypeError('a bug')

test.each<[what: string, given: Scene]>([
  ['a reply', { linked: [BUG] }],
  ['a reply right after reports were applied', { linked: [0, BUG], values: [0] }],
  ['the names', { ...OTHER, unnamed: BUG }],
  ['the plan', { record: { unfinished: true }, fault: BUG }],
  [
    'another problem of the plan',
    { record: { unfinished: true }, fault: new Problem('store_unavailable', '') },
  ],
])('what the maintenance does not expect of %s is thrown', async (_, given) => {
  const { maintenance } = await scene(given)
  await expect(maintenance.returned('eq')).rejects.toThrow((given.unnamed ?? given.fault ?? BUG) as Error)
})

test('equipment without applied reports is not asked', async () => {
  const { maintenance, collection, asked, journal } = await scene({})
  await collection.delete('eq')
  await maintenance.returned('eq')
  expect([asked, journal.entries]).toEqual([[], []])
})

const AWAY = new StoreUnavailable('The database is away.')

describe('while the store is away for some seconds', () => {
  test('reports that are asked for, or applied, are so again when it is back', async () => {
    const asked = await scene({ linked: [AWAY, 2] })
    const unfinished = await scene({ record: { unfinished: true } })
    const recorded = await scene({ linked: [0, 2], values: [0, 2] })
    unfinished.collection.failure = AWAY
    recorded.journal.failure = AWAY
    for (const one of [asked, unfinished, recorded]) {
      const works: Promise<unknown>[] = []
      one.started.emit({ equipmentId: 'eq', waitFor: (work) => works.push(work) })
      await one.pass(3)
      one.collection.failure = undefined
      one.journal.failure = undefined
      await one.pass(10)
      await Promise.all(works)
      expect(await one.state()).toMatchObject({ state: 'present', last_error: null })
      expect(one.clock.scheduled).toBe(0)
    }
    expect([asked.applied, unfinished.applied]).toEqual([[], ['1', '1']])
  })

  test('an event that shows that reports are missing has them applied when it is back', async () => {
    const doubted = await scene(SILENT)
    await doubted.maintenance.returned('eq')
    doubted.collection.failure = AWAY
    await doubted.report(1)
    await doubted.pass(3)
    doubted.collection.failure = undefined
    await doubted.pass(5)
    expect(await doubted.state()).toMatchObject({ state: 'present' })
  })

  test('reports that equipment has refused are tried again after another pause', async () => {
    const refused = await scene({ record: { unfinished: true }, refusals: ['S2F33 was refused'] })
    await refused.maintenance.returned('eq')
    refused.collection.failure = AWAY
    await refused.pass(61)
    refused.collection.failure = undefined
    await refused.pass(61)
    expect(await refused.state()).toMatchObject({ state: 'present' })
  })

  test('reports that another host has changed are applied again after a pause', async () => {
    const changed = await scene({})
    const { maintenance, kept, collection } = changed
    await kept.changedElsewhere('eq', true, { error: 'other variables', reports: ['1'], events: [] })
    collection.failure = AWAY
    await expect(maintenance.applyAgain((await kept.get('eq')) as ReportsRecord)).rejects.toBe(AWAY)
    collection.failure = undefined
    await changed.pass(61)
    expect(await changed.state()).toMatchObject({ state: 'present' })
  })

  test('what the gateway does by itself is recorded a minute later', async () => {
    const clock = new ManualClock()
    const journal = new AwayJournal(clock)
    const collection = new MemoryCollection<ReportsRecord>()
    await collection.put(RECORD)
    const kept = new KeptReports({
      ...{ collection, journal, clock, knowledge: { of: () => new KnownEquipment() } },
      ...{ decisions: new Decisions(journal, clock), reportsStates: new Map() },
      ownership: new SoleOwnership(async () => []),
    })
    journal.leave()
    const byCaller = expect(kept.accepted(RECORD, 'applied')).rejects.toThrow('away')
    const byItself = kept.accepted(RECORD, 'applied_again')
    await settle()
    clock.advance(50_000)
    await byCaller
    journal.comeBack()
    await byItself
    expect(journal.entries.map(({ data }) => data['cause'])).toEqual(['applied_again'])
  })
})
