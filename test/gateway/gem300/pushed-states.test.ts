import { describe, expect, test } from 'vitest'
import { until } from '../../support/until.js'
import { differences, knownStates, mappedTool, trueStates } from './mapped-tool.js'

/** From the carrier on the port to its job's end, by commands of the gateway. */
async function aLot({ tool, call, id }: Awaited<ReturnType<typeof mappedTool>>) {
  const isWaiting = () =>
    [...tool.ports.carriers.values()].filter(({ idStatus, slotMapStatus }) =>
      [idStatus.state, slotMapStatus.state].includes('WAITING_FOR_HOST'),
    )
  tool.load(1, 'FOUP7')
  for (let n = 0; n < 2; n++) {
    await until(() => isWaiting().length > 0)
    await call().commandCarrier({ id }, { body: { command: 'proceed', carrier_id: 'FOUP7', port: 1 } })
  }
  const carriers = [{ carrier_id: 'FOUP7', slots: [] }]
  const job = { job_id: 'PJ-1', recipe: 'OXIDE-ETCH-01', carriers }
  expect(await call().createProcessJob({ id }, { body: job })).toMatchObject({ accepted: true })
  const control = { job_id: 'CJ-1', process_jobs: ['PJ-1'], carriers: ['FOUP7'] }
  expect(await call().createControlJob({ id }, { body: control })).toMatchObject({ accepted: true })
  await until(() => tool.ports.port(1)?.transfer.state === 'READY_TO_UNLOAD', 20_000)
}

describe.each(['transitions', 'generic', 'port_in_name', 'lists'])('events: %s', (style) => {
  test('A lot is followed by events alone, through a mapping that the names of the tool propose', async () => {
    const world = await mappedTool(`events: ${style}`)
    const { live, tool, id } = world
    const { objects } = live.gateway
    await until(() => objects.alignmentOf(id).aligned_at !== null)
    await aLot(world)
    await until(() => differences(knownStates(objects, id), trueStates(tool)).length === 0).catch(() => {})
    expect(differences(knownStates(objects, id), trueStates(tool))).toEqual([])
    const events = await live.events({ type: ['state'] })
    const of = (name: string, object: string, state: string) =>
      events
        .filter((one) => one.name === name && one.data['object_id'] === object && one.data['state'] === state)
        .map(({ data }) => data['to'])
    expect(of('job_state', 'PJ-1', 'state')).toEqual([
      'QUEUED_POOLED',
      'SETTING_UP',
      'PROCESSING',
      'PROCESS_COMPLETE',
    ])
    expect(of('control_job_state', 'CJ-1', 'state').at(-1)).toBe('COMPLETED')
    expect(of('carrier_state', 'FOUP7', 'slot_map_status')).toContain('SLOT_MAP_VERIFICATION_OK')
    const [job] = events.filter(({ name }) => name === 'job_state')
    const report = await live.gateway.messages.get(String(job?.data['message_id']))
    expect([report.stream, report.function, job?.data['source']]).toEqual([6, 11, 'event'])
    tool.unload(1)
    await until(() => objects.of(id).list('carrier').length === 0)
    await until(() => differences(knownStates(objects, id), trueStates(tool)).length === 0).catch(() => {})
    expect(differences(knownStates(objects, id), trueStates(tool))).toEqual([])
  }, 60_000)
})
