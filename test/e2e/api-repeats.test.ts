import { afterAll, beforeAll, expect, test } from 'vitest'
import { DaemonProcess, Home } from '../support/daemon-process.js'
import { type RemoteEquipment, startForeignEquipment } from '../support/foreign-peer.js'
import { PlainClient } from '../support/plain-client.js'
import { until } from '../support/until.js'

const home = new Home()
let equipment: RemoteEquipment
let daemon: DaemonProcess
let client: PlainClient
let id: string

beforeAll(async () => {
  equipment = await startForeignEquipment()
  daemon = await DaemonProcess.start(home)
  client = await new PlainClient(daemon.url).login()
  // What the gateway asks by itself would be counted among the open transactions.
  const one = { name: 'etcher', ip_address: '127.0.0.1', port: equipment.port }
  const given = { ...one, timers: { t5: 0.2 }, gem_startup: false }
  id = (await client.post('/equipment', given)).body.id
  expect((await client.post(`/equipment/${id}/connect`)).status).toBe(200)
})
afterAll(async () => {
  await daemon?.end('SIGKILL')
  await equipment?.stop()
  home.dispose()
})

const withKey = (key: string, path: string, body: object) =>
  client.call('POST', path, body, { 'idempotency-key': key })
const starts = () => equipment.received.filter(({ stream, function: f }) => stream === 2 && f === 41).length

test('a repeat is told the first answer and sends nothing', async () => {
  const first = await withKey('start-1', `/equipment/${id}/command`, { command: 'START' })
  expect(first.body).toMatchObject({ accepted: true, hcack: 0 })
  expect(first.headers.has('idempotency-replayed')).toBe(false)
  const repeat = await withKey('start-1', `/equipment/${id}/command`, { command: 'START' })
  expect(repeat.headers.get('idempotency-replayed')).toBe('true')
  expect(repeat.body).toEqual(first.body)
  expect(starts()).toBe(1)
  const other = await withKey('start-1', `/equipment/${id}/command`, { command: 'STOP' })
  expect(other.body).toMatchObject({ status: 422, code: 'idempotency_key_reused' })
})

test('a stream resumed after an event that is not there yet is refused, not silent', async () => {
  const { body } = await client.get('/events?limit=1')
  const beyond = Number(body.items[0].id) + 1
  const { status, body: problem } = await client.get(`/events/stream?after=${beyond}`)
  expect([status, problem.code]).toEqual([400, 'invalid_cursor'])
})

test('one transaction more than 64 is refused as busy, and none of the others is lost', async () => {
  equipment.mute()
  const calls = Array.from({ length: 66 }, () =>
    client.post(`/equipment/${id}/messages?timeout=2`, { stream: 1, function: 1 }),
  )
  const codes = (await Promise.all(calls)).map(({ body }) => body.code)
  expect(codes.filter((code) => code === 'equipment_busy')).toHaveLength(2)
  expect(codes.filter((code) => code === 'reply_timeout')).toHaveLength(64)
})

test('after kill -9 a cut-off command is never sent again, and a finished call is still replayed', async () => {
  equipment.mute()
  const before = starts()
  const created = await withKey('new-1', '/equipment', { name: 'b', ip_address: '127.0.0.1', port: 9 })
  const cut = withKey('start-2', `/equipment/${id}/command`, { command: 'START' }).catch(() => 'cut off')
  await until(() => starts() > before)
  const meanwhile = await withKey('start-2', `/equipment/${id}/command`, { command: 'START' })
  expect(meanwhile.body).toMatchObject({ status: 409, code: 'idempotency_in_progress' })
  const loggedOut = await new PlainClient(daemon.url).login()
  await loggedOut.post('/auth/logout')
  await daemon.end('SIGKILL')
  expect(await cut).toBe('cut off')

  daemon = await DaemonProcess.start(home)
  const { token } = client
  client = new PlainClient(daemon.url)
  client.token = token
  const unknown = await withKey('start-2', `/equipment/${id}/command`, { command: 'START' })
  expect(unknown.body).toMatchObject({ status: 409, code: 'outcome_unknown' })
  const message = await client.get(`/messages/${unknown.body.message_id}`)
  expect(message.body).toMatchObject({ stream: 2, function: 41, outcome: 'lost' })
  const again = await withKey('new-1', '/equipment', { name: 'b', ip_address: '127.0.0.1', port: 9 })
  expect([again.status, again.body]).toEqual([201, created.body])
  expect(again.headers.get('location')).toBe(created.headers.get('location'))
  expect(starts()).toBe(before + 1)
  const dead = new PlainClient(daemon.url)
  dead.token = loggedOut.token
  expect((await dead.get('/users/me')).body.code).toBe('token_revoked')
})
