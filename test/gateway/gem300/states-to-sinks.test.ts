import { expect, test } from 'vitest'
import type { Event } from '../../../src/contract/topics/events.js'
import { OBJECT_CHANGES } from '../../../src/contract/topics/events.js'
import { until } from '../../support/until.js'
import { WebhookServer } from '../sinks/webhook-server.js'
import { aLot, mappedTool } from './mapped-tool.js'

test('Changes of ports, carriers, jobs, substrates and performance reach sinks, of which each gets the names it asks for', async () => {
  const world = await mappedTool()
  const { live, id } = world
  const { sinks, objects } = live.gateway
  await until(() => objects.alignmentOf(id).aligned_at !== null)
  const sinkOf = async (name: string, filter: object) => {
    const server = await WebhookServer.listen()
    const { id: sink } = await sinks.create({ name, webhook: { url: server.url }, ...filter })
    return { sink, events: () => server.messages.map(({ data }) => data as unknown as Event) }
  }
  const all = await sinkOf('all', { names: [...OBJECT_CHANGES] })
  const wafers = await sinkOf('wafers', { types: ['state'], names: ['substrate_state'] })
  const none = await sinkOf('none', { types: ['alarm'] })
  const { items } = await live.gateway.events.list({ limit: 1 })
  await aLot(world)
  await until(() => objects.of(id).get('control_job', 'CJ-1')?.states['state']?.state === 'COMPLETED')
  for (const { sink } of [all, wafers, none])
    await until(async () => (await sinks.get(sink)).lag_entries === 0)
  const recorded = (await live.events({ name: [...OBJECT_CHANGES] })).filter(
    (event) => Number(event.id) > Number(items[0]?.id),
  )
  expect(new Set(recorded.map(({ name }) => name))).toEqual(new Set(OBJECT_CHANGES))
  const wanted = (events: readonly Event[]) => events.map(({ id, name, data }) => ({ id, name, data }))
  // What comes after the sinks were read is still under way.
  const delivered = wanted(all.events())
  expect(delivered).toEqual(wanted(recorded).slice(0, delivered.length))
  expect(new Set(delivered.map(({ name }) => name))).toEqual(new Set(OBJECT_CHANGES))
  const ofWafers = wanted(wafers.events())
  expect(ofWafers.length).toBeGreaterThan(0)
  expect(ofWafers).toEqual(
    wanted(recorded.filter(({ name }) => name === 'substrate_state')).slice(0, ofWafers.length),
  )
  expect(none.events()).toEqual([])
})
