import { beforeEach, describe, expect, test } from 'vitest'
import { CONTROL_COMMANDS, ControlDesk } from '../../../src/simulator/control/control-desk.js'
import type { Model } from '../../../src/simulator/model.js'
import { shippedModel } from '../../../src/simulator/shipped-models.js'
import { Simulator } from '../../../src/simulator/simulator.js'
import { ManualClock } from '../../support/manual-clock.js'

let clock: ManualClock
let simulator: Simulator
let desk: ControlDesk

function begin(model: string): void {
  clock = new ManualClock()
  const options = { role: 'active', host: '127.0.0.1', port: 1 } as const
  simulator = new Simulator(shippedModel(model) as Model, options, { clock })
  desk = new ControlDesk(simulator)
}

beforeEach(() => begin('track'))

describe('a desk', () => {
  test('tells what the equipment is', async () => {
    expect(await desk.run('status')).toEqual({
      ok: true,
      model: 'track',
      port: 1,
      connection_state: 'NOT_CONNECTED',
      communication_state: 'DISABLED',
      control_state: 'ONLINE_REMOTE',
      process_state: 'IDLE',
      alarms_set: [],
      spool_state: 'SPOOL_INACTIVE',
      spooled: 0,
      faults: [],
    })
  })

  test('sets variables and constants within their formats and bounds, and lets them go', async () => {
    expect(await desk.run('set LotID "Lot 7"')).toMatchObject({ ok: true, id: '201', value: 'Lot 7' })
    expect(await desk.run('set 203 12')).toMatchObject({ ok: true, name: 'Slot', value: 12 })
    expect(await desk.run('set SoftBakeTemperature 115')).toMatchObject({ value: 115 })
    clock.advance(5000)
    expect(await desk.run('variables SoftBakeTemperature LotID')).toMatchObject({
      variables: [{ id: '112', value: 115, unit: 'degC' }, { value: 'Lot 7' }],
    })
    expect(await desk.run('free SoftBakeTemperature')).not.toMatchObject({ value: 115 })
    expect(await desk.run('set CoatSpeed 2500')).toMatchObject({ ok: true, id: '310', value: 2500 })
  })

  test('gives commands as the operator, local or remote', async () => {
    await desk.run('local')
    expect(await desk.run('command START SLOT=3 LOTID=L1')).toMatchObject({ ok: true, hcack: 0 })
    expect(await desk.run('status')).toMatchObject({
      process_state: 'PRIMING',
      control_state: 'ONLINE_LOCAL',
    })
    expect(await desk.run('variables Slot LotID')).toMatchObject({
      variables: [{ value: 3 }, { value: 'L1' }],
    })
  })

  test('tells values without their formats, lists as arrays and an F4 in few digits', async () => {
    const { variables } = (await desk.run('variables EventsEnabled')) as { variables?: unknown }
    expect(variables).toEqual([expect.objectContaining({ value: expect.arrayContaining([1001, 1010]) })])
    expect(await desk.run('set SoftBakeTemperature 110.1')).toMatchObject({ value: 110.1 })
  })

  test('sets an alarm by a beginning of its text', async () => {
    expect(await desk.run('alarm resist set')).toEqual({
      ok: true,
      id: '501',
      text: 'Resist bottle nearly empty',
      set: true,
      acknowledged: false,
    })
    expect(await desk.run('status')).toMatchObject({ alarms_set: ['501'] })
    await desk.run('alarm 501 clear')
    expect(await desk.run('status')).toMatchObject({ alarms_set: [] })
  })

  test('remembers what is wrong until it is mended', async () => {
    const wrong = [
      'silent on',
      'quiet on',
      'late 1500ms',
      'reject 4',
      'linktest off',
      'select 2',
      'ack S2F42 3',
    ]
    for (const line of wrong) expect(await desk.run(line), line).toMatchObject({ ok: true })
    expect(await desk.run('greet hello there')).toMatchObject({
      faults: [...wrong.slice(0, 6), 'greet 13 bytes', 'ack S2F42 3'],
    })
    expect(await desk.run('mend')).toEqual({ ok: true, faults: [] })
  })

  test.each<[string, RegExp]>([
    ['', /there is no command ""/],
    ['toast', /there is no command "toast": help lists them/],
    ['STATUS', /there is no command/],
    ['status now', /it is: status$/],
    ['set LotID', /it is: set NAME VALUE/],
    ['set Nothing 5', /no variable has the id or name Nothing/],
    ['set Slot many', /is no U1/],
    ['set Clock 5', /keeps Clock itself/],
    ['alarm 9 set', /no alarm is "9"/],
    ['alarm 501 on', /set or clear/],
    ['event Nothing', /no event has the id or name Nothing/],
    ['command START LOTID', /is no KEY=VALUE/],
    ['late 3', /is no duration/],
    ['late 2h', /is no duration/],
    ['silent maybe', /on or off/],
    ['ack S2F41 1', /is no reply of an equipment/],
    ['ack S1F4 1', /is no reply of an equipment with an acknowledge code/],
    ['ack S2F42 256', /whole number from 0 to 255/],
    ['garbage 1000001', /whole number/],
    ['send S1F2', /is a secondary/],
    ['send S1F3 W <U9 1>.', /line 1, column/],
    ['set LotID "open', /quotes/],
  ])('refuses %j as written wrong', async (line, error) => {
    expect(await desk.run(line)).toEqual({ ok: false, code: 'usage', error: expect.stringMatching(error) })
  })

  test.each([
    ['set CoatSpeed 99999', /EAC 3, \w/],
    ['command TOAST', /HCACK 1, \w/],
    ['command START SLOT=x', /HCACK 3, .*; SLOT: CPACK 3, \w/],
    ['command ABORT', /HCACK 2, cannot perform now/],
    ['drop', /no session/],
    ['separate', /no session/],
    ['garbage', /no session/],
    ['send S1F1 W', /no session/],
    [`send S64F1 W <L <A "C 1"> <A 'x'>>.`, /no session/],
    [`send 'S64F1 W <A "C 1">.'`, /no session/],
  ])('refuses %j now', async (line, error) => {
    expect(await desk.run(line)).toEqual({ ok: false, code: 'refused', error: expect.stringMatching(error) })
  })

  test('helps with every command that there is', async () => {
    const answer = await desk.run('help')
    const { commands } = answer as unknown as { commands: { usage: string; summary: string }[] }
    expect(commands.map(({ usage }) => usage.split(' ')[0])).toEqual(CONTROL_COMMANDS.map(({ name }) => name))
    for (const { summary } of commands) expect(summary).toMatch(/^[A-Z].*\.$/)
  })

  test('knows how a line may continue', () => {
    expect(desk.completions('var')).toEqual(['variables '])
    expect(desk.completions('si')).toEqual(['silent '])
    expect(desk.completions('event Coat')).toEqual(['event CoatCompleted'])
    expect(desk.completions('set Spin')).toEqual(['set SpinSpeed'])
    expect(desk.completions('set SpinSpeed ')).toEqual([])
    expect(desk.completions('toast x')).toEqual([])
  })
})
