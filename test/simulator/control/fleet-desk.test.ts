import { beforeEach, expect, test } from 'vitest'
import { FleetDesk } from '../../../src/simulator/control/fleet-desk.js'
import { Fleet } from '../../../src/simulator/fleet.js'
import type { Model } from '../../../src/simulator/model.js'
import { shippedModel } from '../../../src/simulator/shipped-models.js'
import { ManualClock } from '../../support/manual-clock.js'

let desk: FleetDesk

beforeEach(() => {
  const options = { role: 'active', host: '127.0.0.1', port: 1, deviceId: 0 } as const
  const many = { count: 12, name: 'etch', rate: 0, seed: 0 }
  desk = new FleetDesk(
    new Fleet(shippedModel('etcher') as Model, { ...options, ...many }, new ManualClock()).members,
  )
})

test('a command is for the equipment that it names', async () => {
  expect(await desk.run('etch-003 set ChamberPressure 85')).toMatchObject({
    ok: true,
    name: 'ChamberPressure',
  })
  expect(await desk.run('etch-003 alarm 4001 set')).toMatchObject({ ok: true })
  expect(await desk.run('etch-003 status')).toMatchObject({ alarms_set: ['4001'] })
  expect(await desk.run('etch-004 status')).toMatchObject({ alarms_set: [] })
})

test('a pattern is for all that it matches', async () => {
  expect(await desk.run('etch-01* silent on')).toEqual({ ok: true, equipments: 3 })
  expect(await desk.run('etch-010 status')).toMatchObject({ faults: [expect.stringContaining('silent')] })
  expect(await desk.run('etch-009 status')).toMatchObject({ faults: [] })
})

test('a command that some refuse says which and how many', async () => {
  const { ok, error } = (await desk.run('* separate')) as { ok: boolean; error: string }
  expect([ok, error]).toEqual([false, expect.stringMatching(/^etch-001: .*; 12 of 12 equipments refused$/)])
})

test.each([
  ['etch-099 status', /no equipment "etch-099".*etch-001 to etch-012/],
  ['etch-001', /EQUIPMENT COMMAND/],
  ['', /no equipment ""/],
])('%s is written wrong', async (line, error) => {
  expect(await desk.run(line)).toEqual({ ok: false, error: expect.stringMatching(error), code: 'usage' })
})

test('help lists the commands', async () => {
  expect(await desk.run('help')).toHaveProperty('commands.0.usage', 'status')
})
