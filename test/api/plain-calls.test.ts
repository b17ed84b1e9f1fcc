import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PASSWORD, ServedGateway } from '../support/served-gateway.js'

let gateway: ServedGateway
let app: FastifyInstance
let token: string

beforeEach(async () => {
  gateway = new ServedGateway()
  app = await gateway.app()
  token = await gateway.tokenOf('admin')
})
afterEach(() => app.close())

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object, headers: object = {}) =>
  app.inject({
    method,
    url: `/api/v1${path}`,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(body && { payload: body }),
  })

test('a login answers a token, its user and when it ends', async () => {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/auth/login',
    payload: { email: 'ADMIN@example.com', password: PASSWORD },
  })
  expect(answer.statusCode).toBe(200)
  expect(answer.json()).toEqual({
    token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    user: { id: expect.stringMatching(/^usr_/), email: 'admin@example.com', name: 'admin', role: 'admin' },
    expires_at: '2026-01-01T12:00:00.000Z',
  })
})

test('equipment is created with a location, read with its revision, changed and deleted', async () => {
  const given = {
    name: 'coater',
    ip_address: '10.0.0.1',
    port: 5000,
    mode: 'passive',
    device_id: 0,
    session_id: 65535,
  }
  const created = await call('POST', '/equipment', given)
  expect(created.statusCode).toBe(201)
  const path = `/equipment/${created.json().id}`
  expect(created.headers).toMatchObject({
    location: `/api/v1${path}`,
    etag: expect.stringMatching(/^"1-[0-9a-f]{16}"$/),
    'cache-control': 'no-store',
  })
  expect(created.json()).toMatchObject(given)
  expect((await call('GET', path)).headers['etag']).toBe(created.headers['etag'])
  const changed = await call('PUT', path, { ...created.json(), name: 'spinner' })
  expect([changed.statusCode, changed.json().name]).toEqual([200, 'spinner'])
  expect(changed.headers['etag']).toMatch(/^"2-/)
  const deleted = await call('DELETE', path)
  expect([deleted.statusCode, deleted.body]).toEqual([204, ''])
  expect((await call('GET', path)).json()).toMatchObject({
    status: 404,
    code: 'equipment_not_found',
  })
})

test.each([
  ['"9", "1"', 200],
  ['"1-0123456789abcdef"', 200],
  ['W/"1"', 412],
  ['"x"', 412],
  ['*', 200],
  ['"9","8"', 412],
  ['"1", x', 400],
])('a change with If-Match: %s of a record of revision 1 is a %i', async (ifMatch, status) => {
  const answer = await call('PUT', '/equipment/eq_1', { name: 'other' }, { 'if-match': ifMatch })
  expect(answer.statusCode).toBe(status)
})

test('a change that is forbidden where the record exists is not made', async () => {
  const response = await call('PUT', '/equipment/eq_1', { name: 'other' }, { 'if-none-match': '*' })
  expect(response.json()).toMatchObject({ status: 400, errors: [{ pointer: 'If-None-Match' }] })
  expect((await call('GET', '/equipment/eq_1')).json().name).toBe('etcher')
})

test('connect answers 200 when the equipment is there, and 202 when it is not yet', async () => {
  expect((await call('POST', '/equipment/eq_1/connect')).statusCode).toBe(200)
  expect((await call('POST', '/equipment/eq_1/connect?wait=0')).statusCode).toBe(202)
  expect((await call('POST', '/equipment/eq_1/disconnect', {})).statusCode).toBe(200)
})

test('a message and a command answer 200 when they waited, and 202 when they did not', async () => {
  const message = { stream: 1, function: 1, wait_for_reply: true, data: {} }
  const waited = await call('POST', '/equipment/eq_1/messages', message)
  expect([waited.statusCode, waited.json().reply.id]).toEqual([200, '2'])
  const sent = await call('POST', '/equipment/eq_1/messages', { ...message, wait_for_reply: false })
  expect(sent.statusCode).toBe(202)
  const command = await call('POST', '/equipment/eq_1/command', {
    command: 'START',
    parameters: { LOTID: 'L1' },
  })
  expect([command.statusCode, command.json().accepted]).toEqual([200, true])
  const unanswered = await call('POST', '/equipment/eq_1/command', {
    command: 'START',
    wait_for_reply: false,
  })
  expect([unanswered.statusCode, unanswered.json()]).toEqual([
    202,
    expect.objectContaining({ accepted: null, hcack: null, message_id: '1', reply_id: null }),
  ])
})

test.each(['/equipment', '/messages', '/alarms', '/events', '/users'])(
  'GET %s answers a page',
  async (path) => {
    const answer = await call('GET', path)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      items: expect.any(Array),
      next_cursor: null,
      ...(path.startsWith('/alarms') && { incomplete: [] }),
    })
  },
)

test('an alarm is acknowledged with and without a comment, in the name of the caller', async () => {
  expect((await call('POST', '/alarms/7/acknowledge')).json()).toMatchObject({
    acknowledged_by: 'admin@example.com',
    comment: null,
  })
  expect((await call('POST', '/alarms/7/acknowledge', { comment: 'seen' })).json()).toMatchObject({
    comment: 'seen',
  })
})

test('users are added, read, changed and removed', async () => {
  const given = { email: 'ada@example.com', name: 'Ada', role: 'viewer', password: 'a long enough one' }
  const created = await call('POST', '/users', given)
  const { id } = created.json()
  expect([created.statusCode, created.headers['location']]).toEqual([201, `/api/v1/users/${id}`])
  expect(created.body).not.toContain('password')
  expect((await call('GET', `/users/${id}`)).json()).toEqual(created.json())
  expect((await call('PUT', `/users/${id}`, { role: 'operator' })).json().role).toBe('operator')
  expect((await call('DELETE', `/users/${id}`)).statusCode).toBe(204)
  expect((await call('GET', '/users/me')).json().email).toBe('admin@example.com')
})

test.each([
  ['/email', { email: 'a\u0000da@example.com' }],
  ['/email', { email: 'ada@example.com\u0007' }],
  ['/name', { name: 'Ada\u001b[2J' }],
  ['/name', { name: 'Ada\nadmin' }],
  ['/name', { name: '   ' }],
  ['/name', { name: ' Ada' }],
  ['/name', { name: 'Ada\u00a0' }],
])('a user whose %s would mislead at a terminal is refused', async (pointer, odd) => {
  const given = { email: 'ada@example.com', name: 'Ada', role: 'viewer', password: 'a long enough one' }
  const answer = await call('POST', '/users', { ...given, ...odd })
  expect(answer.json()).toMatchObject({ status: 400, errors: [{ pointer }] })
})

test('a token is refreshed, and ends with a logout', async () => {
  const refreshed = await call('POST', '/auth/refresh')
  expect(refreshed.statusCode).toBe(200)
  token = refreshed.json().token
  expect((await call('POST', '/auth/logout')).statusCode).toBe(204)
  const after = await call('GET', '/equipment')
  expect([after.statusCode, after.json().code]).toEqual([401, 'token_revoked'])
})

test.each([
  { type: 'text/plain', body: '' },
  { type: 'application/json', body: '' },
  { type: 'application/json', body: '{}' },
  { type: 'no type at all', body: '' },
])('a call that takes no body takes "$body" as $type', async ({ type, body }) => {
  const answer = await call('POST', '/equipment/eq_1/disconnect', undefined, { 'content-type': type })
  expect(answer.statusCode).toBe(200)
  const sent = await app.inject({
    method: 'POST',
    url: '/api/v1/equipment/eq_1/disconnect',
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    payload: body,
  })
  expect(sent.statusCode).toBe(200)
})
