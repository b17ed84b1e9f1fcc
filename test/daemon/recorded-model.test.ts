import { expect, onTestFinished, test } from 'vitest'
import { wireIn } from '../../src/cli/simulator/record.js'
import type { GatewayClient } from '../../src/client/client.js'
import { endpoints } from '../../src/contract/endpoints.js'
import type { WantedReports } from '../../src/contract/topics/reports.js'
import type { EquipmentModel } from '../../src/gem/equipment/equipment-model.js'
import { survey } from '../../src/inspection/survey/equipment-survey.js'
import { recordedModel } from '../../src/inspection/survey/recorded-model.js'
import { appliedReports } from '../../src/inspection/survey/surveyed-reports.js'
import { systemClock } from '../../src/kit/clock.js'
import type { Model } from '../../src/simulator/model.js'
import { parseModel } from '../../src/simulator/model-file.js'
import { shippedModel } from '../../src/simulator/shipped-models.js'
import { Simulator } from '../../src/simulator/simulator.js'
import { scratchFolders } from '../store/scratch-folder.js'
import { daemonHere } from '../support/daemon-here.js'
import { LOOPBACK } from '../support/tcp.js'

const folderOf = scratchFolders()
const AT = '2026-01-01T00:00:00.000Z'

interface Recorded {
  readonly name: string
  /** Left out: the shipped one of this name. */
  readonly model?: Model
  readonly text_encoding?: string
  readonly without?: EquipmentModel['without']
  readonly applied?: WantedReports
}

/** The model file of each equipment, as recorded through one daemon. */
async function record(models: readonly Recorded[]) {
  const { client } = await daemonHere(folderOf())
  const recorded = models.map(
    async ({ name, model = shippedModel(name), text_encoding, without, applied }) => {
      if (!model) throw new Error(`there is no model ${name}`)
      const equipment = { ...model.equipment, ...(without && { without }) }
      const options = { role: 'passive', host: LOOPBACK, port: 0 } as const
      const simulator = new Simulator({ ...model, equipment }, options, { clock: systemClock })
      onTestFinished(() => simulator.stop())
      await simulator.start()
      const body = {
        name,
        ip_address: LOOPBACK,
        port: simulator.port,
        ...(text_encoding && { text_encoding }),
      }
      const { id } = await client.call(endpoints.createEquipment, { body })
      const registered = await client.call(endpoints.connectEquipment, {
        params: { id },
        query: { wait: 60 },
      })
      if (applied) await client.call(endpoints.applyReports, { params: { id }, query: {}, body: applied })
      const found = await survey(client, registered, { programs: true, asking: () => {} })
      return recordedModel(found, AT, wireIn(registered.text_encoding))
    },
  )
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

test.each(['utf-8', 'shift_jis', 'gb18030'])(
  'a model recorded from equipment with texts in %s sends the same bytes',
  async (text_encoding) => {
    const wire = wireIn(text_encoding)
    const file = {
      name: 'press',
      mdln: wire('日本'),
      softrev: '1',
      variables: [
        { id: 1, name: wire('日本'), unit: wire('度'), value: { L: [{ A: wire('高い') }, { U4: [1] }] } },
        { id: wire('本'), name: wire('日本 2'), value: { A: 'a\xff' } },
      ],
      constants: [{ id: 2, name: wire('本日'), value: { A: wire('日\n本') } }],
      events: [{ id: 3, name: wire('日') }],
      alarms: [{ id: 4, text: wire('本'), category: 1 }],
      programs: { stored: [{ id: wire('日'), body: { A: wire('本') } }] },
    }
    const original = parseModel(JSON.stringify(file))
    const [text = ''] = await record([{ name: 'press', model: original, text_encoding }])
    const { equipment } = parseModel(text)
    expect(told(equipment)).toEqual(told(original.equipment))
    expect(equipment.variables.map(({ value }) => value)).toEqual(
      original.equipment.variables.map(({ value }) => value),
    )
    expect(equipment.programs?.stored).toEqual(original.equipment.programs?.stored)
  },
)

test('names that are too long for a model end with a whole character, and what an encoding cannot write is ?', () => {
  const long = '日'.repeat(40)
  const variables = ['1', '2'].map((id) => ({ id, name: long, unit: '\u00e9 😀', kind: 'status' as const }))
  const part = 'process program a\rb: 1'
  const found = {
    ...{ name: '釜', mdln: '', softrev: '', variables, dataVariables: [], values: [], constants: [] },
    ...{
      constantValues: [],
      events: [],
      reports: { reports: new Map(), links: new Map(), values: new Map() },
    },
    ...{ limits: new Map(), alarms: [], programs: [], lacks: [{ messages: 'S7F5', part, why: 'silent' }] },
  }
  const recorded = (encoding: string) =>
    parseModel(recordedModel(found, AT, wireIn(encoding))).equipment.variables.map(({ name, unit }) => ({
      name: Buffer.from(name, 'latin1').toString(encoding === 'utf-8' ? 'utf8' : 'latin1'),
      unit,
    }))
  expect(recorded('utf-8').map(({ name }) => name)).toEqual(['日'.repeat(26), `${'日'.repeat(20)} 2`])
  expect(recorded('latin1')).toEqual([
    { name: '?'.repeat(40), unit: '\u00e9 ?' },
    { name: `${'?'.repeat(40)} 2`, unit: '\u00e9 ?' },
  ])
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
