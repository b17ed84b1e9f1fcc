import { describe, expect, test } from 'vitest'
import type { NewEquipment } from '../../../../src/contract/equipment.js'
import type { WantedReports } from '../../../../src/contract/topics/reports.js'
import type { StartedEquipment } from '../../../../src/gateway/equipment/equipment-directory.js'
import { KnownEquipment } from '../../../../src/gateway/knowledge/known-equipment.js'
import type { Asking } from '../../../../src/gateway/services/asking.js'
import type { KeptReports } from '../../../../src/gateway/services/reports/kept-reports.js'
import { ReportsVerification } from '../../../../src/gateway/services/reports/reports-verification.js'
import { Signal } from '../../../../src/kit/signal.js'
import { L, U4 } from '../../../../src/secs2/item.js'
import { StoreUnavailable } from '../../../../src/store/failure.js'
import { settle } from '../../../support/gem-pair.js'
import { callsOf, LiveGateway } from '../../../support/live-gateway.js'
import { ManualClock } from '../../../support/manual-clock.js'
import { until } from '../../../support/until.js'
import { ReportingEquipment } from './reporting-equipment.js'

const DEFINITION: WantedReports = {
  reports: [
    { id: 100, variables: [10, 11] },
    { id: 101, variables: [12] },
  ],
  events: [
    { event: 31, reports: [100] },
    { event: 32, reports: [101] },
  ],
}
const HAS_ALL = { reports: { 100: ['10', '11'], 101: ['12'] }, enabled: { 31: ['100'], 32: ['101'] } }
/** VID of EventsEnabled. */
const ENABLED = '19'

/** Equipment to which reports were applied, on made-up time. */
async function applied(definition: WantedReports | null = DEFINITION, given: Partial<NewEquipment> = {}) {
  const clock = new ManualClock()
  const live = await LiveGateway.open({ clock })
  const { equipment: scripted, id } = await live.connectScripted({ gem_startup: true, ...given })
  const equipment = new ReportingEquipment(scripted)
  const calls = callsOf(live.gateway)
  equipment.names = { [ENABLED]: 'EventsEnabled', 10: 'Pressure', 11: 'Power' }
  if (definition) await calls.applyReports({ id }, { body: definition })
  /** Seconds go by; ends before when `isOver` says so. */
  const pass = async (seconds: number, isOver = async () => false): Promise<void> => {
    for (let second = 0; second < seconds && !(await isOver()); second++) {
      for (let turn = 0; turn < 3; turn++) await scripted.linktest()
      clock.advance(1000)
      for (let turn = 0; turn < 3; turn++) await scripted.linktest()
    }
  }
  const away = async (): Promise<void> => {
    await live.gateway.equipment.disconnect(id)
    equipment.asked.length = 0
  }
  const back = async (seconds = 20): Promise<void> => {
    await live.gateway.equipment.connect(id, 30)
    await until(() => equipment.asked.includes('S6F15') || !definition)
    await pass(seconds)
  }
  /** What was asked that a check of another host's changes asks. */
  const looked = (): string[] => equipment.asked.filter((each) => each === 'S6F21' || each === 'S1F3')
  const changes = async () =>
    (await live.events()).filter(({ data }) => data['cause'] === 'changed_elsewhere').map(({ data }) => data)
  const state = () => calls.getReports({ id })
  return { clock, live, scripted, equipment, id, calls, pass, away, back, looked, changes, state }
}

