import { describe, expect, test } from 'vitest'
import type { NewEquipment } from '../../../../src/contract/equipment.js'
import type { AppliedReports, WantedReports } from '../../../../src/contract/topics/reports.js'
import { A, L, U4 } from '../../../../src/secs2/item.js'
import { ADA, type Calls, callsOf, LiveGateway } from '../../../support/live-gateway.js'
import { ManualClock } from '../../../support/manual-clock.js'
import { until } from '../../../support/until.js'
import { ReportingEquipment } from './reporting-equipment.js'

const FIRST: WantedReports = {
  reports: [{ id: 100, variables: [10, 11] }],
  events: [{ event: 31, reports: [100] }],
}
const SECOND: WantedReports = {
  reports: [
    { id: 100, variables: [12] },
    { id: 101, variables: [13, 10] },
  ],
  events: [
    { event: 31, reports: [101, 100] },
    { event: 32, reports: [], enabled: false },
  ],
}
const SECOND_LINKED: WantedReports = {
  ...SECOND,
  events: [
    { event: 31, reports: [101, 100] },
    { event: 32, reports: [100] },
  ],
}
const HAS_FIRST = { reports: { 100: ['10', '11'] }, enabled: { 31: ['100'] } }
const HAS_SECOND = { reports: { 100: ['12'], 101: ['13', '10'] }, enabled: { 31: ['101', '100'] } }
const HAS_NOTHING = { reports: {}, enabled: {} }

async function connected(given: Partial<NewEquipment> = {}) {
  const live = await LiveGateway.open()
  const { equipment: scripted, id } = await live.connectScripted(given)
  const equipment = new ReportingEquipment(scripted)
  const call = (): Calls => callsOf(live.gateway)
  const apply = (wanted: WantedReports, dry_run = false) =>
    call().applyReports({ id }, { body: wanted, query: { dry_run } })
  /** The connection is lost and made again; resolves when the reports have been seen to. */
  const comeBack = async (wanted: (applied: AppliedReports) => boolean): Promise<AppliedReports> => {
    const { checked_at } = await call().getReports({ id })
    scripted.cut()
    return until(async () => {
      const applied = await call().getReports({ id })
      return applied.checked_at !== checked_at && wanted(applied) && applied
    })
  }
  return { live, scripted, equipment, id, call, apply, comeBack }
}

