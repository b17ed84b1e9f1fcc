import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { PlainBody } from '../support/plain-client.js'
import { until } from '../support/until.js'
import { type LotSite, lotSites } from './lot-tool-site.js'

const site = lotSites()

/** What the second make counts or wants otherwise, as its user says it in the mapping. */
const OTHERWISE = {
  job: 'executing_5',
  substrate: 'one_based',
  substrate_processing: 'one_based',
  slots: 'present',
  port_actions: 'words',
  create_specifier: 'ControlJob',
  job_creation: 'S16F11',
}

/** Gives the tool the mapping that is proposed from its names, and the reports that it needs. */
async function map(eq: LotSite, make: 0 | 1): Promise<void> {
  await until(async () => (await eq.call('GET', '/collection-events?known=true')).items.length > 0)
  const { file } = await eq.call('GET', '/gem300/proposal')
  const mapping = parse(file)
  if (make === 1) {
    // What is left to the user: settings that no name tells.
    mapping.settings = OTHERWISE
  }
  expect(await eq.call('PUT', '/gem300', mapping)).toMatchObject({ unknown: [] })
  expect(await eq.call('PUT', '/reports', await eq.call('GET', '/gem300/reports'))).toMatchObject({
    applied: true,
  })
}

/** The states of an object in the order in which the gateway heard of them. */
async function heard(eq: LotSite, name: string, state: string, object: string): Promise<string[]> {
  const { body } = await eq.client.get(`/events?equipment_id=${eq.id}&name=${name}&limit=500`)
  return body.items
    .map(({ data }: PlainBody) => data)
    .filter((data: PlainBody) => data.object_id === object && data.state === state)
    .reverse()
    .map((data: PlainBody) => data.to)
}

const FOUP = 'F/1'
const proceed = (eq: LotSite, more: object = {}) =>
  eq.call('POST', '/carriers', { command: 'proceed', carrier_id: FOUP, port: 1, ...more })
const contents = Array.from({ length: 25 }, (_, at) => ({ lot_id: 'L 7', substrate_id: `W${at + 1}` }))

