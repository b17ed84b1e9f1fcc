import { expect, test } from 'vitest'
import { formatTime } from '../../../src/gem/time.js'
import { LiveGateway } from '../../support/live-gateway.js'

test('the simulator has every service', async () => {
  const live = await LiveGateway.open()
  const { id } = await live.connectSimulator({ gem_startup: false })
  const { variables, collectionEvents, clocks, equipmentAlarms } = live.gateway.services

  const named = async (name: string) => (await variables.read(id, { id: [name] })).items[0]
  expect(await named('ControlState')).toMatchObject({ id: '2', text: '5' })
  expect((await variables.read(id, {})).items.length).toBe((await variables.list(id, {})).items.length)

  expect(await collectionEvents.switch(id, false, { events: ['Remote'] }, {})).toMatchObject({
    accepted: true,
  })
  const events = (await collectionEvents.list(id, {})).items
  expect(events.find(({ name }) => name === 'Remote')).toMatchObject({ enabled: false })
  expect((await collectionEvents.report(id, 'Remote', {})).reports).toMatchObject([
    { rptid: '1', values: [{ text: '5' }] },
  ])

  expect(await clocks.set(id, { time: '2026-01-31T08:00:00Z' }, {})).toMatchObject({ accepted: true })
  expect((await clocks.read(id, {})).raw).toContain(formatTime(new Date('2026-01-31T08:00:00Z')).slice(0, 12))

  expect(await equipmentAlarms.switch(id, false, { all: true }, {})).toMatchObject({ accepted: true })
  expect((await equipmentAlarms.list(id, {})).items).toMatchObject([
    { alid: '1', set: false, enabled: false },
  ])
})
