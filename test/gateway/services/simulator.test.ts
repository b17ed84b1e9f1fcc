import { expect, test } from 'vitest'
import { formatTime } from '../../../src/gem/time.js'
import { callsOf, LiveGateway } from '../../support/live-gateway.js'

test('the simulator has every service', async () => {
  const live = await LiveGateway.open()
  const { id } = await live.connectSimulator({ gem_startup: false })
  const call = callsOf(live.gateway)

  const named = async (name: string) => (await call.readVariables({ id }, { query: { id: [name] } })).items[0]
  expect(await named('ControlState')).toMatchObject({ id: '2', text: '5' })
  expect((await call.readVariables({ id })).items.length).toBe(
    (await call.listVariables({ id })).items.length,
  )

  expect(await call.disableCollectionEvents({ id }, { body: { events: ['Remote'] } })).toMatchObject({
    accepted: true,
  })
  const events = (await call.listCollectionEvents({ id })).items
  expect(events.find(({ name }) => name === 'Remote')).toMatchObject({ enabled: false })
  expect((await call.requestEventReport({ id, ceid: 'Remote' })).reports).toMatchObject([
    { rptid: '1', values: [{ text: '5' }] },
  ])

  expect(await call.setClock({ id }, { body: { time: '2026-01-31T08:00:00Z' } })).toMatchObject({
    accepted: true,
  })
  expect((await call.getClock({ id })).raw).toContain(
    formatTime(new Date('2026-01-31T08:00:00Z')).slice(0, 12),
  )

  expect(await call.disableAlarms({ id }, { body: { all: true } })).toMatchObject({ accepted: true })
  expect((await call.listEquipmentAlarms({ id })).items).toMatchObject([
    { alid: '1', set: false, enabled: false },
  ])
})