describe('another host, while the gateway was away,', () => {
  test('has defined a report with as many other variables: it is said, and the definition applied again', async () => {
    const { equipment, away, back, changes, state } = await applied()
    await away()
    equipment.redefine('100', ['11', '10'])
    await back()
    expect(equipment.state).toEqual(HAS_ALL)
    const [change, ...rest] = await changes()
    expect([change, rest]).toMatchObject([{ to: 'missing', reports: ['100'], events: [] }, []])
    expect(change?.['error']).toContain('100 has Power Pressure in place of Pressure Power')
    expect(await state()).toMatchObject({
      ...{ state: 'present', last_error: null },
      changed_elsewhere: { detail: change?.['error'] },
    })
  })

  test('has done so: values that came before that was found have no names afterwards, and later ones have theirs', async () => {
    const { live, scripted, equipment, id, away, back, pass, changes } = await applied()
    const send = (dataId: number) =>
      scripted.send(6, 11, L(U4(dataId), U4(31), L(L(U4(100), L(U4(1), U4(2))))))
    const values = async () => {
      const { items } = await live.gateway.messages.list({ equipment_id: [id], stream: 6, function: 11 })
      return items
        .toReversed()
        .map(({ collection_event }) => collection_event?.reports[0]?.values.map(({ vid }) => vid))
    }
    send(1)
    await scripted.linktest()
    await away()
    equipment.redefine('100', ['11', '10'])
    await back(0)
    send(2)
    await scripted.linktest()
    expect(await values()).toEqual([
      ['10', '11'],
      ['10', '11'],
    ])
    await pass(20)
    send(3)
    await scripted.linktest()
    expect(await values()).toEqual([
      ['10', '11'],
      [null, null],
      ['10', '11'],
    ])
    const [change] = await changes()
    const { items } = await live.gateway.messages.list({ equipment_id: [id], stream: 6, function: 11 })
    const since = Number(change?.['since_message'])
    expect(items.map((message) => Number(message.id) > since)).toEqual([true, true, false])
  })

  test('has disabled an event, and enabled one that is to be disabled: both are put right', async () => {
    const { equipment, away, back, changes } = await applied({
      ...DEFINITION,
      events: [...DEFINITION.events, { event: 33, enabled: false }],
    })
    await away()
    equipment.switch('32', false)
    equipment.switch('33', true)
    await back()
    expect(equipment.state).toEqual(HAS_ALL)
    const [change] = await changes()
    expect(change).toMatchObject({ reports: [], events: ['32', '33'] })
    expect(change).not.toHaveProperty('since_message')
  })

  test('has deleted a report that the sample does not have', async () => {
    const more = { id: 102, variables: [13] }
    const { equipment, away, back, changes } = await applied({
      reports: [...DEFINITION.reports, more, { id: 103, variables: [14] }],
      events: DEFINITION.events,
    })
    await away()
    equipment.redefine('103', [])
    await back()
    expect(equipment.state.reports).toMatchObject({ 103: ['14'] })
    expect(await changes()).toMatchObject([{ reports: ['103'] }])
  })

  test('has taken the report of one event away, too: what it has defined anew is found out before all is defined again', async () => {
    const { scripted, equipment, away, back, pass, changes } = await applied({
      ...DEFINITION,
      events: [
        { event: 31, reports: [100] },
        { event: 32, reports: [101] },
        { event: 33, reports: [101] },
      ],
    })
    await away()
    equipment.redefine('100', ['11', '10'])
    equipment.unlink('32')
    await back(0)
    // It has not begun to look, and what comes is not from the spool.
    await until(() => equipment.asked.includes('S1F23'))
    scripted.send(6, 11, L(U4(1), U4(32), L()))
    await pass(20)
    expect(equipment.state.reports).toMatchObject({ 100: ['10', '11'] })
    expect(await changes()).toMatchObject([{ reports: ['100'] }])
  })

  test('has defined a report anew that somebody had sent by hand: its names are right again, and nothing is sent', async () => {
    const { live, equipment, id, away, back, changes, calls } = await applied(null)
    const send = async (fn: number, data: Record<string, unknown>) => {
      await live.gateway.messages.send(id, { stream: 2, function: fn, data, wait_for_reply: true })
    }
    await send(33, { DATAID: 1, REPORTS: [{ RPTID: 100, VID: [10, 11] }] })
    await away()
    equipment.redefine('100', ['11', '10'])
    await back()
    expect(await changes()).toMatchObject([{ from: 'none', to: 'none', reports: ['100'] }])
    expect(equipment.asked).not.toContain('S2F33')
    const { values } = await calls.requestReport({ id, rptid: '100' })
    expect(values.map(({ id: vid }) => vid)).toEqual(['11', '10'])
  })

  test('has defined a report of others while a definition is applied of which nothing can be asked', async () => {
    const { live, equipment, id, away, back, changes, calls, state } = await applied(null)
    const REPORTS = [{ RPTID: 100, VID: [10, 11] }]
    await live.gateway.messages.send(id, {
      ...{ stream: 2, function: 33, wait_for_reply: true },
      data: { DATAID: 1, REPORTS },
    })
    await calls.applyReports(
      { id },
      { body: { reports: [], events: [{ event: 33, enabled: false }], others: 'keep' } },
    )
    await away()
    equipment.redefine('100', ['11', '10'])
    await back()
    expect(await state()).toMatchObject({ state: 'unknown' })
    expect(await changes()).toMatchObject([{ reports: ['100'] }])
    const { values } = await calls.requestReport({ id, rptid: '100' })
    expect(values.map(({ id: vid }) => vid)).toEqual(['11', '10'])
  })
})

