import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, DaemonProcess, Home } from '../support/daemon-process.js'
import { type RemoteEquipment, startForeignEquipment } from '../support/foreign-peer.js'
import { type PlainBody, PlainClient } from '../support/plain-client.js'
import { until } from '../support/until.js'

// A client that knows the specification's tables and nothing else, a daemon in a process of its own, and
// equipment that somebody else programmed.
const home = new Home()
let daemon: DaemonProcess
let client: PlainClient
let equipment: RemoteEquipment
let id: string

beforeAll(async () => {
  equipment = await startForeignEquipment({ deviceId: 7 })
  daemon = await DaemonProcess.start(home)
  client = new PlainClient(daemon.url)
})

afterAll(async () => {
  await daemon?.end('SIGTERM')
  await equipment?.stop()
  home.dispose()
})

test('POST /auth/login answers token, user and expires_at', async () => {
  const { status, body } = await client.post('/auth/login', ADMIN)
  expect(status).toBe(200)
  expect(body.user).toEqual({
    id: expect.any(String),
    email: ADMIN.email,
    name: expect.any(String),
    role: 'admin',
  })
  expect(Date.parse(body.expires_at)).toBeGreaterThan(Date.now())
  expect(body.expires_at).toMatch(/Z$/)
  client.token = body.token
})

test('every other call wants the token', async () => {
  const stranger = new PlainClient(daemon.url)
  const { status, headers, body } = await stranger.get('/equipment')
  expect(status).toBe(401)
  expect(headers.get('content-type')).toContain('application/problem+json')
  expect(body).toMatchObject({ status: 401, code: 'unauthenticated' })
})

test('POST /auth/refresh answers a token that works', async () => {
  const { status, body } = await client.post('/auth/refresh')
  expect(status).toBe(200)
  expect(body.token).not.toBe(client.token)
  client.token = body.token
  expect((await client.get('/equipment')).status).toBe(200)
})

test('POST /equipment creates, and GET finds it', async () => {
  const given = {
    name: 'etcher',
    ip_address: '127.0.0.1',
    port: equipment.port,
    mode: 'passive',
    device_id: 7,
    session_id: 65535,
  }
  const { status, headers, body } = await client.post('/equipment', given)
  expect(status).toBe(201)
  expect(body).toMatchObject({
    ...given,
    enabled: false,
    connection_state: 'NOT_CONNECTED',
    gateway_role: 'active',
  })
  expect(headers.get('location')).toBe(`/api/v1/equipment/${body.id}`)
  id = body.id
  expect((await client.get(`/equipment/${id}`)).body).toEqual(body)
  expect((await client.get('/equipment')).body).toEqual({ items: [body], next_cursor: null })
})

test('PUT /equipment/{id} changes what it is given', async () => {
  const { status, body } = await client.put(`/equipment/${id}`, { name: 'etcher-1' })
  expect(status).toBe(200)
  expect(body).toMatchObject({ name: 'etcher-1', port: equipment.port, revision: 2 })
})

test('POST /equipment/{id}/connect selects and establishes communication', async () => {
  const { status, body } = await client.post(`/equipment/${id}/connect`)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    enabled: true,
    connection_state: 'SELECTED',
    communication_state: 'COMMUNICATING',
    model: { mdln: expect.any(String), softrev: expect.any(String) },
    last_error: null,
  })
})

test('POST /equipment/{id}/messages sends S1F1 and answers with S1F2', async () => {
  const { status, body } = await client.post(`/equipment/${id}/messages`, {
    stream: 1,
    function: 1,
    wait_for_reply: true,
    data: {},
  })
  expect(status).toBe(200)
  expect(body.message).toMatchObject({
    direction: 'sent',
    stream: 1,
    function: 1,
    w_bit: true,
    outcome: 'replied',
  })
  expect(body.reply).toMatchObject({
    direction: 'received',
    stream: 1,
    function: 2,
    reply_to: body.message.id,
  })
  expect(body.reply.data).toMatchObject({ MDLN: expect.any(String), SOFTREV: expect.any(String) })
  expect(body.message.reply_id).toBe(body.reply.id)
})

test('named items make the body that the catalogue says', async () => {
  const { status, body } = await client.post(`/equipment/${id}/messages`, {
    stream: 2,
    function: 41,
    wait_for_reply: true,
    data: { RCMD: 'START', CPNAME: 'LOTID', CPVAL: 'L1' },
  })
  expect(status).toBe(200)
  expect(body.message.body).toEqual({ L: [{ A: 'START' }, { L: [{ L: [{ A: 'LOTID' }, { A: 'L1' }] }] }] })
  expect(body.reply.data).toMatchObject({ HCACK: '0' })
})

test('POST /equipment/{id}/command shows whether the equipment accepted', async () => {
  const accepted = await client.post(`/equipment/${id}/command`, {
    command: 'START',
    parameters: { LOTID: 'L1' },
  })
  expect(accepted.status).toBe(200)
  expect(accepted.body).toMatchObject({ command: 'START', accepted: true, hcack: 0 })
  const refused = await client.post(`/equipment/${id}/command`, { command: 'DANCE', parameters: {} })
  expect(refused.status).toBe(200)
  expect(refused.body).toMatchObject({ accepted: false, hcack: 1, hcack_text: expect.any(String) })
})