describe('applying', () => {
  test('defines, links and enables what is wanted, and nothing else is left', async () => {
    const { equipment, id, call, apply } = await connected()
    const result = await apply(FIRST)
    expect(result).toMatchObject({ applied: true, dry_run: false, rolled_back: null, detail: null })
    expect(result.steps.map(({ message, accepted, code }) => [message, accepted, code])).toEqual([
      ['S2F37', true, 0],
      ['S2F33', true, 0],
      ['S2F33', true, 0],
      ['S2F35', true, 0],
      ['S2F37', true, 0],
    ])
    expect(equipment.state).toEqual(HAS_FIRST)
    expect(await call().getReports({ id })).toMatchObject({
      definition: FIRST,
      applied_by: ADA.email,
      state: 'present',
      last_error: null,
    })
  })

  test('a dry run asks for names that are not known yet, as applying does', async () => {
    const { equipment, id, call, apply } = await connected()
    equipment.names = { 10: 'Pressure', 11: 'Power' }
    const named = { ...FIRST, reports: [{ id: 100, variables: ['Pressure', 'Power'] }] }
    expect(await apply(named, true)).toMatchObject({ applied: false, dry_run: true })
    expect(equipment.asked).toEqual(['S1F11'])
    expect(await call().getReports({ id })).toMatchObject({ definition: null })
  })

  test('what was applied before gives way, and the difference tells', async () => {
    const { equipment, apply } = await connected()
    await apply(FIRST)
    const { difference } = await apply(SECOND)
    expect(difference.reports.map(({ change, id }) => `${change} ${id}`)).toEqual([
      'changed 100',
      'added 101',
    ])
    expect(difference.events.map(({ change, id }) => `${change} ${id}`)).toEqual(['changed 31', 'added 32'])
    expect(equipment.state).toEqual(HAS_SECOND)
  })

  test('what is there already is not sent again, unless somebody has changed it', async () => {
    const { live, equipment, scripted, id, call, apply } = await connected()
    const sent = () => scripted.received.filter(({ stream }) => stream === 2).length
    await apply(SECOND)
    const [before, { applied_at }] = [sent(), await call().getReports({ id })]
    expect(await apply(SECOND)).toMatchObject({
      applied: true,
      steps: [],
      difference: { reports: [], events: [] },
    })
    expect((await apply(SECOND, true)).steps).toEqual([])
    expect(sent()).toBe(before)
    expect((await call().getReports({ id })).applied_at).toBe(applied_at)
    // Other words for the same are kept.
    const named = { ...SECOND, apply_again: 'never' as const }
    expect((await apply(named)).steps).toEqual([])
    expect(await call().getReports({ id })).toMatchObject({ definition: named })
    await callsOf(live.gateway).disableCollectionEvents({ id }, { body: { events: ['31'] } })
    expect((await apply(named)).steps.length).toBeGreaterThan(0)
    expect(equipment.state).toEqual(HAS_SECOND)
  })

  test('a dry run answers the steps and sends nothing', async () => {
    const { equipment, id, call, apply } = await connected()
    const result = await apply(FIRST, true)
    expect(result).toMatchObject({ applied: false, dry_run: true })
    expect(result.steps).toHaveLength(5)
    expect(equipment.asked).toEqual([])
    expect(await call().getReports({ id })).toMatchObject({ definition: null, state: 'none' })
  })

  test.each([true, false])('refuses what no item has room for before anything is sent', async (inquire) => {
    const { equipment, apply, call, id } = await connected()
    await apply(FIRST)
    equipment.asked.length = 0
    const wanted = { reports: [{ id: 99999999999, variables: [10] }], events: [] }
    for (const dryRun of [true, false]) {
      await expect(apply({ ...wanted, multi_block_inquire: inquire }, dryRun)).rejects.toMatchObject({
        code: 'invalid_message',
        extra: { errors: [{ pointer: '/reports/0/id' }] },
      })
    }
    expect(equipment.asked).toEqual([])
    expect(await call().getReports({ id })).toMatchObject({ definition: FIRST, state: 'present' })
  })

  test('is reported by an event', async () => {
    const { live, apply } = await connected()
    await apply(FIRST)
    const told = await live.event(({ name }) => name === 'reports')
    expect(told).toMatchObject({ type: 'state', data: { to: 'present', cause: 'applied' } })
  })

  test('large definitions are asked for by S2F39, which an equipment need not know', async () => {
    const { equipment, apply } = await connected()
    const variables = Array.from({ length: 60 }, () => 10)
    const { applied, steps } = await apply({ reports: [{ id: 1, variables }], events: [] })
    expect(applied).toBe(true)
    expect(steps.map(({ purpose, accepted }) => [purpose, accepted])).toContainEqual(['inquire', null])
    expect(equipment.asked).toContain('S2F39')
  })
})