describe('equipment that comes back with what it had', () => {
  test('and to which nothing is applied has it: nothing is asked', async () => {
    const { id, away, back, calls, state, equipment } = await applied(null)
    await calls.applyReports({ id }, { body: { reports: [], events: [], others: 'keep' } })
    await away()
    await back()
    expect(await state()).toMatchObject({ state: 'present' })
    expect(equipment.asked).not.toContain('S6F15')
  })

  test('is asked once for each report and for its enabled events, one a second, and nothing is said', async () => {
    const { equipment, away, back, looked, pass, changes, state } = await applied()
    await away()
    await back(0)
    const counts: number[] = []
    for (let second = 0; second < 20; second++) {
      await pass(1)
      counts.push(looked().length)
    }
    expect(looked()).toEqual(['S1F3', 'S6F21', 'S6F21'])
    expect(counts.every((count, at) => count - (counts[at - 1] ?? 0) <= 1)).toBe(true)
    expect([equipment.asked.includes('S2F33'), await changes()]).toEqual([false, []])
    expect(await state()).toMatchObject({ state: 'present', changed_elsewhere: null })
  })

  test('and is not to be asked anything by itself, is not', async () => {
    const { away, back, looked } = await applied(DEFINITION, { gem_startup: false })
    await away()
    await back()
    expect(looked()).toEqual([])
  })

  test('and goes away again is asked at the next connection, first for what was not asked', async () => {
    const { scripted, away, back, pass } = await applied()
    const asked = () =>
      scripted.received
        .filter(({ stream, function: fn }) => stream === 6 && fn === 21)
        .map(({ body }) => body.at(-1))
    await away()
    await back(0)
    await pass(10, async () => asked().length === 1)
    await away()
    expect(asked()).toEqual([100])
    await back()
    expect(asked()).toEqual([100, 101, 100])
  })

  test.each(['abort', 'silence'] as const)(
    'and does not know S6F21 (%s) is asked that once',
    async (answer) => {
      const { equipment, away, back, looked, state } = await applied()
      equipment.faults.push({ message: 'S6F21', answer })
      await away()
      await back(40)
      expect(looked()).toEqual(['S1F3', 'S6F21'])
      await away()
      await back()
      expect(looked()).toEqual(['S1F3'])
      expect((await state()).state).toBe('present')
    },
  )

  test('and returns an empty S6F22 for a report that it has is not said to miss it', async () => {
    const { equipment, away, back, changes } = await applied()
    equipment.hidden.add('S6F21')
    await away()
    await back()
    expect([equipment.asked.includes('S2F33'), await changes()]).toEqual([false, []])
  })

  test('and does not show what it has just accepted is given its reports again once, and not at every connection', async () => {
    const { equipment, away, back } = await applied()
    equipment.misnamed = '77'
    let definitions = 0
    for (let connection = 0; connection < 4; connection++) {
      await away()
      await back()
      definitions = equipment.asked.filter((each) => each === 'S2F33').length
    }
    expect([definitions, equipment.asked.includes('S6F21')]).toEqual([0, false])
    expect(equipment.state).toEqual(HAS_ALL)
  })
})

/** Tools that come back, each with five reports of which nothing shows that they are the same. */
function fab(count: number) {
  const [clock, known] = [new ManualClock(), new KnownEquipment()]
  const reports = ['1', '2', '3', '4', '5']
  for (const id of reports) known.learnReport(id, ['10'], 1)
  known.begin(2)
  const [asked, calm] = [[] as string[], new Map<string, boolean | null>()]
  const site = { failure: undefined as Error | undefined }
  const asking = {
    ask: async (id: string) => {
      if (site.failure) throw site.failure
      asked.push(id)
      return { content: { VALUES: [{ VID: '10' }] } }
    },
    isCalm: (id: string) => calm.get(id) ?? (calm.has(id) ? null : true),
  } as unknown as Asking
  const kept = { get: async () => undefined } as unknown as KeptReports
  const contradicted = new Signal<StartedEquipment>()
  const maintenance = { settled: async () => {}, applyAgain: async () => {}, contradicted }
  const verification = new ReportsVerification(kept, maintenance, asking, { of: () => known }, clock)
  const ids = Array.from({ length: count }, (_, at) => `eq_${at}`)
  const looks = ids.map((id) => verification.returned(id))
  const pass = async (seconds: number): Promise<void> => {
    for (let tick = 0; tick < seconds * 20; tick++) {
      await settle()
      clock.advance(50)
      await settle()
    }
  }
  return { clock, verification, ids, looks, asked, calm, site, pass }
}

test('two hundred tools that come back at once are asked in turn, twenty questions a second', async () => {
  const { asked, ids, looks, pass } = fab(200)
  await pass(1)
  expect(asked.length).toBeLessThanOrEqual(1)
  let before = asked.length
  for (let second = 0; second < 55; second++) {
    await pass(1)
    expect(asked.length - before).toBeLessThanOrEqual(20)
    before = asked.length
  }
  await Promise.all(looks)
  expect(asked).toHaveLength(5 * ids.length)
  // Each has its first question before any has its second.
  expect(new Set(asked.slice(0, ids.length)).size).toBe(ids.length)
})

test('equipment that is asked something else, or is offline, is asked later; one that does not communicate is not asked', async () => {
  const { asked, calm, looks, pass } = fab(2)
  calm.set('eq_0', false)
  calm.set('eq_1', null)
  await pass(30)
  expect(asked).toEqual([])
  calm.set('eq_0', true)
  await pass(10)
  await Promise.all(looks)
  expect(asked).toEqual(Array.from({ length: 5 }, () => 'eq_0'))
})

test('equipment is looked at again where the store was away meanwhile', async () => {
  const { asked, looks, pass, site } = fab(1)
  await pass(2)
  site.failure = new StoreUnavailable('away')
  await pass(3)
  site.failure = undefined
  const before = asked.length
  await pass(20)
  await Promise.all(looks)
  expect(asked.length - before).toBe(5)
})

test('a gateway that closes asks nothing more, and leaves no timer', async () => {
  const { clock, asked, verification, looks, pass } = fab(50)
  await pass(2)
  const before = asked.length
  verification.close()
  await Promise.all(looks)
  expect([asked.length, clock.scheduled]).toEqual([before, 0])
})