test.each([0, 1] as const)(
  'a lot by single calls: what the gateway hears is what the tool of make %i did',
  async (make) => {
    let hold: (() => void) | undefined
    const beforeWafer = (_: string, wafer: number) =>
      wafer === 2 ? new Promise<void>((go) => (hold = go)) : Promise.resolve()
    const eq = await site({ make, beforeWafer })
    const { tool } = eq
    await map(eq, make)
    await tool.load(FOUP)
    // The host looks before it proceeds: where the place of the carrier is still being recorded, its state is asked for.
    await until(async () => (await heard(eq, 'carrier_state', 'id_status', FOUP)).length > 0)
    const early = { job_id: 'P', recipe: 'no such', carriers: [{ carrier_id: FOUP }] }
    expect(await eq.call('POST', '/jobs', early)).toMatchObject({
      accepted: false,
      errors: [{ code: 21, text: 'Recipe no such unknown' }],
    })
    expect(await proceed(eq)).toMatchObject({ accepted: true })
    await until(() => tool.carrier?.slotMapStatus === 1)
    if (make === 1)
      expect(await proceed(eq)).toMatchObject({ accepted: false, errors: [{ text: 'ContentMap required' }] })
    expect(await proceed(eq, { contents })).toMatchObject({ accepted: true })
    await until(() => tool.carrier?.slotMapStatus === 2)
    expect(await proceed(eq)).toMatchObject({ caack: 'INVALID_STATE', errors: [{ code: 17 }] })
    const job = { ...early, recipe: 'OX 200/b', manual_start: true, parameters: { Depth: 40 } }
    expect(await eq.call('POST', '/jobs', job)).toMatchObject({ accepted: true })
    const control = { job_id: 'C', process_jobs: ['P'], carriers: [FOUP], manual_start: true }
    expect(await eq.call('POST', '/control-jobs', control)).toMatchObject({ accepted: true })
    await until(() => tool.controls.get('C')?.state === 2)
    expect(await eq.call('POST', '/control-jobs/C/commands', { command: 'start' })).toMatchObject({
      accepted: true,
    })
    await until(() => tool.jobs.get('P')?.state === 2)
    expect(await eq.call('POST', '/jobs/P/commands', { command: 'start' })).toMatchObject({ accepted: true })
    await until(() => hold)
    expect(await eq.call('GET', '/jobs/P')).toMatchObject({ state: make === 0 ? 'PROCESSING' : 'EXECUTING' })
    expect(await eq.call('POST', '/jobs/P/commands', { command: 'pause' })).toMatchObject({ accepted: true })
    hold?.()
    await until(() => tool.jobs.get('P')?.state === 7)
    hold = undefined
    expect(await eq.call('POST', '/jobs/P/commands', { command: 'resume' })).toMatchObject({ accepted: true })
    await until(() => hold)
    ;(hold as unknown as () => void)()
    await until(() => tool.controls.get('C')?.state === 5)
    if (make === 1) {
      await until(() => tool.carrier?.accessing === 2)
      const release = { command: 'release', carrier_id: FOUP }
      expect(await eq.call('POST', '/carriers', release)).toMatchObject({
        accepted: true,
        caack: 'WILL_BE_PERFORMED',
      })
    }
    await until(() => tool.port.transfer === 3)
    expect(await eq.call('GET', '/jobs')).toMatchObject({
      items: [{ job_id: 'P', state: 'PROCESS_COMPLETE' }],
    })
    await tool.take()
    await until(async () => (await heard(eq, 'port_state', 'transfer', '1')).length > 4)

    const running = make === 0 ? 'PROCESSING' : 'EXECUTING'
    expect(await heard(eq, 'job_state', 'state', 'P')).toEqual([
      ...['QUEUED_POOLED', 'SETTING_UP', 'WAITING_FOR_START', running, 'PAUSING', 'PAUSED', running],
      ...['PROCESS_COMPLETE', 'NO_STATE'],
    ])
    const CONTROL = ['QUEUED', 'SELECTED', 'WAITING_FOR_START', 'EXECUTING', 'COMPLETED', 'NO_STATE']
    expect(await heard(eq, 'control_job_state', 'state', 'C')).toEqual(CONTROL)
    const carrier = (state: string) => heard(eq, 'carrier_state', state, FOUP)
    expect(await carrier('id_status')).toEqual(['WAITING_FOR_HOST', 'ID_VERIFICATION_OK'])
    // What was so before the host said or heard anything may be asked at that time, or not.
    const MAP = ['WAITING_FOR_HOST', 'SLOT_MAP_VERIFICATION_OK']
    expect((await carrier('slot_map_status')).filter((to) => to !== 'SLOT_MAP_NOT_READ')).toEqual(MAP)
    const ACCESS = ['IN_ACCESS', 'CARRIER_COMPLETE']
    expect((await carrier('accessing_status')).filter((to) => to !== 'NOT_ACCESSED')).toEqual(ACCESS)
    expect(await heard(eq, 'port_state', 'transfer', '1')).toEqual([
      ...['READY_TO_LOAD', 'TRANSFER_BLOCKED', 'READY_TO_UNLOAD', 'TRANSFER_BLOCKED', 'READY_TO_LOAD'],
    ])
    const { body } = await eq.client.get(`/events?equipment_id=${eq.id}&name=substrate_state&limit=500`)
    const wafers = body.items.map(({ data }: PlainBody) => data).reverse()
    for (let slot = 1; slot <= 25; slot++) {
      const wafer = `${FOUP}-${String(slot).padStart(2, '0')}`
      const of = (state: string) =>
        wafers
          .filter((data: PlainBody) => data.object_id === wafer && data.state === state)
          .map((data: PlainBody) => data.to)
          .filter((to: string) => to !== 'NEEDS_PROCESSING')
      expect(of('state')).toEqual(['AT_SOURCE', 'AT_WORK', 'AT_DESTINATION', 'NO_STATE'])
      expect(of('processing')).toEqual(['IN_PROCESS', 'PROCESSED'])
    }
    expect(tool.peer.errors).toEqual([])
  },
)