describe('a step that is refused', () => {
  test('first of all changes nothing', async () => {
    const { equipment, apply, call, id } = await connected()
    await apply(FIRST)
    equipment.faults.push({ message: 'S2F37', at: 3, answer: 1 })
    const result = await apply(SECOND)
    expect(result).toMatchObject({ applied: false, rolled_back: null })
    expect(result.detail).toMatch(/^S2F37 was refused: ERACK 1, .*has what it had before\.$/)
    expect(equipment.state).toEqual(HAS_FIRST)
    expect(await call().getReports({ id })).toMatchObject({ definition: FIRST, state: 'present' })
  })

  test.each([
    ['define', 'S2F33', 4],
    ['link', 'S2F35', 2],
    ['enable', 'S2F37', 4],
  ])('at %s goes back to what was applied before', async (_, message, at) => {
    const { equipment, apply, call, id } = await connected()
    await apply(FIRST)
    equipment.faults.push({ message, at, answer: 1 })
    const result = await apply(SECOND)
    expect(result).toMatchObject({ applied: false, rolled_back: true })
    expect(result.detail).toMatch(/has again what the gateway had applied before\.$/)
    expect(equipment.state).toEqual(HAS_FIRST)
    expect(await call().getReports({ id })).toMatchObject({ definition: FIRST, state: 'present' })
  })

  test('where nothing was applied before says what is gone, and what is not', async () => {
    const { equipment, apply } = await connected()
    equipment.faults.push({ message: 'S2F33', at: 1, answer: 1 })
    expect((await apply(FIRST)).detail).toMatch(/events of tool 1 are disabled; its reports are as they were/)
    const wrong = { reports: [{ id: 100, variables: [99] }], events: [] }
    const result = await apply(wrong)
    expect(result).toMatchObject({ applied: false, rolled_back: null })
    expect(result.detail).toMatch(/DRACK 4, no such variable.*is gone, and not known/)
    expect(equipment.state).toEqual(HAS_NOTHING)
  })

  test('says so when going back is refused as well, and tries again with the next connection', async () => {
    const { equipment, apply, call, id, comeBack } = await connected()
    await apply(FIRST)
    equipment.faults.push({ message: 'S2F35', at: 2, answer: 4 }, { message: 'S2F37', at: 4, answer: 1 })
    const result = await apply(SECOND)
    expect(result).toMatchObject({ applied: false, rolled_back: false })
    expect(result.detail).toMatch(/LRACK 4.*Going back failed as well: S2F37 was refused/)
    expect(await call().getReports({ id })).toMatchObject({ definition: FIRST, state: 'missing' })
    equipment.faults.push({ message: 'S2F37', answer: 1 })
    const { detail } = await apply(SECOND)
    expect(detail).toMatch(/has what it had before, and that is not what .* Going back failed as well/)
    await comeBack(({ state }) => state === 'present')
    expect(equipment.state).toEqual(HAS_FIRST)
  })

  test('where others are kept leaves theirs alone, going back as well', async () => {
    const { equipment, apply } = await connected()
    equipment.faults.push({ message: 'S2F37', at: 2, answer: 1 })
    const result = await apply({ ...FIRST, others: 'keep' })
    expect(result).toMatchObject({ applied: false, rolled_back: true })
    expect(result.detail).toContain('has none of these reports any more.')
    expect(equipment.state.reports).toEqual({ 1: ['10'] })
    expect(Object.keys(equipment.state.enabled)).toEqual([
      '30',
      '32',
      '33',
      '34',
      '35',
      '36',
      '37',
      '38',
      '39',
    ])
  })
})

describe('a step without an answer', () => {
  test('fails as a message does, and goes back', async () => {
    const { equipment, apply } = await connected()
    await apply(FIRST)
    equipment.faults.push({ message: 'S2F35', at: 2, answer: 'abort' })
    await expect(apply(SECOND)).rejects.toMatchObject({
      code: 'transaction_aborted',
      message: expect.stringMatching(/S2F0.*has again what the gateway had applied before\.$/),
    })
    expect(equipment.state).toEqual(HAS_FIRST)
  })

  test('and a lost connection leave it to the next one', async () => {
    const { scripted, equipment, apply, comeBack } = await connected()
    await apply(FIRST)
    equipment.faults.push({ message: 'S2F35', at: 2, answer: 'silence' })
    const applying = apply(SECOND)
    await until(() => equipment.asked.filter((each) => each === 'S2F35').length === 2)
    scripted.cut()
    await expect(applying).rejects.toMatchObject({ code: 'connection_lost' })
    await comeBack(({ state }) => state === 'present')
    expect(equipment.state).toEqual(HAS_FIRST)
  })
})

