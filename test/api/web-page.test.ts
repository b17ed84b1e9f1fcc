import { gunzipSync, gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ServedGateway } from '../support/served-gateway.js'

const DOCUMENT = '<!doctype html><title>page</title>'
const SCRIPT = 'console.log(1)'
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

const page = new Map([
  ['index.html', Buffer.from(DOCUMENT)],
  ['assets/app-ABC.js', Buffer.from(SCRIPT)],
  ['assets/app-ABC.js.gz', gzipSync(SCRIPT)],
])
let app: FastifyInstance

beforeAll(async () => {
  app = await new ServedGateway().app({ page })
})
afterAll(async () => {
  await app.close()
})

const get = (url: string, headers: Readonly<Record<string, string>> = {}) => app.inject({ url, headers })

test.each([
  '/',
  '/alarms',
  '/events?type=alarm',
  '/shift?hours=12',
  '/alarm-rates',
  '/equipment/eq_1',
  '/equipment/eq_1/',
])('a browser gets the page at %s, to be asked for again each time', async (path) => {
  const { statusCode, headers, body } = await get(path, BROWSER)
  expect({ statusCode, body }).toEqual({ statusCode: 200, body: DOCUMENT })
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    vary: 'Accept, Accept-Encoding',
  })
})

test('the page may load nothing from elsewhere, and nothing that is written into it', async () => {
  const { headers } = await get('/', BROWSER)
  const policy = String(headers['content-security-policy'])
  expect(policy).toMatch(/^default-src 'self'; /)
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toMatch(/unsafe|data:|http|\*/)
})

test('a program that asks for JSON is told where the API is', async () => {
  const answer = await get('/', { accept: 'application/json' })
  expect(answer.json()).toMatchObject({ status: 404, code: 'not_found' })
  expect(answer.json().detail).toContain('/api/v1')
  expect(answer.headers['vary']).toContain('Accept')
  expect((await get('/', { accept: 'text/html;q=0.2, application/json' })).statusCode).toBe(404)
  expect((await get('/', { accept: '*/*' })).body).toBe(DOCUMENT)
})

test('a page that the browser has already is not sent again', async () => {
  const { headers } = await get('/', BROWSER)
  const again = await get('/', { ...BROWSER, 'if-none-match': `"other", W/${String(headers['etag'])}` })
  expect(again.statusCode).toBe(304)
  expect(again.body).toBe('')
})

test('files that are named after their content are kept for ever, and compressed for those who take it', async () => {
  const plain = await get('/assets/app-ABC.js')
  expect(plain.body).toBe(SCRIPT)
  expect(plain.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
  })
  expect(plain.headers['content-encoding']).toBeUndefined()
  const packed = await get('/assets/app-ABC.js', { 'accept-encoding': 'gzip, deflate' })
  expect(packed.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(packed.rawPayload).toString()).toBe(SCRIPT)
  expect((await get('/assets/app-ABC.js', { 'accept-encoding': 'gzip;q=0' })).body).toBe(SCRIPT)
})

test.each(['/assets/app-OLD.js', '/assets/..%2findex.html', '/assets/app-ABC.js.gz', '/assets'])(
  'there is nothing at %s',
  async (path) => {
    expect((await get(path, BROWSER)).json()).toMatchObject({ status: 404, code: 'not_found' })
  },
)

test.each(['/no-such-page', '/alarms/of-today', '/equipment/a/b', '/apis'])(
  'a browser gets the page as a 404 at %s, and a program JSON',
  async (path) => {
    const { statusCode, headers, body } = await get(path, BROWSER)
    expect({ statusCode, body }).toEqual({ statusCode: 404, body: DOCUMENT })
    expect(headers).toMatchObject({ 'cache-control': 'no-store', vary: expect.stringContaining('Accept') })
    expect(headers['content-security-policy']).toContain("default-src 'self'")
    for (const accept of ['*/*', 'application/json', 'text/html;q=0.2, application/json'])
      expect((await get(path, { accept })).json()).toMatchObject({ status: 404, code: 'not_found' })
    const sent = await app.inject({ method: 'POST', url: path, headers: BROWSER })
    expect(sent.json()).toMatchObject({ status: 404 })
  },
)

test.each(['/api/v1/nothing', '/api/nothing', '/assets/none.js'])(
  'a browser gets JSON at %s, where no pages are',
  async (path) => {
    expect((await get(path, BROWSER)).json()).toMatchObject({ status: 404, code: 'not_found' })
  },
)

test('only GET and HEAD are taken', async () => {
  const { statusCode, headers } = await app.inject({ method: 'POST', url: '/alarms' })
  expect({ statusCode, allow: headers['allow'] }).toEqual({ statusCode: 405, allow: 'GET, HEAD, OPTIONS' })
  const head = await app.inject({ method: 'HEAD', url: '/', headers: BROWSER })
  expect({ status: head.statusCode, body: head.body }).toEqual({ status: 200, body: '' })
})

test('a gateway whose page is not built serves the API all the same', async () => {
  const without = await new ServedGateway().app({ page: new Map() })
  expect((await without.inject('/healthz')).statusCode).toBe(200)
  expect((await without.inject({ url: '/', headers: BROWSER })).statusCode).toBe(404)
  await without.close()
})
