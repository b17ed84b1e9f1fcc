import { request } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Problem } from '../../src/contract/errors.js'
import { EntryNumber } from '../../src/store/entry.js'
import { ServedGateway } from '../support/served-gateway.js'

let gateway: ServedGateway
let app: FastifyInstance
let token: string

beforeEach(async () => {
  gateway = new ServedGateway()
  app = await gateway.app()
  token = await gateway.tokenOf('engineer')
})
afterEach(() => app.close())

const post = (path: string, payload: object, key?: string) =>
  app.inject({
    method: 'POST',
    url: `/api/v1${path}`,
    headers: { authorization: `Bearer ${token}`, ...(key !== undefined && { 'idempotency-key': key }) },
    payload,
  })
const MESSAGE = { stream: 2, function: 41, data: { RCMD: 'START' } }

test.each([
  ['/equipment', { name: 'coater', ip_address: '10.0.0.1', port: 5000 }],
  ['/equipment/eq_1/command', { command: 'START' }],
  ['/equipment/eq_1/command', { command: 'START', wait_for_reply: false }],
  ['/equipment/eq_1/messages', MESSAGE],
])('POST %s is done once for a key, and answered alike', async (path, body) => {
  const first = await post(path, body, 'key 1')
  const second = await post(path, body, 'key 1')
  expect(first.headers['idempotency-replayed']).toBeUndefined()
  expect(second.headers['idempotency-replayed']).toBe('true')
  expect([second.statusCode, second.body]).toEqual([first.statusCode, first.body])
  for (const name of ['location', 'etag', 'content-type'])
    expect(second.headers[name]).toBe(first.headers[name])
  expect((await gateway.records.all()).length + gateway.sent.length).toBe(2)
})

test('without a key each call is done', async () => {
  await post('/equipment/eq_1/messages', MESSAGE)
  await post('/equipment/eq_1/messages', MESSAGE)
  expect(gateway.sent).toHaveLength(2)
  expect(gateway.journal.last).toBe(0)
})

test('a key with another body is a 422', async () => {
  await post('/equipment/eq_1/messages', MESSAGE, 'k')
  const answer = await post('/equipment/eq_1/messages', { ...MESSAGE, data: { RCMD: 'STOP' } }, 'k')
  expect(answer.json()).toMatchObject({ status: 422, code: 'idempotency_key_reused' })
})

test.each([
  ['says another timeout', '/equipment/eq_1/messages?timeout=5'],
  ['writes the path otherwise', '/equipment/eq%5F1/messages'],
])('a repeat that %s is a repeat', async (_, path) => {
  const first = await post('/equipment/eq_1/messages', MESSAGE, 'k')
  const again = await post(path, MESSAGE, 'k')
  expect(again.headers['idempotency-replayed']).toBe('true')
  expect(again.body).toBe(first.body)
  expect(gateway.sent).toHaveLength(1)
})

test.each([
  ['/equipment/eq_1/lock', { for_seconds: 600, reason: 'pump' }],
  ['/equipment/eq_1/alarms/4003/shelf', { for_seconds: 600, reason: 'pump' }],
])('PUT %s is done once for a key', async (path, payload) => {
  const put = (body: object) =>
    app.inject({
      method: 'PUT',
      url: `/api/v1${path}`,
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': 'k' },
      payload: body,
    })
  const first = await put(payload)
  gateway.clock.advance(60_000)
  const again = await put(payload)
  expect([first.statusCode, again.statusCode, again.body]).toEqual([200, 200, first.body])
  expect(again.headers['idempotency-replayed']).toBe('true')
  expect((await put({ ...payload, for_seconds: 60 })).json().code).toBe('idempotency_key_reused')
})

const apply = (query: string) =>
  app.inject({
    method: 'PUT',
    url: `/api/v1/equipment/eq_1/reports${query}`,
    headers: { authorization: `Bearer ${token}`, 'idempotency-key': 'k' },
    payload: { reports: [], events: [] },
  })

test('the key of a dry run is not the key of the real call', async () => {
  expect((await apply('?dry_run=true')).statusCode).toBe(200)
  expect((await apply('')).json()).toMatchObject({ status: 422, code: 'idempotency_key_reused' })
})

test('a repeat may write the same query otherwise', async () => {
  await apply('?timeout=5&dry_run=true')
  expect((await apply('?dry_run=true&timeout=7')).headers['idempotency-replayed']).toBe('true')
})

test('a parameter that is false is the same as none', async () => {
  expect((await apply('?dry_run=false')).statusCode).toBe(200)
  expect((await apply('')).headers['idempotency-replayed']).toBe('true')
})

