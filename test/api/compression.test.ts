import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ServedGateway } from '../support/served-gateway.js'

let app: FastifyInstance
let token: string

beforeAll(async () => {
  const gateway = new ServedGateway()
  app = await gateway.app()
  token = await gateway.tokenOf('admin')
  for (let one = 0; one < 300; one++)
    await gateway.equipment.create({ name: `tool ${one}`, ip_address: '127.0.0.1', port: 6000 + one })
})
afterAll(() => app.close())

const get = (url: string, headers: object = {}) =>
  app.inject({ url, headers: { authorization: `Bearer ${token}`, ...headers } })
const LIST = '/api/v1/equipment'
const unpack = { gzip: gunzipSync, br: brotliDecompressSync }

test.each([
  ['gzip', 'gzip, deflate'],
  ['br', 'gzip, deflate, br'],
  ['br', '*'],
  ['gzip', 'br;q=0.5, gzip'],
  ['gzip', '*;q=0.1, gzip;q=0.2, identity;q=0'],
] as const)('a list and the document are sent as %s to who takes %s', async (encoding, taken) => {
  for (const url of [LIST, '/api/docs']) {
    const plain = await get(url)
    const packed = await get(url, { 'accept-encoding': taken })
    expect(packed.headers['content-encoding']).toBe(encoding)
    expect(packed.headers['vary']).toContain('Accept-Encoding')
    expect(plain.headers['vary']).toContain('Accept-Encoding')
    expect(unpack[encoding](packed.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect(packed.rawPayload.length * 4).toBeLessThan(plain.rawPayload.length)
  }
})

test.each(['', 'identity', 'gzip;q=0, br;q=0', 'deflate', '*;q=0', 'gzip;q=0.1, identity'])(
  'what takes "%s" gets it as it is',
  async (taken) => {
    for (const url of [LIST, '/api/docs'])
      expect((await get(url, { 'accept-encoding': taken })).headers['content-encoding']).toBeUndefined()
  },
)

test('what is short stays as it is, and so does a record with an ETag', async () => {
  for (const url of ['/healthz', '/api/v1/users/me', '/api/v1/equipment/eq_1', '/api/v1/nowhere']) {
    const { headers } = await get(url, { 'accept-encoding': 'gzip' })
    expect(headers['content-encoding']).toBeUndefined()
  }
})

test('the document has an ETag, each form its own, and is sent once', async () => {
  const forms = [
    {},
    { 'accept-encoding': 'gzip' },
    { 'accept-encoding': 'br' },
    { accept: 'application/yaml' },
  ]
  const tags: string[] = []
  for (const form of forms) {
    const { headers } = await get('/api/docs', form)
    tags.push(String(headers['etag']))
    const again = await get('/api/docs', { ...form, 'if-none-match': `"other", W/${headers['etag']}` })
    expect([again.statusCode, again.body, again.headers['etag']]).toEqual([304, '', headers['etag']])
    expect(again.headers['vary']).toEqual(headers['vary'])
  }
  expect(new Set(tags).size).toBe(forms.length)
  expect((await get('/api/docs', { 'if-none-match': '"other"' })).statusCode).toBe(200)
})
