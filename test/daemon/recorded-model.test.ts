import { expect, onTestFinished, test } from 'vitest'
import type { GatewayClient } from '../../src/client/client.js'
import { endpoints } from '../../src/contract/endpoints.js'
import type { WantedReports } from '../../src/contract/topics/reports.js'
import type { EquipmentModel } from '../../src/gem/equipment/equipment-model.js'
import { survey } from '../../src/inspection/survey/equipment-survey.js'
import { recordedModel } from '../../src/inspection/survey/recorded-model.js'
import { appliedReports } from '../../src/inspection/survey/surveyed-reports.js'
import { systemClock } from '../../src/kit/clock.js'
import { parseModel } from '../../src/simulator/model-file.js'
import { shippedModel } from '../../src/simulator/shipped-models.js'
import { Simulator } from '../../src/simulator/simulator.js'
import { scratchFolders } from '../store/scratch-folder.js'
import { daemonHere } from '../support/daemon-here.js'
import { LOOPBACK } from '../support/tcp.js'

const folderOf = scratchFolders()
const AT = '2026-01-01T00:00:00.000Z'

/** The model file of each equipment, as recorded through one daemon. */
async function record(
  models: readonly { name: string; without?: EquipmentModel['without']; applied?: WantedReports }[],
) {
  const { client } = await daemonHere(folderOf())
  const recorded = models.map(async ({ name, without, applied }) => {
    const model = shippedModel(name)
    if (!model) throw new Error(`there is no model ${name}`)
    const equipment = { ...model.equipment, ...(without && { without }) }
    const options = { role: 'passive', host: LOOPBACK, port: 0 } as const
    const simulator = new Simulator({ ...model, equipment }, options, { clock: systemClock })
    onTestFinished(() => simulator.stop())
    await simulator.start()
    const body = { name, ip_address: LOOPBACK, port: simulator.port }
    const { id } = await client.call(endpoints.createEquipment, { body })
    const registered = await client.call(endpoints.connectEquipment, { params: { id }, query: { wait: 60 } })
    if (applied) await client.call(endpoints.applyReports, { params: { id }, query: {}, body: applied })
    const found = await survey(client, registered, { programs: true, asking: () => {} })
    return recordedModel(found, AT)
  })
  return Promise.all(recorded)
}

/** What GEM tells of a model. */
const told = ({
  mdln,
  softrev,
  variables,
  constants,
  reports,
  events,
  alarms,
  programs,
}: EquipmentModel) => ({
  mdln,
  softrev,
  variables: variables.map(({ id, name, unit, kind, limits: { event: _, ...limits } = {} }) => {
    return { id, name, unit, kind, limits }
  }),
  constants: constants.map(({ use, ...constant }) => ({
    ...constant,
    ...(use !== 'limits_period' && { use }),
  })),
  reports: reports
    .filter(({ id }) => events.some((event) => event.reports.includes(id)))
    .toSorted((a, b) => Number(a.id) - Number(b.id)),
  events: events.map(({ id, name, reports }) => ({ id, name, reports })),
  alarms: alarms.map(({ id, text, category, enabled }) => ({ id, text, category, enabled })),
  programs: programs?.stored?.map(({ id }) => id),
})

test('a model recorded from a live equipment reads as that equipment, as far as GEM tells', async () => {
  const [etcher = '', furnace = '', track = ''] = await record([
    { name: 'etcher' },
    { name: 'furnace' },
    { name: 'track', without: ['namelists', 'alarms'] },
  ])
  const model = parseModel(etcher)
  const original = shippedModel('etcher')?.equipment as EquipmentModel
  expect(told(model.equipment)).toEqual(told(original))
  const status = (equipment: EquipmentModel) =>
    equipment.variables.filter(({ kind, source }) => kind === 'status' && source === undefined)
  expect(status(model.equipment)).toEqual(status(original))
  expect(model.equipment.variables.find(({ name }) => name === 'Clock')?.source).toBe('clock')
  expect(etcher).toContain('Recorded from etcher at 2026-01-01T00:00:00.000Z')
  expect(etcher).toContain('  - { id: 1010, name: ChamberPressure, unit: mtorr, value: { F4: [ 12.5 ] } }\n')

  expect(told(parseModel(furnace).equipment)).toEqual(
    told(shippedModel('furnace')?.equipment as EquipmentModel),
  )

  const lot = (equipment: EquipmentModel) => equipment.variables.find(({ name }) => name === 'PPID')?.value
  expect(lot(model.equipment)).toEqual(lot(original))

  const lacking = parseModel(track).equipment
  expect(lacking.events).toEqual([])
  expect(lacking.without).toEqual(['namelists', 'alarms'])
  expect(track).toMatch(/^# - collection events \(S1F23\): ./m)
  expect(track).toMatch(/^# - alarms \(S5F5\): ./m)
  expect(lacking.programs?.stored).toEqual(shippedModel('track')?.equipment.programs?.stored)
})

test.each([
  ['S6F17', []],
  ['neither S6F17', ['annotated_reports'] as const],
])(
  'of equipment that does not list its events, and tells %s, those that the gateway applied are taken',
  async (_, without) => {
    const [track = ''] = await record([
      {
        name: 'track',
        without: ['namelists', ...without] as EquipmentModel['without'],
        applied: {
          reports: [{ id: 900, variables: [103] }],
          events: [
            { event: 1010, reports: [900] },
            { event: 1002, enabled: false },
          ],
        },
      },
    ])
    const { events, reports } = parseModel(track).equipment
    expect(reports.map(({ id, variables }) => [id, variables])).toEqual([['900', ['103']]])
    expect(events.map(({ id, enabled, reports: linked }) => [id, enabled, linked])).toEqual([
      ['1010', true, ['900']],
      ['1002', false, []],
    ])
  },
)

test('of equipment that does not tell its reports, those that the gateway applied are taken, by their ids', async () => {
  const definition = {
    reports: [{ id: 7, variables: ['Pressure', 12] }],
    events: [{ event: 'Started', reports: [7] }, { event: 9 }],
  }
  const client = { call: () => Promise.resolve({ definition }) } as unknown as GatewayClient
  const { reports, links } = await appliedReports(client, 'eq_1', {
    variable: (reference) => (reference === 'Pressure' ? '11' : reference),
    event: (reference) => (reference === 'Started' ? '8' : reference),
  })
  expect([...reports]).toEqual([['7', ['11', '12']]])
  expect([...links]).toEqual([
    ['8', ['7']],
    ['9', []],
  ])
})
