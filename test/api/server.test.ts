import { once } from 'node:events'
import { get as getSecurely } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { connect as connectSecurely, type TLSSocket } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { renewCertificate } from '../../src/api/certificate.js'
import { FIRST_CERTIFICATE, SECOND_CERTIFICATE } from '../support/certificates.js'
import { PASSWORD, ServedGateway } from '../support/served-gateway.js'
import { socketAnswer } from '../support/tcp.js'

const LOOPBACK = '127.0.0.1'
let gateway: ServedGateway
let app: FastifyInstance
let log: Record<string, unknown>[]

beforeEach(() => {
  gateway = new ServedGateway()
  log = []
})
afterEach(() => app.close())

async function serve(options: Parameters<ServedGateway['app']>[0] = {}): Promise<string> {
  const logger = pino({ base: null }, { write: (line: string) => void log.push(JSON.parse(line)) })
  app = await gateway.app({ logger, ...options })
  return app.listen({ port: 0, host: LOOPBACK })
}

/** An answer in its parts. */
function parts(answer: string): { status: number; headers: string; body: Record<string, unknown> } {
  const end = answer.indexOf('\r\n\r\n')
  return {
    status: Number(answer.split(' ', 2)[1]),
    headers: answer.slice(0, end).toLowerCase(),
    body: JSON.parse(answer.slice(end)),
  }
}

test.each([
  ['header', 'GET /healthz HTTP/1.1\r\nHost: a\r\n'],
  [
    'body',
    'POST /api/v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
  ],
])('a request whose %s does not come is answered 408, and hung up on', async (_, bytes) => {
  const url = await (async () => {
    app = await gateway.app()
    Object.assign(app.server, { headersTimeout: 50, requestTimeout: 60, connectionsCheckingInterval: 20 })
    return app.listen({ port: 0, host: LOOPBACK })
  })()
  const { status, headers, body } = parts(await socketAnswer(url, bytes))
  expect(status).toBe(408)
  expect(headers).toContain('connection: close')
  expect(body).toMatchObject({ status: 408, code: 'request_timeout' })
})

test('a caller has seconds for its header, minutes for its body, and a bounded time to take its answer', async () => {
  await serve()
  const { headersTimeout, requestTimeout, timeout } = app.server
  expect(headersTimeout).toBeLessThanOrEqual(20_000)
  expect(requestTimeout).toBeGreaterThan(headersTimeout)
  expect(requestTimeout).toBeLessThanOrEqual(300_000)
  // The longest call waits for ten minutes, and is silent all the while.
  expect(timeout).toBeGreaterThan(600_000)
})