test('GET /messages lists newest first, and GET /messages/{id} reads one', async () => {
  const { status, body } = await client.get(`/messages?equipment_id=${id}&limit=2`)
  expect(status).toBe(200)
  expect(body.items).toHaveLength(2)
  expect(Number(body.items[0].id)).toBeGreaterThan(Number(body.items[1].id))
  // The gateway asks the equipment by itself meanwhile: one of those that have ended does not change any more.
  const { items } = (await client.get(`/messages?equipment_id=${id}&limit=20`)).body
  const ended = items.find(({ outcome }: PlainBody) => outcome === 'replied')
  expect((await client.get(`/messages/${ended.id}`)).body).toEqual(ended)
  const next = await client.get(`/messages?equipment_id=${id}&limit=2&cursor=${body.next_cursor}`)
  expect(Number(next.body.items[0].id)).toBeLessThan(Number(body.items[1].id))
})

test("the equipment's alarm is on the board, and POST /alarms/{id}/acknowledge acknowledges it", async () => {
  await equipment.sendAlarm()
  const alarm = await until(async () => (await client.get('/alarms')).body.items[0])
  expect(alarm).toMatchObject({ equipment_id: id, active: true, acknowledged: false, count: 1 })
  const { status, body } = await client.post(`/alarms/${alarm.id}/acknowledge`)
  expect(status).toBe(200)
  expect(body).toMatchObject({ id: alarm.id, acknowledged: true, acknowledged_by: ADMIN.email })
  expect((await client.post(`/alarms/${alarm.id}/acknowledge`, { comment: 'again' })).body).toEqual(body)
})

test('GET /events finds what happened, by type and by time', async () => {
  await equipment.sendEvent()
  const received = await until(async () => {
    const { body } = await client.get(`/events?equipment_id=${id}&type=message`)
    return body.items.find(
      (event: { data: PlainBody }) => event.data.stream === 6 && event.data.function === 11,
    )
  })
  expect(received).toMatchObject({ type: 'message', name: 'message_received', data: { function: 11 } })
  expect(received.data.data.CEID).toEqual(expect.any(String))
  const connections = (await client.get('/events?type=connection')).body.items
  expect(connections.map(({ name }: { name: string }) => name)).toContain('selected')
  const states = (await client.get('/events?type=state&order=asc')).body.items
  expect(states.at(-1)).toMatchObject({
    type: 'state',
    data: { from: expect.any(String), to: expect.any(String) },
  })
  expect((await client.get('/events?type=alarm&order=asc')).body.items).toMatchObject([
    { name: 'alarm_set' },
    { name: 'alarm_acknowledged' },
  ])
  const window = await client.get(
    `/events?from=${received.at}&to=2999-01-01T00:00:00Z&type=message&order=asc`,
  )
  expect(window.body.items[0].at >= received.at).toBe(true)
})

test('what is wrong is a problem that names it', async () => {
  const invalid = await client.post('/equipment', {
    name: 'x',
    ip_address: '10.0.0',
    port: '5000',
    colour: 'red',
  })
  expect(invalid.status).toBe(400)
  expect(invalid.body.code).toBe('invalid_request')
  const pointers = invalid.body.errors.map(({ pointer }: { pointer: string }) => pointer)
  expect(pointers).toEqual(expect.arrayContaining(['/ip_address', '/port', '/colour']))
  expect((await client.get('/equipment/none')).body).toMatchObject({
    status: 404,
    code: 'equipment_not_found',
  })
  expect((await client.get('/messages/999999')).body.code).toBe('message_not_found')
  expect((await client.post('/alarms/999999/acknowledge')).body.code).toBe('alarm_not_found')
  expect((await client.get('/messages?limit=0')).body.code).toBe('invalid_request')
  expect((await client.get('/nothing')).body.code).toBe('not_found')
  const unfit = await client.post(`/equipment/${id}/messages`, {
    stream: 2,
    function: 41,
    data: { COLOUR: 'red' },
  })
  expect(unfit.body).toMatchObject({ status: 422, code: 'invalid_message' })
})

test('POST /equipment/{id}/disconnect separates, and a message is then refused', async () => {
  const { status, body } = await client.post(`/equipment/${id}/disconnect`)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    enabled: false,
    connection_state: 'NOT_CONNECTED',
    communication_state: 'DISABLED',
  })
  const refused = await client.post(`/equipment/${id}/messages`, { stream: 1, function: 1 })
  expect(refused.body).toMatchObject({ status: 409, code: 'equipment_not_connected' })
})

test('DELETE /equipment/{id} removes it and keeps its history', async () => {
  expect((await client.delete(`/equipment/${id}`)).status).toBe(204)
  expect((await client.get(`/equipment/${id}`)).status).toBe(404)
  expect((await client.get(`/messages?equipment_id=${id}&limit=1`)).body.items).toHaveLength(1)
})

test('GET /api/docs describes every one of these calls', async () => {
  const response = await fetch(`${daemon.url}/api/docs`)
  const document = JSON.parse(await response.text())
  expect(document.openapi).toMatch(/^3\.0\./)
  expect(Object.keys(document.paths).length).toBeGreaterThanOrEqual(13)
})

test('POST /auth/logout ends the token', async () => {
  expect((await client.post('/auth/logout')).status).toBe(204)
  expect((await client.get('/equipment')).body).toMatchObject({ status: 401, code: 'token_revoked' })
})
