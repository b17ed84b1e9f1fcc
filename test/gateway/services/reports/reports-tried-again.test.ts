import { expect, test } from 'vitest'
import { REPORTS_REFUSED, type WantedReports } from '../../../../src/contract/topics/reports.js'
import { callsOf, LiveGateway } from '../../../support/live-gateway.js'
import { ManualClock } from '../../../support/manual-clock.js'
import { until } from '../../../support/until.js'
import { ReportingEquipment } from './reporting-equipment.js'

const FIRST: WantedReports = {
  reports: [{ id: 100, variables: [10, 11] }],
  events: [{ event: 31, reports: [100] }],
}
const SECOND: WantedReports = {
  reports: [{ id: 101, variables: [12] }],
  events: [{ event: 32, reports: [101] }],
}
const HAS_FIRST = { reports: { 100: ['10', '11'] }, enabled: { 31: ['100'] } }

/** Equipment on made-up time. */
async function connected() {
  const clock = new ManualClock()
  const live = await LiveGateway.open({ clock })
  const { equipment: scripted, id } = await live.connectScripted()
  const calls = callsOf(live.gateway)
  const health = async () => {
    const { health, health_reason } = await live.gateway.equipment.get(id)
    return { health, health_reason }
  }
  return { clock, live, scripted, id, equipment: new ReportingEquipment(scripted), calls, health }
}

/** Equipment that has refused a change, and going back as well. */
async function refused(first: Partial<WantedReports> = {}) {
  const { clock, live, scripted, id, equipment, calls, health } = await connected()
  await calls.applyReports({ id }, { body: { ...FIRST, ...first } })
  equipment.asked.length = 0
  equipment.faults.push(
    { message: 'S2F35', at: 1, answer: 4 },
    { message: 'S2F35', at: 2, answer: 4 },
    { message: 'S2F37', at: 3, answer: 1 },
  )
  await calls.applyReports({ id }, { body: SECOND })
  equipment.faults.length = 0
  equipment.asked.length = 0
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      clock.advance(1000)
      for (let turn = 0; turn < 3; turn++) await scripted.linktest()
    }
  }
  const state = async () => (await calls.getReports({ id })).state
  /** How often it was tried to define reports. */
  const tries = () => equipment.asked.filter((each) => each === 'S2F35').length
  return { live, equipment, id, calls, pass, health, state, tries }
}

test('equipment that has lost its reports by a refusal is degraded, and they are applied again after growing pauses', async () => {
  const { equipment, pass, health, state, tries } = await refused()
  expect(await health()).toEqual({ health: 'degraded', health_reason: expect.stringContaining('LRACK 4') })
  for (let time = 1; time <= 2; time++) equipment.faults.push({ message: 'S2F35', at: time, answer: 4 })
  await pass(61)
  await until(() => tries() === 1)
  await pass(100)
  expect([tries(), await state()]).toEqual([1, 'missing'])
  await pass(25)
  await until(() => tries() === 2)
  await pass(260)
  await until(async () => (await state()) === 'present')
  expect([tries(), equipment.state]).toEqual([3, HAS_FIRST])
  expect(await health()).toEqual({ health: 'ok', health_reason: null })
  await pass(600)
  expect(tries()).toBe(3)
})

test('they are not applied again where the definition says never, or a caller was faster', async () => {
  const never = await refused({ apply_again: 'never' })
  await never.pass(70)
  expect([never.tries(), await never.state()]).toEqual([0, 'missing'])
  const mended = await refused()
  await mended.calls.applyReports({ id: mended.id }, { body: FIRST })
  const tries = mended.tries()
  await mended.pass(70)
  expect([mended.tries(), await mended.state()]).toEqual([tries, 'present'])
})

test('equipment whose first reports could not be applied is degraded until reports are applied or cleared', async () => {
  const { id, equipment, calls, health } = await connected()
  const fail = async (message: string) => {
    equipment.asked.length = 0
    equipment.faults.push({ message, at: 1, answer: 4 })
    expect((await calls.applyReports({ id }, { body: FIRST })).applied).toBe(false)
    equipment.faults.length = 0
  }
  // The first message of all: nothing was changed.
  await fail('S2F37')
  expect(await health()).toEqual({ health: 'ok', health_reason: null })
  await fail('S2F35')
  const degraded = {
    health: 'degraded',
    health_reason: expect.stringMatching(new RegExp(`^${REPORTS_REFUSED}: .*LRACK 4`)),
  }
  expect(await health()).toEqual(degraded)
  expect(await calls.getReports({ id })).toMatchObject({
    ...{ definition: null, state: 'missing', last_error: { detail: expect.stringContaining('LRACK 4') } },
  })
  await calls.applyReports({ id }, { body: FIRST })
  expect(await health()).toEqual({ health: 'ok', health_reason: null })
  await calls.clearReports({ id })
  await fail('S2F35')
  expect(await health()).toEqual(degraded)
  await calls.clearReports({ id })
  expect(await health()).toEqual({ health: 'ok', health_reason: null })
  expect(await calls.getReports({ id })).toMatchObject({ state: 'none', last_error: null })
})