test.each([
  ['no Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ['two Hosts', 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n', 400],
  ['no Host, as HTTP/1.0 may', 'GET /healthz HTTP/1.0\r\n\r\n', 200],
  [
    'an expectation that nobody knows',
    'GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\nConnection: close\r\n\r\n',
    200,
  ],
  ['a method that nobody knows', 'BREW /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 400],
  ['a method that WebDAV knows', 'PROPFIND /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 405],
])('a request with %s is answered as it deserves', async (_, bytes, status) => {
  const answer = parts(await socketAnswer(await serve(), bytes))
  expect(answer.status).toBe(status)
  expect(answer.headers).toContain('x-content-type-options: nosniff')
  if (status !== 200) {
    expect(answer.headers).toContain('application/problem+json')
    expect(answer.headers).toContain(`x-request-id: ${answer.body['request_id']}`)
  }
})

test.each([
  [
    'is too long is not called for, and the connection ends',
    2 * 1024 * 1024,
    /^HTTP\/1\.1 413 [\s\S]*\r\nconnection: close\r\n/i,
  ],
  ['may come is called for', 2, /^HTTP\/1\.1 100 Continue\r\n/],
])('a body that %s', async (_, length, first) => {
  const { port } = new URL(await serve())
  const socket = connect(Number(port), LOOPBACK)
  const lines = [
    'POST /api/v1/auth/login HTTP/1.1',
    'Host: a',
    'Content-Type: application/json',
    'Expect: 100-continue',
    `Content-Length: ${length}`,
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  const [answer] = await once(socket, 'data')
  socket.destroy()
  expect(String(answer)).toMatch(first)
})

test('two Idempotency-Keys are refused, since one text would be made of them', async () => {
  const key = 'Idempotency-Key: a\r\n'
  const request = (keys: string) =>
    `GET /api/v1/healthz HTTP/1.1\r\nHost: a\r\n${keys}Connection: close\r\n\r\n`
  const url = await serve()
  const one = parts(await socketAnswer(url, request(key)))
  const two = parts(await socketAnswer(url, request(key + key)))
  expect(one.body['code']).not.toBe('invalid_request')
  expect([two.status, two.body]).toMatchObject([400, { errors: [{ pointer: 'Idempotency-Key' }] }])
})

test('what is no request is logged under the id that its answer has', async () => {
  const { body } = parts(await socketAnswer(await serve(), 'hello\r\n\r\n'))
  expect(log.find(({ msg }) => msg === 'no request')).toMatchObject({
    request_id: body['request_id'],
    status: 400,
    code: 'invalid_request',
    from: LOOPBACK,
  })
})

test('each line of the log names its request once', async () => {
  await serve()
  await app.inject({ url: '/healthz', headers: { 'x-request-id': 'mine' } })
  expect(log.at(-1)).toMatchObject({ msg: 'request', request_id: 'mine' })
  expect(log.at(-1)).not.toHaveProperty('reqId')
})

const guessFrom = (forwarded: string) =>
  app.inject({
    method: 'POST',
    url: '/api/v1/auth/login',
    remoteAddress: LOOPBACK,
    headers: { 'x-forwarded-for': forwarded },
    payload: { email: 'admin@example.com', password: 'not this one' },
  })

test('behind a proxy that is trusted, who guesses passwords is the caller and not the proxy', async () => {
  await serve({ trustedProxies: ['127.0.0.0/8'] })
  await gateway.tokenOf('admin')
  for (let at = 0; at < 5; at++) await guessFrom('203.0.113.9')
  expect((await guessFrom('203.0.113.9')).statusCode).toBe(429)
  expect((await guessFrom('203.0.113.10')).statusCode).toBe(401)
  // What a caller says of itself stands left of what the proxy says of it.
  expect((await guessFrom('198.51.100.1, 203.0.113.9')).statusCode).toBe(429)
  expect(log.at(-1)).toMatchObject({ from: '203.0.113.9' })
})

test('unless a proxy is trusted, nobody is who the header says', async () => {
  await serve()
  await gateway.tokenOf('admin')
  for (let at = 0; at < 5; at++) await guessFrom(`203.0.113.${at}`)
  expect((await guessFrom('203.0.113.99')).statusCode).toBe(429)
  expect(log.at(-1)).toMatchObject({ from: LOOPBACK })
})

/** Whose certificate a new connection is shown. */
async function certificateName(): Promise<unknown> {
  const { port } = app.server.address() as AddressInfo
  const socket: TLSSocket = connectSecurely({ port, host: LOOPBACK, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const { CN } = socket.getPeerCertificate().subject
  socket.destroy()
  return CN
}

test('a certificate is renewed for new connections, and the old ones continue', async () => {
  const url = await serve({ tls: FIRST_CERTIFICATE })
  const body = JSON.stringify({ email: 'nobody@example.com', password: PASSWORD })
  const login = connectSecurely({
    port: Number(new URL(url).port),
    host: LOOPBACK,
    rejectUnauthorized: false,
  })
  login.write(
    `POST /api/v1/auth/login HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  )
  expect(await certificateName()).toBe('first')
  renewCertificate(app.server, SECOND_CERTIFICATE)
  expect(await certificateName()).toBe('second')
  login.write(body)
  const [answer] = await once(login.setEncoding('utf8'), 'data')
  expect(answer).toMatch(/^HTTP\/1.1 401 /)
})

test.each([
  ['no certificate', { ...FIRST_CERTIFICATE, cert: 'none' }],
  ['an empty certificate', { ...FIRST_CERTIFICATE, cert: '' }],
  ['no key', { ...FIRST_CERTIFICATE, key: '' }],
  ['the key of another', { cert: SECOND_CERTIFICATE.cert, key: FIRST_CERTIFICATE.key }],
])('%s is refused, and the old certificate stays', async (_, certificate) => {
  await serve({ tls: FIRST_CERTIFICATE })
  expect(() => renewCertificate(app.server, certificate)).toThrow()
  expect(await certificateName()).toBe('first')
})

test('without TLS there is no certificate to renew', async () => {
  await serve()
  expect(() => renewCertificate(app.server, FIRST_CERTIFICATE)).toThrow(/without TLS/)
})

test('TLS older than 1.2 is not spoken, and clear text to it is hung up on', async () => {
  const url = await serve({ tls: FIRST_CERTIFICATE })
  const port = Number(new URL(url).port)
  const old = getSecurely(url, {
    rejectUnauthorized: false,
    maxVersion: 'TLSv1.1',
    minVersion: 'TLSv1',
    ciphers: 'DEFAULT@SECLEVEL=0',
  })
  expect(await once(old, 'error')).toHaveLength(1)
  const clear = connect(port, LOOPBACK)
  clear.on('error', () => undefined)
  clear.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')
  let heard = ''
  clear.setEncoding('utf8').on('data', (text: string) => {
    heard += text
  })
  await new Promise((resolve) => clear.once('close', resolve))
  expect(heard).not.toContain('200')
})
