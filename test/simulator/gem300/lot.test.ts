import { afterEach, describe, expect, test } from 'vitest'
import { Listeners } from '../../../src/hsms/tcp/listener.js'
import { systemClock } from '../../../src/kit/clock.js'
import { A, type Item, itemsIn, L, U1 } from '../../../src/secs2/item.js'
import { textOf } from '../../../src/simulator/gem300/item-values.js'
import type { ToolSettings } from '../../../src/simulator/gem300/tool-settings.js'
import { Simulator } from '../../../src/simulator/simulator.js'
import { until } from '../../support/until.js'
import { HostSession } from '../host-session.js'
import { ToolHost } from './tool-host.js'
import { TOOL_VARIANTS, toolModel } from './tool-variants.js'

let simulator: Simulator
let session: HostSession
let host: ToolHost

async function begin(...settings: readonly string[]): Promise<ToolSettings> {
  const model = toolModel(...settings)
  const options = { role: 'passive', host: '127.0.0.1', port: 0, establishDelay: 100, seed: 3 } as const
  simulator = new Simulator(model, options, { clock: systemClock, listeners: new Listeners() })
  await simulator.start()
  session = new HostSession({ role: 'active', port: simulator.port })
  await session.start()
  await until(() => session.host.communicationState === 'COMMUNICATING')
  await until(() => simulator.equipment.communicationState === 'COMMUNICATING')
  host = new ToolHost(model.tool as ToolSettings, (message) => session.request(message))
  return model.tool as ToolSettings
}

afterEach(async () => {
  await session.stop()
  await simulator.stop()
})

interface Told {
  readonly event: string
  /** The values of all its reports. */
  readonly values: readonly string[]
}

/** The collection events that the host got, in order. */
const told = (): readonly Told[] =>
  session.received.flatMap(({ stream, function: fn, item }): Told[] => {
    if (stream !== 6 || fn !== 11) return []
    const [, ceid, reports] = itemsIn(item)
    const event = simulator.model.equipment.events.find(({ id }) => id === textOf(ceid as Item))
    const values = itemsIn(reports).flatMap((report) => itemsIn(itemsIn(report)[1]).map(textOf))
    return [{ event: event?.name ?? '?', values }]
  })

const named = (event: string): readonly Told[] => told().filter((one) => one.event === event)

/** An event, and where a value says which change it is, that value by its place in the report. */
type Sign = readonly [event: string, at?: number, value?: string]

interface Signs {
  readonly idWaits: Sign
  readonly slotMapWaits: Sign
  readonly jobComplete: Sign
  readonly controlJobComplete: Sign
  readonly readyToUnload: Sign
  readonly gone: Sign
}

const TRANSITIONS: Signs = {
  idWaits: ['CarrierSMTrans03'],
  slotMapWaits: ['CarrierSMTrans14'],
  jobComplete: ['PRJobSMTrans06'],
  controlJobComplete: ['CtrlJobSMTrans10'],
  readyToUnload: ['PortTransferSMTrans09'],
  gone: ['PortTransferSMTrans08'],
}

const SIGNS: Readonly<Record<ToolSettings['events'], Signs>> = {
  transitions: TRANSITIONS,
  lists: TRANSITIONS,
  generic: {
    idWaits: ['CarrierIDStatusChange', 3, '1'],
    slotMapWaits: ['CarrierSlotMapStatusChange', 4, '1'],
    jobComplete: ['PRJobStateChange', 1, '4'],
    controlJobComplete: ['CtrlJobStateChange', 1, '5'],
    readyToUnload: ['PortTransferStateChange', 2, '3'],
    gone: ['PortTransferStateChange', 2, '2'],
  },
  port_in_name: {
    idWaits: ['LP1 NO STATE TO WAITING FOR HOST'],
    slotMapWaits: ['LP1 SLOTMAP NOT READ TO WAITING FOR HOST'],
    jobComplete: ['PJ PROCESSING TO PROCESS COMPLETE'],
    controlJobComplete: ['CJ EXECUTING TO COMPLETED'],
    readyToUnload: ['LP1 TRANSFER BLOCKED TO READY TO UNLOAD'],
    gone: ['LP1 TRANSFER BLOCKED TO READY TO LOAD'],
  },
}

const isTold = ([event, at, value]: Sign): boolean =>
  named(event).some(({ values }) => at === undefined || values[at] === value)

