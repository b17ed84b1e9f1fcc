import { describe, expect, test } from 'vitest'
import { until } from '../../support/until.js'
import { aLot, knownStates, mappedTool } from './mapped-tool.js'
import { differences, trueStates } from './true-states.js'

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
        // A reply may add a detail to a state.
        .flatMap(({ data }) => (data['from'] === data['to'] ? [] : [data['to']]))
    expect(of('job_state', 'PJ-1', 'state')).toEqual([
      'QUEUED_POOLED',
      'SETTING_UP',
      'PROCESSING',
      'PROCESS_COMPLETE',
    ])
    expect(of('control_job_state', 'CJ-1', 'state').at(-1)).toBe('COMPLETED')
    expect(of('carrier_state', 'FOUP7', 'slot_map_status')).toContain('SLOT_MAP_VERIFICATION_OK')
    // What the gateway asks for after a command may be there before the event.
    const job = events.find(({ name, data }) => name === 'job_state' && data['source'] === 'event')
    const report = await live.gateway.messages.get(String(job?.data['message_id']))
    expect([report.stream, report.function]).toEqual([6, 11])
    tool.unload(1)
    await until(() => objects.of(id).list('carrier').length === 0)
    await until(() => differences(knownStates(objects, id), trueStates(tool)).length === 0).catch(() => {})
    expect(differences(knownStates(objects, id), trueStates(tool))).toEqual([])
  })
})
