import { afterEach, beforeEach, expect, test } from 'vitest'
import { DaemonProcess, Home } from '../support/daemon-process.js'
import { type RemoteEquipment, startForeignEquipment } from '../support/foreign-peer.js'
import { PlainClient } from '../support/plain-client.js'
import { until } from '../support/until.js'

let home: Home
let equipment: RemoteEquipment
let daemon: DaemonProcess

beforeEach(async () => {
  home = new Home()
  equipment = await startForeignEquipment({})
  daemon = await DaemonProcess.start(home)
})

afterEach(async () => {
  await daemon.end('SIGKILL')
  await equipment.stop()
  home.dispose()
})

const register = async (client: PlainClient): Promise<string> => {
  const timers = { t5: 0.2 }
  const given = { name: 'etcher', ip_address: '127.0.0.1', port: equipment.port, timers }
  const { body } = await client.post('/equipment', given)
  const connected = await client.post(`/equipment/${body.id}/connect`)
  expect(connected.status).toBe(200)
  return body.id
}

test('kill -9 keeps equipment, alarms, messages, tokens and the wish to be connected', async () => {
  const before = await new PlainClient(daemon.url).login()
  const id = await register(before)
  await before.post(`/equipment/${id}/messages`, { stream: 1, function: 1 })
  await equipment.sendAlarm()
  const alarm = await until(async () => (await before.get('/alarms')).body.items[0])
  const { body: acknowledged } = await before.post(`/alarms/${alarm.id}/acknowledge`, { comment: 'seen' })
  const { body: messages } = await before.get('/messages?order=asc&limit=4')

  await daemon.end('SIGKILL')
  daemon = await DaemonProcess.start(home)

  const after = new PlainClient(daemon.url)
  after.token = before.token
  await until(async () => (await after.get(`/equipment/${id}`)).body.communication_state === 'COMMUNICATING')
  expect((await after.get(`/equipment/${id}`)).body).toMatchObject({ name: 'etcher', enabled: true })
  expect((await after.get(`/alarms`)).body.items).toEqual([acknowledged])
  expect((await after.get('/messages?order=asc&limit=4')).body.items).toEqual(messages.items)
  const { body } = await after.post(`/equipment/${id}/messages`, { stream: 1, function: 1 })
  expect(body.reply).toMatchObject({ stream: 1, function: 2 })
})

test('a primary that was open when the daemon died is lost, not pending', async () => {
  const before = await new PlainClient(daemon.url).login()
  const id = await register(before)
  equipment.mute()
  const { status, body } = await before.post(`/equipment/${id}/messages`, {
    stream: 1,
    function: 1,
    wait_for_reply: false,
  })
  expect(status).toBe(202)
  expect(body).toMatchObject({ message: { outcome: 'pending' }, reply: null })

  await daemon.end('SIGKILL')
  daemon = await DaemonProcess.start(home)

  const after = await new PlainClient(daemon.url).login()
  expect((await after.get(`/messages/${body.message.id}`)).body).toMatchObject({ outcome: 'lost' })
})

test('SIGTERM separates from every equipment and ends with 0', async () => {
  const client = await new PlainClient(daemon.url).login()
  await register(client)
  expect(await daemon.end('SIGTERM')).toBe(0)
  await until(() => equipment.separated)
})

test('a second daemon on the same folder is refused', async () => {
  await expect(DaemonProcess.start(home)).rejects.toThrow(/ended with 5/)
})