/** From the carrier's arrival until it may be taken. The slots that had a substrate. */
async function runLot(settings: ToolSettings): Promise<readonly number[]> {
  const signs = SIGNS[settings.events]
  const placed = simulator.tool?.load(1, 'FOUP7')
  await until(() => isTold(signs.idWaits))
  expect(await host.carrier('ProceedWithCarrier', 'FOUP7', 1)).toEqual({ CAACK: 'PERFORMED', ERRORS: [] })
  await until(() => isTold(signs.slotMapWaits))
  const map = L(...(placed?.slots ?? []).map((slot) => A(slot === 'EMPTY' ? 'N' : 'Y')))
  expect(await host.carrier('ProceedWithCarrier', 'FOUP7', 1, { SlotMap: map })).toMatchObject({
    CAACK: 'PERFORMED',
  })
  expect(await host.createJob('PJ1', 'FOUP7')).toEqual({ ACKA: true, ERRORS: [] })
  expect(await host.createControlJob('CJ1', ['FOUP7'], ['PJ1'])).toEqual({ OBJACK: 'DONE', ERRORS: [] })
  if (settings.start === 'manual') {
    await until(() => isTold(['CtrlJobSMTrans06']))
    expect(await host.control('CJ1', 'CJSTART')).toEqual({ ACKA: true, ERRORS: [] })
    await until(() => isTold(['PRJobSMTrans03']))
    expect(await host.command('PJ1', 'START')).toEqual({ ACKA: true, ERRORS: [] })
  }
  await until(() => isTold(signs.jobComplete) && isTold(signs.controlJobComplete))
  if (settings.release === 'host') {
    await until(() => isTold(['CarrierSMTrans19']))
    expect(isTold(signs.readyToUnload)).toBe(false)
    expect(await host.carrier('CarrierRelease', 'FOUP7', 1)).toEqual({ CAACK: 'PERFORMED', ERRORS: [] })
  }
  await until(() => isTold(signs.readyToUnload))
  return (placed?.slots ?? []).flatMap((slot, at) => (slot === 'EMPTY' ? [] : [at + 1]))
}

describe.each(TOOL_VARIANTS)('%s', (variant) => {
  test('a lot runs from arrival to departure by plain messages', async () => {
    const settings = await begin(variant)
    const slots = await runLot(settings)
    const ids = slots.map((slot) => `FOUP7.${String(slot).padStart(2, '0')}`)
    const { OBJECTS } = await host.get('Substrate', [], ['SubstState', 'SubstProcState', 'SubstLocID'])
    expect(OBJECTS.map(({ OBJID }) => OBJID)).toEqual(ids)
    const first = settings.substrateNumbers === 'one_based' ? ['3', '3'] : ['2', '2']
    for (const { OBJID, ATTRIBUTES } of OBJECTS)
      expect(ATTRIBUTES.map(({ ATTRDATA }) => textOf(ATTRDATA))).toEqual([...first, OBJID])
    expect(await host.jobStates()).toEqual([{ PRJOBID: 'PJ1', PRSTATE: 'PROCESS_COMPLETE' }])
    simulator.tool?.unload(1)
    await until(() => isTold(SIGNS[settings.events].gone))
    expect((await host.get('Carrier')).OBJECTS).toEqual([])
    expect(await host.jobStates()).toEqual([])
    expect(await host.space()).toBe(8)
    expect((await host.get('ControlJob')).OBJECTS).toEqual([])
  })
})

