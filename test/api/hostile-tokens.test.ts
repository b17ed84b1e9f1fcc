import { createHmac } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ServedGateway } from '../support/served-gateway.js'

const gateway = new ServedGateway()
const KEY = Buffer.alloc(32, 7)
/** The made-up clock's time, in seconds since 1970. */
const NOW = Date.UTC(2026, 0, 1) / 1000
const HEADER = { alg: 'HS256', typ: 'JWT' }

let app: FastifyInstance
let claims: Record<string, unknown>
let good: string

const encoded = (part: unknown): string =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url')

/** A token made by hand, so that nothing but this test says what is in it. */
const made = (header: object, payload: unknown, key: Buffer = KEY, hash = 'sha256'): string => {
  const content = `${encoded(header)}.${encoded(payload)}`
  return `${content}.${createHmac(hash, key).update(content).digest('base64url')}`
}
const without = (name: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name))

beforeAll(async () => {
  app = await gateway.app()
  good = await gateway.tokenOf('admin')
  claims = JSON.parse(Buffer.from(good.split('.')[1] ?? '', 'base64url').toString())
})
afterAll(() => app.close())

const statusOf = async (authorization: string): Promise<[number, string]> => {
  const answer = await app.inject({ url: '/api/v1/equipment', headers: { authorization } })
  return [answer.statusCode, answer.json().code]
}

test('a token made by hand like one of ours is good, so that the others fail for what is wrong with them', async () => {
  expect((await statusOf(`Bearer ${made(HEADER, claims)}`))[0]).toBe(200)
})

const HOSTILE: readonly (readonly [why: string, token: () => string])[] = [
  ['the algorithm none, without a signature', () => `${encoded({ alg: 'none' })}.${encoded(claims)}.`],
  ['the algorithm none, with one', () => made({ alg: 'none', typ: 'JWT' }, claims)],
  ['the algorithm NONE', () => `${encoded({ alg: 'NONE' })}.${encoded(claims)}.`],
  ['HS512 with our key', () => made({ alg: 'HS512', typ: 'JWT' }, claims, KEY, 'sha512')],
  ['HS384 with our key', () => made({ alg: 'HS384', typ: 'JWT' }, claims, KEY, 'sha384')],
  ['RS256 that is an HMAC', () => made({ alg: 'RS256', typ: 'JWT' }, claims)],
  ['ES256 that is an HMAC', () => made({ alg: 'ES256', typ: 'JWT' }, claims)],
  ['no algorithm', () => made({ typ: 'JWT' }, claims)],
  ['an algorithm that is a list', () => made({ alg: ['HS256'] }, claims)],
  ['another key', () => made(HEADER, claims, Buffer.alloc(32, 8))],
  ['an empty key', () => made(HEADER, claims, Buffer.alloc(0))],
  [
    'its own key in the header',
    () => made({ ...HEADER, jwk: { kty: 'oct', k: 'AAAA' } }, claims, Buffer.alloc(3)),
  ],
  ['a critical extension', () => made({ ...HEADER, crit: ['b64'], b64: false }, claims)],
  ['no expiry', () => made(HEADER, without('exp'))],
  ['an expiry that is text', () => made(HEADER, { ...claims, exp: '9999999999' })],
  ['an expiry that is null', () => made(HEADER, { ...claims, exp: null })],
  ['an expiry that has passed', () => made(HEADER, { ...claims, exp: NOW - 1 })],
  ['an expiry at this very second', () => made(HEADER, { ...claims, exp: NOW })],
  ['a beginning that has not come', () => made(HEADER, { ...claims, nbf: NOW + 60 })],
  ['no audience', () => made(HEADER, without('aud'))],
  ['another audience', () => made(HEADER, { ...claims, aud: 'other' })],
  ['no issuer', () => made(HEADER, without('iss'))],
  ['another issuer', () => made(HEADER, { ...claims, iss: 'other' })],
  ['no subject', () => made(HEADER, without('sub'))],
  ['a subject that is a list', () => made(HEADER, { ...claims, sub: [claims['sub']] })],
  ['a subject that nobody is', () => made(HEADER, { ...claims, sub: 'usr_nobody' })],
  ['a subject that every object has', () => made(HEADER, { ...claims, sub: '__proto__' })],
  ['no id', () => made(HEADER, without('jti'))],
  ['no time of issue', () => made(HEADER, without('iat'))],
  ['a generation of tokens to come', () => made(HEADER, { ...claims, gen: 2 })],
  ['no generation', () => made(HEADER, without('gen'))],
  ['a payload that is a list', () => made(HEADER, [claims])],
  ['a payload that is null', () => made(HEADER, 'null')],
  ['a payload that is no JSON', () => made(HEADER, 'hello')],
  [
    'another payload under the signature',
    () => good.replace(/\.[^.]+\./, `.${encoded({ ...claims, role: 'x' })}.`),
  ],
  ['no signature', () => good.replace(/[^.]+$/, '')],
  ['a signature cut short', () => good.slice(0, -4)],
  ['a part too many', () => `${good}.x`],
  ['a part too few', () => good.split('.').slice(0, 2).join('.')],
  ['five parts, as encryption has', () => 'a.b.c.d.e'],
  ['dots alone', () => '..'],
  ['noise', () => '%%%'],
  ['a megabyte less a header', () => 'a'.repeat(10_000)],
]

describe('a token is refused that has', () => {
  test.each(HOSTILE)('%s', async (_, token) => {
    const [status, code] = await statusOf(`Bearer ${token()}`)
    expect(status).toBe(401)
    expect(['unauthenticated', 'token_expired', 'token_revoked']).toContain(code)
  })
})

test.each(['', 'Bearer', 'Bearer ', 'Basic YTpi', 'Token x', 'Bearer a b', 'bearer\ta'])(
  'the header %j holds no token',
  async (authorization) => {
    expect(await statusOf(authorization)).toEqual([401, 'unauthenticated'])
  },
)

test('the scheme may be written in any case', async () => {
  expect((await statusOf(`bearer ${good}`))[0]).toBe(200)
})