test('a failure before the caller’s own message was sent is not kept', async () => {
  const { answer } = gateway
  gateway.answer = () => Promise.reject(new Problem('reply_timeout', 'No reply to S1F11 within T3.'))
  expect((await post('/equipment/eq_1/messages', MESSAGE, 'k')).statusCode).toBe(504)
  gateway.answer = answer
  expect((await post('/equipment/eq_1/messages', MESSAGE, 'k')).statusCode).toBe(200)
})

test('a key belongs to a user', async () => {
  await post('/equipment/eq_1/messages', MESSAGE, 'k')
  token = await gateway.tokenOf('admin')
  await post('/equipment/eq_1/messages', MESSAGE, 'k')
  expect(gateway.sent).toHaveLength(2)
})

test('what the equipment answered is repeated, also where it was a failure', async () => {
  gateway.answer = async (request) => {
    await gateway.journal.appendAll(request?.noting(new EntryNumber(9)) ?? [])
    throw new Problem('reply_timeout', 'No reply within T3.', { message_id: '9' })
  }
  const first = await post('/equipment/eq_1/messages', MESSAGE, 'k')
  const second = await post('/equipment/eq_1/messages', MESSAGE, 'k')
  expect(first.json()).toMatchObject({ status: 504, code: 'reply_timeout', message_id: '9' })
  expect([second.statusCode, second.body]).toEqual([504, first.body])
  expect(second.headers).toMatchObject({
    'idempotency-replayed': 'true',
    'content-type': 'application/problem+json; charset=utf-8',
  })
  expect(gateway.sent).toHaveLength(1)
})

test('a failure of the gateway after a message was recorded is never tried again', async () => {
  gateway.answer = async (request) => {
    await gateway.journal.appendAll(request?.noting(new EntryNumber(9)) ?? [])
    throw new Problem('shutting_down', 'The gateway is stopping.', { message_id: '9' })
  }
  expect((await post('/equipment/eq_1/messages', MESSAGE, 'k')).statusCode).toBe(503)
  const again = await post('/equipment/eq_1/messages', MESSAGE, 'k')
  expect(again.json()).toMatchObject({ status: 409, code: 'outcome_unknown', message_id: '9' })
  expect(gateway.sent).toHaveLength(1)
})

test('a refusal before anything was sent is not kept: the caller may mend it and try again', async () => {
  const { answer } = gateway
  gateway.answer = () => Promise.reject(new Problem('equipment_not_connected', 'Connect it first.'))
  expect((await post('/equipment/eq_1/messages', MESSAGE, 'k')).statusCode).toBe(409)
  gateway.answer = answer
  const again = await post('/equipment/eq_1/messages', MESSAGE, 'k')
  expect([again.statusCode, again.headers['idempotency-replayed']]).toEqual([200, undefined])
})

test('a caller that hangs up does not take its message back, and its repeat is told what became of it', async () => {
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const answer = await gateway.answer()
  let finish: () => void = () => undefined
  gateway.answer = () =>
    new Promise((resolve) => {
      finish = () => resolve(answer)
    })
  const call = request(`${url}/api/v1/equipment/eq_1/messages`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': 'k' },
  })
  const failed = new Promise((resolve) => call.on('error', resolve))
  call.end(JSON.stringify(MESSAGE))
  await expect.poll(() => gateway.sent.length).toBe(1)
  call.destroy()
  await failed
  expect((await post('/equipment/eq_1/messages', MESSAGE, 'k')).json().code).toBe('idempotency_in_progress')
  finish()
  await expect.poll(async () => (await post('/equipment/eq_1/messages', MESSAGE, 'k')).statusCode).toBe(200)
  expect(gateway.sent).toHaveLength(1)
})

test.each(['', ' ', 'ä', 'x'.repeat(256), 'tab\there'])('the key %j is refused', async (key) => {
  const answer = await post('/equipment/eq_1/messages', MESSAGE, key)
  expect(answer.json()).toMatchObject({ status: 400, errors: [{ pointer: 'Idempotency-Key' }] })
  expect(gateway.sent).toHaveLength(0)
})

test('a long body is compared by its bytes as they came', async () => {
  const long = (end: string): object => ({
    stream: 7,
    function: 3,
    data: { PPBODY: `${'x'.repeat(300_000)}${end}` },
  })
  const first = await post('/equipment/eq_1/messages', long('1'), 'k')
  const second = await post('/equipment/eq_1/messages', long('1'), 'k')
  expect([second.statusCode, second.body]).toEqual([first.statusCode, first.body])
  expect(second.headers['idempotency-replayed']).toBe('true')
  expect(gateway.sent).toHaveLength(1)
  const other = await post('/equipment/eq_1/messages', long('2'), 'k')
  expect(other.json()).toMatchObject({ status: 422, code: 'idempotency_key_reused' })
})
