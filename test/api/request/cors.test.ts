import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ServedGateway } from '../../support/served-gateway.js'

const OURS = 'https://app.example'
let gateway: ServedGateway
let app: FastifyInstance

beforeEach(async () => {
  gateway = new ServedGateway()
  app = await gateway.app({ corsOrigins: [OURS, 'http://localhost:3000'] })
})
afterEach(() => app.close())

const allowances = (headers: object): string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control'))

test('a page of an origin that is allowed may ask before it calls, and is told what it may send', async () => {
  const answer = await app.inject({
    method: 'OPTIONS',
    url: '/api/v1/equipment/eq_1/messages',
    headers: {
      origin: OURS,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization, idempotency-key',
    },
  })
  expect(answer.statusCode).toBe(204)
  expect(answer.headers).toMatchObject({
    'access-control-allow-origin': OURS,
    'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE',
    'access-control-max-age': '600',
    vary: 'Origin',
  })
  const taken = String(answer.headers['access-control-allow-headers']).toLowerCase().split(', ')
  expect(taken).toEqual(
    expect.arrayContaining(['authorization', 'content-type', 'if-match', 'idempotency-key', 'last-event-id']),
  )
})

test('it may read what it was answered, with the headers that matter', async () => {
  const authorization = `Bearer ${await gateway.tokenOf('viewer')}`
  const answer = await app.inject({ url: '/api/v1/equipment/eq_1', headers: { authorization, origin: OURS } })
  expect(answer.headers['access-control-allow-origin']).toBe(OURS)
  const exposed = String(answer.headers['access-control-expose-headers']).split(', ')
  expect(exposed).toEqual(expect.arrayContaining(['ETag', 'Location', 'X-Request-Id', 'Retry-After']))
})

test.each([
  ['a token is missing', '/api/v1/equipment', 401],
  ['nothing is there', '/api/v1/nothing', 404],
  ['the method is wrong', '/api/v1/auth/login', 405],
])('it may read why it was refused where %s', async (_, url, status) => {
  const answer = await app.inject({ url, headers: { origin: OURS } })
  expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([status, OURS])
})

test.each(['https://evil.example', 'https://app.example:444', 'http://app.example', 'null', ''])(
  'the origin "%s" is allowed nothing',
  async (origin) => {
    for (const method of ['GET', 'OPTIONS'] as const) {
      const headers = { origin, 'access-control-request-method': 'GET' }
      const answer = await app.inject({ method, url: '/api/docs', headers })
      expect(allowances(answer.headers)).toEqual([])
      expect(answer.headers['vary']).toContain('Origin')
    }
  },
)

test('cookies are never taken', async () => {
  const answer = await app.inject({ url: '/healthz', headers: { origin: OURS } })
  expect(answer.headers).not.toHaveProperty('access-control-allow-credentials')
})

test('unless origins are given, nobody is allowed anything', async () => {
  const plain = await gateway.app()
  const answer = await plain.inject({ url: '/healthz', headers: { origin: OURS } })
  expect(allowances(answer.headers)).toEqual([])
  await plain.close()
})

test('a page follows the events as well', async () => {
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const over = new AbortController()
  const answer = await fetch(`${url}/api/v1/events/stream`, {
    headers: { authorization: `Bearer ${await gateway.tokenOf('viewer')}`, origin: OURS },
    signal: over.signal,
  })
  expect(answer.headers.get('access-control-allow-origin')).toBe(OURS)
  over.abort()
})
