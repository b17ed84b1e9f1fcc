import { type AddressInfo, connect, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { deferred } from '../../../src/kit/deferred.js'
import { StoreDamaged, StoreUnavailable } from '../../../src/store/failure.js'
import { PASSWORD, ServedGateway } from '../../support/served-gateway.js'

let gateway: ServedGateway
let app: FastifyInstance
let log: string[]
let headers: { authorization: string }

beforeEach(async () => {
  gateway = new ServedGateway()
  log = []
  const logger = pino({ base: null }, { write: (line: string) => void log.push(line) })
  app = await gateway.app({ logger })
  headers = { authorization: `Bearer ${await gateway.tokenOf('admin')}` }
})
afterEach(() => app.close())

/** All that comes until the other side hangs up. */
async function textOf(socket: Socket): Promise<string> {
  let text = ''
  for await (const chunk of socket) text += chunk
  return text
}

/** What the server answers to bytes, until it hangs up. */
async function exchangeBytes(bytes: string): Promise<string> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(bytes)
  return textOf(socket.setEncoding('utf8'))
}

test.each(['/', '/api', '/api/v1', '/api/v2/equipment', '/api/v1/nothing', `/api/v1/${'x'.repeat(200)}`])(
  'GET %s is a 404 problem, with or without a token',
  async (url) => {
    for (const given of [{}, headers]) {
      const answer = await app.inject({ url, headers: given })
      expect(answer.json()).toEqual({
        type: 'about:blank',
        title: 'There is no such path',
        status: 404,
        detail: `There is nothing at ${url}. GET /api/docs lists all paths.`,
        instance: url,
        code: 'not_found',
        request_id: answer.headers['x-request-id'],
      })
    }
  },
)

test.each([
  ['PATCH', '/api/v1/equipment/eq_1', 'DELETE, GET, HEAD, OPTIONS, PUT'],
  ['DELETE', '/api/v1/equipment', 'GET, HEAD, OPTIONS, POST'],
  ['GET', '/api/v1/auth/login', 'OPTIONS, POST'],
  ['POST', '/api/v1/events/stream', 'GET, OPTIONS'],
  ['PUT', '/api/v1/users/me', 'GET, HEAD, OPTIONS'],
  ['DELETE', '/api/v1/users/me?x=1', 'GET, HEAD, OPTIONS'],
  ['POST', '/healthz', 'GET, HEAD, OPTIONS'],
  ['DELETE', '/api/v1/equipment//', 'GET, HEAD, OPTIONS, POST'],
  ['DELETE', '/api/v1/users//me/', 'GET, HEAD, OPTIONS'],
] as const)('%s %s is a 405 that allows %s', async (method, url, allow) => {
  const answer = await app.inject({
    method,
    url,
    payload: 'anything',
    headers: { 'content-type': 'text/plain' },
  })
  expect(answer.json()).toMatchObject({ status: 405, code: 'method_not_allowed' })
  expect(answer.headers['allow']).toBe(allow)
})

test.each([
  ['GET', '/api/v1/equipment/', 200],
  ['GET', '//api///v1/equipment', 200],
  ['GET', '/api/v1/equipment//eq_1/?', 200],
  ['GET', '/api/v1/users/me/', 200],
  ['GET', '/api/docs/', 200],
  ['GET', '//healthz/', 200],
  ['POST', '/api/v1/equipment/eq_1//connect/?wait=0', 202],
  ['OPTIONS', '/api/v1//equipment/', 204],
  ['GET', '/api/v1/equipment/eq_1%2F', 404],
  ['GET', '/api/v1/equipment//connect', 404],
  // What a client makes of `/equipment/eq_1/recipes/..`.
  ['DELETE', '/api/v1/equipment/eq_1/', 404],
] as const)('%s %s, whose path has more slashes than it needs, is a %i', async (method, url, status) => {
  expect((await app.inject({ method, url, headers })).statusCode).toBe(status)
})

test('OPTIONS shows the methods, and HEAD the header of GET', async () => {
  const options = await app.inject({ method: 'OPTIONS', url: '/api/v1/equipment' })
  expect([options.statusCode, options.headers['allow'], options.body]).toEqual([
    204,
    'GET, HEAD, OPTIONS, POST',
    '',
  ])
  const head = await app.inject({ method: 'HEAD', url: '/api/v1/equipment/eq_1', headers })
  expect([head.statusCode, head.headers['etag'], head.body]).toEqual([200, expect.stringMatching(/^"1-/), ''])
})

test('a path that encodes nothing is a 400', async () => {
  const answer = await app.inject({ url: '/api/v1/equipment/%zz', headers })
  expect(answer.json()).toMatchObject({ status: 400, code: 'invalid_request' })
  expect(answer.headers['x-content-type-options']).toBe('nosniff')
})

test('a caller that takes no JSON is told so', async () => {
  const answer = await app.inject({ url: '/api/v1/equipment', headers: { ...headers, accept: 'image/png' } })
  expect(answer.json()).toMatchObject({ status: 406, code: 'not_acceptable' })
  for (const accept of ['*/*', 'application/*', 'text/html, application/json;q=0.1']) {
    expect((await app.inject({ url: '/api/v1/equipment', headers: { ...headers, accept } })).statusCode).toBe(
      200,
    )
  }
})

test('a bug is answered with nothing of its inside, and logged with the request id', async () => {
  gateway.messages.send = () => Promise.reject(new TypeError('secret of the house'))
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/equipment/eq_1/messages',
    headers: { ...headers, 'x-request-id': 'req-77' },
    payload: { stream: 1, function: 1 },
  })
  expect(answer.json()).toMatchObject({ status: 500, code: 'internal_error', request_id: 'req-77' })
  expect(answer.body).not.toMatch(/secret|TypeError|\.ts/)
  const line = log.map((line) => JSON.parse(line)).find(({ err }) => err)
  expect(line).toMatchObject({ level: 50, request_id: 'req-77', err: { message: 'secret of the house' } })
})

test('damaged history is a code of its own, logged with its file', async () => {
  gateway.messages.send = () =>
    Promise.reject(new StoreDamaged('/secret/journal/1.ndjson', 77, 'not as written'))
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/equipment/eq_1/messages',
    headers,
    payload: { stream: 1, function: 1 },
  })
  expect(answer.json()).toMatchObject({
    status: 500,
    code: 'history_damaged',
    detail: 'A part of the recorded history cannot be read: 1.ndjson is damaged.',
  })
  const line = log.map((line) => JSON.parse(line)).find(({ err }) => err?.type === 'StoreDamaged')
  expect(line).toMatchObject({
    level: 50,
    err: { message: expect.stringContaining('/secret/journal/1.ndjson') },
  })
})

