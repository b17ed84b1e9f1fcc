import { afterAll, beforeAll, expect, test } from 'vitest'
import { DaemonProcess, Home } from '../support/daemon-process.js'
import { PlainClient } from '../support/plain-client.js'
import { socketAnswer } from '../support/tcp.js'

const METRICS_TOKEN = 'scrape-me'
const home = new Home()
let daemon: DaemonProcess
let client: PlainClient
let names = 0

beforeAll(async () => {
  daemon = await DaemonProcess.start(home, [], { SECSCTL_METRICS_TOKEN: METRICS_TOKEN })
  client = await new PlainClient(daemon.url).login()
})
afterAll(async () => {
  await daemon?.end('SIGKILL')
  home.dispose()
})

const given = (more: object = {}) => ({ name: `tool ${++names}`, ip_address: '127.0.0.1', port: 9, ...more })

test('what was created says where it is and which revision it has, and is never cached', async () => {
  const created = await client.post('/equipment', given())
  expect(created.status).toBe(201)
  expect(created.headers.get('location')).toBe(`/api/v1/equipment/${created.body.id}`)
  const etag = created.headers.get('etag') ?? ''
  expect(etag).toMatch(new RegExp(`^"${created.body.revision}-`))
  const read = await client.call('GET', `/equipment/${created.body.id}`, undefined, {
    'if-none-match': `"${created.body.revision}"`,
  })
  expect(read.status).toBe(200)
  expect(read.body).toEqual(created.body)
  expect(read.headers.get('cache-control')).toBe('no-store')
  const known = await client.call('GET', `/equipment/${created.body.id}`, undefined, {
    'if-none-match': etag,
  })
  expect(known.status).toBe(304)
})

test('what GET gave may be sent back; If-Match lets only the newest revision be changed', async () => {
  const { body: first } = await client.post('/equipment', given())
  const path = `/equipment/${first.id}`
  expect((await client.put(path, first)).body.revision).toBe(first.revision)
  const changed = await client.call(
    'PUT',
    path,
    { ...first, port: 10 },
    { 'if-match': `"${first.revision}"` },
  )
  expect(changed.body).toMatchObject({ port: 10, timers: first.timers })
  expect(changed.headers.get('etag')).not.toBe(`"${first.revision}"`)
  const late = await client.call('PUT', path, { port: 11 }, { 'if-match': `"${first.revision}"` })
  expect(late.body).toMatchObject({ status: 412, code: 'revision_mismatch' })
  expect((await client.get(path)).body.port).toBe(10)
})

test.each([
  ['POST', '/messages', 'GET, HEAD, OPTIONS'],
  ['PATCH', '/equipment', 'GET, HEAD, OPTIONS, POST'],
  ['GET', '/auth/login', 'OPTIONS, POST'],
])('%s %s is refused, with the methods that are taken', async (method, path, allow) => {
  const { status, headers, body } = await client.call(method, path)
  expect([status, body.code]).toEqual([405, 'method_not_allowed'])
  expect(headers.get('allow')).toBe(allow)
})

test('a request keeps the id that its caller gave it, also when it fails', async () => {
  const { headers, body } = await client.call('GET', '/nowhere', undefined, { 'x-request-id': 'mine-7' })
  expect(headers.get('x-request-id')).toBe('mine-7')
  expect(body.request_id).toBe('mine-7')
})

test('no origin is told that it may read', async () => {
  const { headers } = await client.call('GET', '/equipment', undefined, { origin: 'https://evil.example' })
  expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
})

test('without a good token the answer says which scheme is wanted', async () => {
  const answer = await new PlainClient(daemon.url).get('/equipment')
  expect(answer.body).toMatchObject({ status: 401, code: 'unauthenticated' })
  expect(answer.headers.get('www-authenticate')).toBe('Bearer')
})

test('a refused listener is an answer to connect at once, with the reason', async () => {
  const port = Number(new URL(daemon.url).port)
  const { body } = await client.post('/equipment', given({ mode: 'active', port }))
  const answer = await client.post(`/equipment/${body.id}/connect?wait=0`)
  expect(answer.status).toBe(202)
  expect(answer.body.last_error).toMatchObject({ code: 'listen_failed' })
  await client.delete(`/equipment/${body.id}`)
})

test('metrics name the equipment, and only to who has their token', async () => {
  const { body } = await client.post('/equipment', given())
  const metrics = (headers: Record<string, string>) => fetch(`${daemon.url}/metrics`, { headers })
  expect((await metrics({})).status).toBe(401)
  const text = await (await metrics({ authorization: `Bearer ${METRICS_TOKEN}` })).text()
  expect(text).toContain(`secsctl_equipment_enabled{equipment="${body.name}"} 0`)
  expect(text).toContain(`secsctl_equipment_communicating{equipment="${body.name}"} 0`)
})

test.each([
  ['what is no HTTP', 'hello\r\n\r\n', 400],
  ['two lengths', 'POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcd', 400],
  [
    'a length and chunks',
    'POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  ['a header of 20 KiB', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20 * 1024)}\r\n\r\n`, 431],
])('%s is refused with a problem, and hung up on', async (_, text, status) => {
  const answer = await socketAnswer(daemon.url, text)
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(answer).toContain('application/problem+json')
})

test('requests in one packet are all answered', async () => {
  const ask = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
  const last = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
  const answer = await socketAnswer(daemon.url, ask + ask + last)
  expect(answer.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3)
})

test('the document is there as YAML from the built program, too', async () => {
  const answer = await fetch(`${daemon.url}/api/docs`, { headers: { accept: 'application/yaml' } })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'application/yaml; charset=utf-8',
  ])
  expect(await answer.text()).toMatch(/^openapi: /)
})

test('a header field after thousands of others counts', async () => {
  const body = JSON.stringify(given())
  const request = [
    'POST /api/v1/equipment HTTP/1.1',
    'host: gateway',
    ...Array.from({ length: 2_100 }, () => 'x:'),
    `authorization: Bearer ${client.token}`,
    'idempotency-key: after-many-fields',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    '',
    body,
  ].join('\r\n')
  expect(await socketAnswer(daemon.url, request)).toMatch(/^HTTP\/1.1 201 /)
  expect(await socketAnswer(daemon.url, request)).toMatch(/^HTTP\/1.1 201 [\s\S]*idempotency-replayed: true/i)
})