describe('what differs', () => {
  test('each transition is an event with the object and its state', async () => {
    const slots = await runLot(await begin())
    expect(named('SubstSMTrans11')).toHaveLength(slots.length)
    const id = `FOUP7.${String(slots[0]).padStart(2, '0')}`
    expect(named('SubstSMTrans05')[0]?.values.slice(0, 5)).toEqual([id, '', '2', '2', id])
    const jobs = told().filter(({ event }) => event.startsWith('PRJob'))
    expect(jobs.map(({ event, values }) => `${event} ${values.join(' ')}`)).toEqual([
      'PRJobSMTrans01 PJ1 0 OXIDE-ETCH-01',
      'PRJobSMTrans02 PJ1 1 OXIDE-ETCH-01',
      'PRJobSMTrans04 PJ1 3 OXIDE-ETCH-01',
      'PRJobSMTrans06 PJ1 4 OXIDE-ETCH-01',
    ])
    const order = ['PRJobSMTrans06', 'CtrlJobSMTrans10', 'CarrierSMTrans19', 'PortTransferSMTrans09']
    expect(
      told()
        .map(({ event }) => event)
        .filter((event) => order.includes(event)),
    ).toEqual(order)
  })

  test('the tool is busy while a job runs, and a chamber while it has a substrate', async () => {
    const slots = await runLot(await begin())
    const states = (name: string): string[] =>
      named('EPTStateChange').flatMap(({ values: [who, state, , task] }) =>
        who === name ? [`${state} ${task}`] : [],
      )
    expect(states('ETCH300')).toEqual(['1 OXIDE-ETCH-01', '0 '])
    const chambers = [...states('Chamber1'), ...states('Chamber2')]
    expect(chambers.filter((state) => state === '0 ')).toHaveLength(slots.length)
  })

  test('port_in_name: events of ports and carriers have no data, and a host asks for the states', async () => {
    const settings = await begin('events: port_in_name')
    await runLot(settings)
    expect(named('LP1 SLOTMAP NOT READ TO WAITING FOR HOST')).toEqual([
      expect.objectContaining({ values: [] }),
    ])
    const variable = simulator.model.equipment.variables.find(({ name }) => name === 'LP1/PortTransferState')
    expect(simulator.equipment.value(variable?.id ?? '')).toEqual({ U1: [3] })
  })

  test('lists: all substrates of a carrier appear by one event', async () => {
    const slots = await runLot(await begin('events: lists'))
    const [first, ...others] = named('SubstSMTrans01')
    expect(others).toEqual([])
    expect(first?.values[0]?.split(',')).toHaveLength(slots.length)
  })

  test('objspec: S14F9 is refused with another one', async () => {
    await begin('objspec: ControlJob')
    const OTHER = { OBJSPEC: 'Equipment', OBJTYPE: 'ControlJob', ATTRIBUTES: [] }
    const { RESULT } = await host.ask('S14F9', 'S14F10', OTHER)
    expect(RESULT).toMatchObject({ OBJACK: 'ERROR', ERRORS: [{ ERRCODE: 1 }] })
  })

  test('job_creation: the other message is unknown to the tool', async () => {
    await begin('job_creation: S16F11')
    await expect(host.ask('S16F15', 'S16F16', { DATAID: 1, JOBS: [] })).rejects.toThrow('error')
    expect(session.received.some(({ stream, function: fn }) => stream === 9 && fn === 5)).toBe(true)
  })

  test('slot_codes: a slot map has 0 and 1 alone', async () => {
    const settings = await begin('slot_codes: present')
    const slots = await runLot(settings)
    const [carrier] = (await host.get('Carrier', [], ['slotmap'])).OBJECTS
    const codes = itemsIn(carrier?.ATTRIBUTES[0]?.ATTRDATA).map(textOf)
    expect(codes.flatMap((code, at) => (code === '1' ? [at + 1] : []))).toEqual(slots)
    expect(new Set(codes)).toEqual(new Set(['0', '1']))
  })

  test('port_type: the port has the other name', async () => {
    await begin('port_type: Port')
    expect((await host.get('Port')).OBJECTS.map(({ OBJID }) => OBJID)).toEqual(['1', '2'])
    expect((await host.get('LoadPort')).RESULT).toMatchObject({ OBJACK: 'ERROR', ERRORS: [{ ERRCODE: 2 }] })
  })

  test('job_messages: milestones by S16F7, and changes by S16F9', async () => {
    await runLot(await begin('job_messages: both'))
    const milestones = session.received.flatMap(({ stream, function: fn, item }) =>
      stream === 16 && fn === 7 ? [textOf(itemsIn(item)[2] as Item)] : [],
    )
    expect(milestones).toEqual(['1', '2', '3'])
    expect(
      session.received.filter(({ stream, function: fn }) => stream === 16 && fn === 9).length,
    ).toBeGreaterThan(3)
  })
})

describe('events that do not arrive', () => {
  test('lose: so many never leave, and the tool goes on', async () => {
    await begin()
    simulator.faults.lose = 3
    simulator.tool?.load(1, 'FOUP7')
    await until(() => isTold(['CarrierSMTrans03']))
    expect(told().map(({ event }) => event)).not.toContain('MaterialReceived')
    expect(simulator.faults.lose).toBeUndefined()
  })

  test('without a host they are spooled, and come when it asks for them', async () => {
    await begin()
    const spool = L(L(U1(6), L(U1(11))))
    expect(await session.request({ stream: 2, function: 43, item: spool })).toMatchObject({ kind: 'replied' })
    simulator.faults.select = 2
    simulator.drop()
    await until(() => simulator.equipment.communicationState !== 'COMMUNICATING')
    simulator.tool?.load(1, 'FOUP7')
    await until(() => simulator.equipment.spool?.counts.actual)
    await until(() => simulator.tool?.ports.carriers.has('FOUP7'))
    delete simulator.faults.select
    await until(() => session.host.communicationState === 'COMMUNICATING')
    await until(() => simulator.equipment.communicationState === 'COMMUNICATING')
    expect(isTold(TRANSITIONS.idWaits)).toBe(false)
    await session.request({ stream: 6, function: 23, item: U1(0) })
    await until(() => isTold(TRANSITIONS.idWaits))
  })
})