describe('equipment that comes back', () => {
  test('without its reports is given them again, by a gateway that was started again, too', async () => {
    const { live, equipment, apply, call, id } = await connected()
    await apply(FIRST)
    await live.gateway.equipment.disconnect(id)
    await live.reopen()
    equipment.forget()
    await live.gateway.equipment.connect(id, 30)
    await until(async () => (await call().getReports({ id })).state === 'present')
    expect(equipment.state).toEqual(HAS_FIRST)
    const told = await live.event(({ data }) => data['cause'] === 'applied_again')
    expect(told.name).toBe('reports')
  })

  test('with its reports is asked what its events send, and for reports that none sends', async () => {
    const { equipment, apply, comeBack } = await connected()
    await apply(FIRST)
    equipment.asked.length = 0
    await comeBack(({ state }) => state === 'present')
    expect(equipment.asked).toEqual(['S6F15'])
    await apply({ ...FIRST, reports: [...FIRST.reports, { id: 101, variables: [12] }] })
    equipment.asked.length = 0
    await comeBack(({ state }) => state === 'present')
    expect(equipment.asked).toEqual(['S6F15', 'S6F19'])
  })

  test('without its reports over the same link, by S1F13, is given them again', async () => {
    const { scripted, equipment, apply, call, id } = await connected()
    await apply(FIRST)
    const { applied_at } = await call().getReports({ id })
    equipment.forget()
    scripted.send(1, 13, scripted.model)
    await until(async () => (await call().getReports({ id })).applied_at !== applied_at)
    expect(equipment.state).toEqual(HAS_FIRST)
  })

  test('is given its reports before it is asked what it need not answer', async () => {
    const { live, scripted, equipment, apply, call, id } = await connected()
    await apply(FIRST)
    await live.gateway.equipment.update(id, { gem_startup: true })
    const answer = scripted.reply
    scripted.reply = (primary) => {
      const silent = primary.stream === 5 || (primary.stream === 6 && primary.function === 23)
      if (silent) equipment.asked.push(`S${primary.stream}F${primary.function}`)
      if (primary.stream === 1 && primary.function === 1) return { function: 2, item: scripted.model }
      return silent ? undefined : answer(primary)
    }
    const { applied_at } = await call().getReports({ id })
    equipment.forget()
    scripted.cut()
    await until(async () => (await call().getReports({ id })).applied_at !== applied_at)
    await until(() => equipment.asked.includes('S6F23'))
    expect(equipment.state).toEqual(HAS_FIRST)
    expect(equipment.asked.indexOf('S6F23')).toBe(equipment.asked.length - 1)
  })

  test('with its reports, but without their links, is given both again', async () => {
    const { equipment, apply, comeBack } = await connected()
    await apply({ ...FIRST, others: 'keep' })
    equipment.unlink('31')
    await comeBack(({ state }) => state === 'present')
    expect(equipment.state).toMatchObject({ reports: HAS_FIRST.reports, enabled: HAS_FIRST.enabled })
  })

  test('and does not know S6F15 is asked for its reports alone', async () => {
    const { equipment, apply, comeBack } = await connected()
    await apply(FIRST)
    equipment.asked.length = 0
    equipment.faults.push({ message: 'S6F15', answer: 'abort' })
    await comeBack(({ state }) => state === 'present')
    expect(equipment.asked).toEqual(['S6F15', 'S6F19'])
    equipment.asked.length = 0
    await comeBack(({ state }) => state === 'present')
    expect(equipment.asked).toEqual(['S6F19'])
  })

  test('without its links, and does not know S6F19, is given its reports again', async () => {
    const { equipment, apply, comeBack } = await connected()
    await apply({ ...FIRST, reports: [...FIRST.reports, { id: 101, variables: [12] }] })
    equipment.faults.push({ message: 'S6F19', answer: 'abort' })
    await comeBack(({ state }) => state === 'present')
    expect(equipment.asked.slice(-2)).toEqual(['S6F15', 'S6F19'])
    equipment.forget()
    equipment.faults.push({ message: 'S6F19', answer: 'abort' }, { message: 'S6F19', answer: 'abort' })
    await comeBack(({ state }) => state === 'present')
    expect(equipment.state).toEqual({ ...HAS_FIRST, reports: { ...HAS_FIRST.reports, 101: ['12'] } })
  })

  test('without the links of one event, and does not answer for another, is given its reports again', async () => {
    const { equipment, apply, comeBack } = await connected()
    await apply(SECOND_LINKED)
    equipment.unlink('31')
    equipment.faults.push({ message: 'S6F15', at: 2, answer: 'abort' })
    equipment.asked.length = 0
    await comeBack(({ state }) => state === 'present')
    expect(equipment.state.enabled).toEqual({ 31: ['101', '100'], 32: ['100'] })
  })

  test('and does not show its links, or its reports, is given them again once, and not at every connection', async () => {
    const { equipment, apply, comeBack } = await connected()
    await apply(FIRST)
    equipment.hidden.add('S6F15')
    await comeBack(({ state }) => state === 'present')
    expect(equipment.asked).toContain('S2F33')
    equipment.asked.length = 0
    await comeBack(({ state }) => state === 'present')
    expect(equipment.asked).toEqual(['S6F19'])
    equipment.hidden.add('S6F19')
    await comeBack(({ state }) => state === 'present')
    equipment.asked.length = 0
    const { state, last_error } = await comeBack((applied) => applied.last_error !== null)
    expect([state, equipment.asked]).toEqual(['unknown', []])
    expect(last_error?.detail).toMatch(/not known: .*did not show them when they had just been applied/)
    expect(equipment.state).toEqual(HAS_FIRST)
  })

  test('is not sent its reports for blanks after its name, or zeros before an identifier', async () => {
    const { scripted, equipment, apply, comeBack } = await connected()
    await apply({ ...FIRST, reports: [{ id: 100, variables: ['0010', 11] }] })
    equipment.asked.length = 0
    scripted.model = L(A('SCRIPT  '), A('0.1'))
    await comeBack(({ state }) => state === 'present')
    expect(equipment.asked).toEqual(['S6F15'])
  })

  test('is given them again where an S2F33 of somebody says otherwise, and not where it is in doubt', async () => {
    const { live, equipment, id, apply, comeBack } = await connected()
    await apply(FIRST)
    const define = (variable: number, wait_for_reply = true) => {
      const data = { DATAID: 1, REPORTS: [{ RPTID: 100, VID: [variable, 11] }] }
      return live.gateway.messages.send(id, { stream: 2, function: 33, data, wait_for_reply })
    }
    await define(12)
    await comeBack(({ state }) => state === 'present')
    expect(equipment.state).toEqual(HAS_FIRST)
    await define(10, false)
    await until(() => equipment.asked.at(-1) === 'S2F33')
    equipment.asked.length = 0
    await comeBack(({ checked_at }) => checked_at !== null)
    expect(equipment.asked).toEqual(['S6F15'])
  })

  test('with other software is given them again, its names as identifiers of now', async () => {
    const { scripted, equipment, apply, comeBack } = await connected()
    equipment.names = { 10: 'Pressure', 11: 'Power' }
    await apply({ ...FIRST, reports: [{ id: 100, variables: ['Pressure', 11] }] })
    expect(equipment.state).toEqual(HAS_FIRST)
    scripted.model = L(A('SCRIPT'), A('0.2'))
    equipment.names = { 12: 'Pressure', 11: 'Power' }
    const { definition } = await comeBack(({ state }) => state === 'present')
    expect(definition?.reports[0]?.variables).toEqual(['Pressure', 11])
    expect(equipment.state).toEqual({ ...HAS_FIRST, reports: { 100: ['12', '11'] } })
  })

  test('with other software that has not what a name stands for keeps what it has, and the record says why', async () => {
    const { scripted, equipment, apply, comeBack } = await connected()
    equipment.names = { 10: 'Pressure' }
    await apply({ ...FIRST, reports: [{ id: 100, variables: ['Pressure', 11] }] })
    scripted.model = L(A('SCRIPT'), A('0.2'))
    equipment.names = {}
    const { last_error } = await comeBack(({ state }) => state === 'missing')
    expect(last_error?.detail).toMatch(/could not be applied again\. .*Pressure: tool 1 has no variable/)
    expect(equipment.state).toEqual(HAS_FIRST)
  })

  test('and cannot say is left alone, and the record says why', async () => {
    const { equipment, apply, comeBack } = await connected()
    await apply(FIRST)
    equipment.forget()
    equipment.faults.push({ message: 'S6F15', answer: 'abort' }, { message: 'S6F19', answer: 'abort' })
    const { state, last_error } = await comeBack((applied) => applied.last_error !== null)
    expect(state).toBe('unknown')
    expect(last_error?.detail).toMatch(/Whether the reports are there is not known\. .*S6F0/)
    expect(equipment.asked).toEqual(['S6F15', 'S6F19'])
  })

  test('and cannot say, but sends an event without its reports, is given them again', async () => {
    const { equipment, scripted, apply, comeBack, call, id } = await connected()
    await apply(FIRST)
    equipment.forget()
    equipment.faults.push({ message: 'S6F15', answer: 'abort' }, { message: 'S6F19', answer: 'abort' })
    await comeBack((applied) => applied.last_error !== null)
    scripted.send(6, 11, L(U4(1), U4(31), L(L(U4(100), L(U4(7), U4(8))))))
    scripted.send(6, 11, L(U4(2), U4(39), L()))
    scripted.send(6, 11, L(U4(3), U4(31), L()))
    await until(async () => (await call().getReports({ id })).state === 'present')
    expect(equipment.state).toEqual(HAS_FIRST)
  })

  test('and may not be given them again, but sends an event without its reports, is said to miss them', async () => {
    const { equipment, scripted, apply, comeBack, call, id } = await connected()
    await apply({ ...FIRST, apply_again: 'never' })
    equipment.forget()
    await comeBack(({ state }) => state === 'unknown')
    scripted.send(6, 11, L(U4(1), U4(31), L(L(U4(100), L(U4(7))))))
    const { last_error } = await until(async () => {
      const applied = await call().getReports({ id })
      return applied.state === 'missing' && applied
    })
    expect(last_error?.detail).toContain('its S6F11 of event 31 does not have the reports that were applied')
    expect(equipment.asked).toEqual([])
  })

  test('is given them without being asked where the definition says so, or not at all', async () => {
    const { equipment, apply, comeBack, call, id } = await connected()
    await apply({ ...FIRST, apply_again: 'always' })
    equipment.forget()
    await comeBack(({ state }) => state === 'present')
    expect(equipment.state).toEqual(HAS_FIRST)
    expect(equipment.asked).not.toContain('S6F15')
    await apply({ ...FIRST, apply_again: 'never' })
    equipment.forget()
    await comeBack(({ state }) => state === 'unknown')
    expect(equipment.asked).toEqual([])
    expect(await call().getReports({ id })).toMatchObject({ state: 'unknown', last_error: null })
  })

  test('and whose formats have no room for them any more is not touched, and the record says why', async () => {
    const { live, equipment, apply, id, comeBack } = await connected()
    await apply({ reports: [{ id: 300, variables: [10] }], events: [], apply_again: 'always' })
    await live.gateway.equipment.update(id, { item_formats: { RPTID: 'U1' } })
    equipment.asked.length = 0
    const { last_error } = await comeBack(({ state }) => state === 'missing')
    expect(last_error?.detail).toMatch(/could not be applied again\. .*outside U1/)
    expect(equipment.asked).toEqual([])
  })

  test('and refuses them is not pressed, and the record says why', async () => {
    const { live, equipment, apply, comeBack } = await connected()
    await apply(FIRST)
    equipment.forget()
    equipment.faults.push({ message: 'S2F33', at: 2, answer: 1 })
    const { last_error } = await comeBack(({ state }) => state === 'missing')
    expect(last_error?.detail).toMatch(/could not be applied again\. S2F33 was refused: DRACK 1/)
    const told = await live.event(({ data }) => data['cause'] === 'failed')
    expect(told.data).toMatchObject({ to: 'missing', error: last_error?.detail })
  })
})