test('a disk that fails is a 503 that says what to do', async () => {
  gateway.users.failure = new StoreUnavailable('fdatasync failed on /secret/place')
  const payload = { email: 'ada@example.com', name: 'Ada', role: 'viewer', password: 'a long enough one' }
  const answer = await app.inject({ method: 'POST', url: '/api/v1/users', headers, payload })
  expect(answer.json()).toMatchObject({ status: 503, code: 'store_unavailable' })
  expect(answer.body).not.toContain('/secret')
})

test('every answer has a request id, the caller’s where it can be kept, and the security headers', async () => {
  const given = await app.inject({ url: '/healthz', headers: { 'x-request-id': 'abc 1' } })
  expect(given.headers).toMatchObject({
    'x-request-id': 'abc 1',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  for (const id of ['ä', 'x'.repeat(129)]) {
    const made = await app.inject({ url: '/nothing', headers: { 'x-request-id': id } })
    expect(made.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  }
})

test('who guesses passwords is slowed down, and told for how long', async () => {
  const guess = (password: string) =>
    app.inject({
      method: 'POST',
      url: '/api/v1/auth/login',
      payload: { email: 'admin@example.com', password },
    })
  for (let at = 0; at < 5; at++) expect((await guess('wrong')).statusCode).toBe(401)
  const refused = await guess(PASSWORD)
  expect(refused.json()).toMatchObject({ status: 429, code: 'rate_limited' })
  const wait = Number(refused.headers['retry-after'])
  expect(wait).toBeGreaterThanOrEqual(60)
  gateway.clock.advance(wait * 1000)
  expect((await guess(PASSWORD)).statusCode).toBe(200)
})

test('one line a request is logged, and no secret in any', async () => {
  const login = { email: 'admin@example.com', password: PASSWORD }
  const { token } = (await app.inject({ method: 'POST', url: '/api/v1/auth/login', payload: login })).json()
  await app.inject({ url: '/api/v1/equipment?name=etcher', headers: { authorization: `Bearer ${token}` } })
  expect(log.map((line) => JSON.parse(line))).toMatchObject([
    { method: 'POST', path: '/api/v1/auth/login', status: 200, msg: 'request' },
    { method: 'GET', path: '/api/v1/equipment', status: 200, user: 'admin@example.com' },
  ])
  expect(log.join('')).not.toContain(PASSWORD)
  expect(log.join('')).not.toContain(token)
})

test.each([
  ['HTTP/1.1 431', 'header_too_large', `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
  ['HTTP/1.1 400', 'invalid_request', 'this is not HTTP\r\n\r\n'],
  ['HTTP/1.1 400', 'invalid_request', 'GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n'],
])('bytes that are no request are answered %s', async (status, code, bytes) => {
  const answer = await exchangeBytes(bytes)
  expect(answer.startsWith(status)).toBe(true)
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({ code })
})

test('a server that is closing takes nothing new, finishes what is under way, and hangs up', async () => {
  await app.listen({ port: 0, host: '127.0.0.1' })
  const answer = await gateway.answer()
  const { promise, resolve } = deferred<typeof answer>()
  gateway.answer = () => promise
  const dial = () => connect((app.server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8')
  const [early, late] = [dial(), dial()]
  late.write('GET /healthz HTTP/1.1\r\nHost: a\r\n')
  const body = '{"stream":1,"function":1}'
  early.write(
    [
      'POST /api/v1/equipment/eq_1/messages HTTP/1.1',
      'Host: a',
      `Authorization: ${headers.authorization}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n'),
  )
  await expect.poll(() => gateway.sent.length).toBe(1)
  const closed = app.close()
  await expect.poll(() => app.server.listening).toBe(false)
  late.write('\r\n')
  expect(await textOf(late)).toMatch(/^HTTP\/1.1 503 [\s\S]+"code":"shutting_down"/)
  resolve(answer)
  expect(await textOf(early)).toMatch(/^HTTP\/1.1 200 [\s\S]+\r\nconnection: close\r\n/i)
  await closed
})

test('a connection on which nothing was asked does not hold up the end', async () => {
  await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  await new Promise((resolve) => app.server.once('connection', resolve))
  const hungUp = new Promise((resolve) => socket.on('close', resolve).on('error', resolve))
  await app.close()
  await hungUp
  expect(app.server.listening).toBe(false)
})

test('a caller that hung up in the middle does not hold up the end', async () => {
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  gateway.answer = () => new Promise(() => {})
  const impatient = new AbortController()
  const call = fetch(`${url}/api/v1/equipment/eq_1/messages`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{"stream":1,"function":1}',
    signal: impatient.signal,
  })
  await expect.poll(() => gateway.sent.length).toBe(1)
  impatient.abort()
  await expect(call).rejects.toThrow()
  // Its handler never ends.
  await app.close()
})
