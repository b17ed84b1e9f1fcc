import { expect, test } from 'vitest'
import { freePort } from '../../support/free-port.js'
import { callsOf, LiveGateway, startSimulator, TIMERS } from '../../support/live-gateway.js'
import { ScriptedEquipment } from '../../support/scripted-equipment.js'
import { LOOPBACK } from '../../support/tcp.js'
import { until } from '../../support/until.js'

test('a connect that waits in vain is a problem that says what to change; the equipment stays wanted', async () => {
  const live = await LiveGateway.open()
  const calls = callsOf(live.gateway)
  const port = await freePort()
  const { id } = await live.add({ port })
  await live.gateway.equipment.connect(id, 0)
  await until(async () => (await live.gateway.equipment.get(id)).last_error !== null)
  await expect(calls.connectEquipment({ id }, { query: { wait: 0.2 } })).rejects.toMatchObject({
    code: 'not_connected_in_time',
    status: 504,
    message: expect.stringMatching(/127\.0\.0\.1, port \d+.*connection_refused.*keeps trying/),
  })
  expect(await live.gateway.equipment.get(id)).toMatchObject({
    enabled: true,
    connection_state: 'CONNECTING',
  })
  await startSimulator({ role: 'passive', host: LOOPBACK, port })
  await until(async () => (await live.gateway.equipment.get(id)).communication_state === 'COMMUNICATING')
  expect(await calls.connectEquipment({ id }, { query: { wait: 30 } })).toMatchObject({ id })
})

test('a connect that does not wait, or does not say so, gives the record', async () => {
  const live = await LiveGateway.open()
  const calls = callsOf(live.gateway)
  const { id } = await live.add({ port: await freePort(), mode: 'active' })
  const found = await calls.connectEquipment({ id }, { query: { wait: 0 } })
  expect(found).toMatchObject({ enabled: true, connection_state: 'LISTENING' })
  await expect(calls.connectEquipment({ id }, { query: { wait: 0.1 } })).rejects.toMatchObject({
    code: 'not_connected_in_time',
    message: expect.stringContaining('has to connect to port'),
  })
})

test('a connect that waits shorter than T3 for the reply to S1F13 says that it waits for that', async () => {
  const equipment = await ScriptedEquipment.listen()
  equipment.commack = undefined
  const live = await LiveGateway.open()
  const { id } = await live.add({ port: equipment.port, timers: { ...TIMERS, t3: 120 } })
  await live.gateway.equipment.connect(id, 0)
  await equipment.next()
  const asked = callsOf(live.gateway).connectEquipment({ id }, { query: { wait: 0.5 } })
  await expect(asked).rejects.toMatchObject({
    code: 'not_connected_in_time',
    message: expect.stringMatching(/S1F13.*no reply/),
  })
  await expect(asked).rejects.not.toThrow('last_error')
})