test('whether equipment has its reports is not known while it does not communicate', async () => {
  const { live, id, call, apply } = await connected()
  await apply(FIRST)
  await live.gateway.equipment.disconnect(id)
  expect(await call().getReports({ id })).toMatchObject({ definition: FIRST, state: 'unknown' })
})

describe('equipment that does not answer in time', () => {
  /** Comes back as often, each with the questions that went unanswered. */
  const silentTo = async (...silent: string[]) => {
    const clock = new ManualClock()
    const live = await LiveGateway.open({ clock })
    const { equipment: scripted, id } = await live.connectScripted({ timers: { t3: 45 } })
    const equipment = new ReportingEquipment(scripted)
    const call = callsOf(live.gateway)
    await call.applyReports({ id }, { body: FIRST })
    const comeBack = async (): Promise<string[]> => {
      equipment.asked.length = 0
      for (const message of silent) equipment.faults.push({ message, answer: 'silence' })
      await live.gateway.equipment.disconnect(id)
      await live.gateway.equipment.connect(id, 30)
      for (let second = 0; second < 20; second++) {
        await scripted.linktest()
        clock.advance(1000)
      }
      equipment.faults.length = 0
      return [...equipment.asked]
    }
    return { id, call, comeBack }
  }

  test('S6F15 is asked by S6F19 alone from then on', async () => {
    const { id, call, comeBack } = await silentTo('S6F15')
    expect(await comeBack()).toEqual(['S6F15', 'S6F19'])
    expect(await comeBack()).toEqual(['S6F19'])
    expect((await call.getReports({ id })).state).toBe('present')
  })

  test('either is left alone from then on, and the record says why', async () => {
    const { id, call, comeBack } = await silentTo('S6F15', 'S6F19')
    expect(await comeBack()).toEqual(['S6F15', 'S6F19'])
    expect(await comeBack()).toEqual([])
    const { state, last_error } = await call.getReports({ id })
    expect([state, last_error?.detail]).toEqual(['unknown', expect.stringMatching(/got no reply in time/)])
  })
})

test('clearing deletes everything and forgets the definition', async () => {
  const { equipment, id, call, apply } = await connected()
  await apply(FIRST)
  const { applied, difference } = await call().clearReports({ id })
  expect(applied).toBe(true)
  expect(difference.reports).toMatchObject([{ change: 'removed', id: '100' }])
  expect(equipment.state).toEqual(HAS_NOTHING)
  expect(await call().getReports({ id })).toMatchObject({ definition: null, state: 'none' })
})

test('what somebody changes by messages of his own is not said to be present', async () => {
  const { live, id, call, apply } = await connected()
  await apply(FIRST)
  await live.gateway.messages.send(id, { stream: 2, function: 33, data: { DATAID: '1', REPORTS: [] } })
  expect(await call().getReports({ id })).toMatchObject({ definition: FIRST, state: 'unknown' })
})

test('a definition goes with its equipment', async () => {
  const { live, id, apply } = await connected()
  await apply(FIRST)
  await live.gateway.equipment.delete(id)
  await until(async () => (await live.reports.all()).length === 0)
})
