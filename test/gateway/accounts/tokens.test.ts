import { jwtVerify, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { Tokens } from '../../../src/gateway/accounts/tokens.js'
import { ManualClock } from '../../support/manual-clock.js'

const KEY = new Uint8Array(32).fill(1)
const tokens = new Tokens(KEY, new ManualClock(), 3600)
const SECONDS = Date.parse('2026-01-01T00:00:00Z') / 1000

const signed = (claims: object, audience: string, typ: string) =>
  new SignJWT({ iat: SECONDS, exp: SECONDS + 60, ...claims })
    .setProtectedHeader({ alg: 'HS256', typ })
    .setIssuer('secsctl')
    .setAudience(audience)
    .sign(KEY)

const LOGIN = { sub: 'usr_1', jti: 't1', gen: 1 }

test('a key of fewer than 32 bytes is refused', () => {
  expect(() => new Tokens(new Uint8Array(31), new ManualClock(), 1)).toThrow(RangeError)
})

test.each([
  [{}, true],
  [{ sub: undefined }, false],
  [{ sub: 7 }, false],
  [{ jti: undefined }, false],
  [{ jti: 7 }, false],
  [{ gen: '1' }, false],
  [{ exp: undefined }, false],
  [{ iat: undefined }, false],
  [{ padding: 'x'.repeat(2048) }, false],
])('a login whose claims differ by %j is one: %s', async (change, is) => {
  const claims = await tokens.verify(await signed({ ...LOGIN, ...change }, 'secsctl', 'JWT')).catch((e) => e)
  expect(claims).toMatchObject(
    is
      ? { userId: 'usr_1', tokenId: 't1', generation: 1, expires: (SECONDS + 60) * 1000 }
      : { code: 'unauthenticated' },
  )
})

const REQUEST = ['r-1', 'GET', '/api/v1/equipment']
const requestIn = (token: string): unknown =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).request

interface Forged {
  readonly key?: Uint8Array
  readonly typ?: string
  readonly alg?: string
  readonly aud?: string
  readonly iss?: string
}

const SAID = { address: '192.0.2.9', node: 'gateway-2' }

test('what a daemon says of a request that it forwards holds for this request, at any time', async () => {
  const token = tokens.issuePassedOn(SAID, REQUEST)
  const clock = new ManualClock()
  clock.advance(100 * 24 * 60 * 60_000)
  expect(new Tokens(KEY, clock, 1).verifyPassedOn(token, REQUEST)).toEqual(SAID)
  expect(tokens.verifyPassedOn(token, ['r-2', ...REQUEST.slice(1)])).toBeUndefined()
  for (const other of ['nonsense', '', '..', `${token}.`, token.slice(0, -1), ` ${token}`])
    expect(tokens.verifyPassedOn(other, REQUEST)).toBeUndefined()
  await expect(tokens.verify(token)).rejects.toMatchObject({ code: 'unauthenticated' })
})

test.each([
  [{}, true],
  [{ address: undefined }, false],
  [{ node: 7 }, false],
  [{ request: undefined }, false],
  [{ padding: 'x'.repeat(2048) }, false],
])('a forwarded request whose claims differ by %j is one: %s', async (change, is) => {
  const request = requestIn(tokens.issuePassedOn(SAID, REQUEST))
  const token = await signed({ ...SAID, request, ...change }, 'secsctl-nodes', 'passed-on+jwt')
  expect(tokens.verifyPassedOn(token, REQUEST)).toEqual(is ? SAID : undefined)
})

test('what a daemon says is a JSON Web Token that others can verify', async () => {
  const { payload } = await jwtVerify(tokens.issuePassedOn(SAID, REQUEST), KEY, {
    algorithms: ['HS256'],
    typ: 'passed-on+jwt',
    issuer: 'secsctl',
    audience: 'secsctl-nodes',
    currentDate: new Date(SECONDS * 1000),
  })
  expect(payload).toMatchObject({ ...SAID, exp: SECONDS + 60 })
})

test.each([
  ['another key', { key: new Uint8Array(32).fill(2) }],
  ['the type of a login', { typ: 'JWT' }],
  ['the audience of a login', { aud: 'secsctl' }],
  ['another issuer', { iss: 'other' }],
  ['another algorithm', { alg: 'HS512' }],
])('a forwarded request with %s is none', async (_, { key = KEY, ...change }: Forged) => {
  const { typ = 'passed-on+jwt', alg = 'HS256', aud = 'secsctl-nodes', iss = 'secsctl' } = change
  const claims = { ...SAID, request: requestIn(tokens.issuePassedOn(SAID, REQUEST)), iat: SECONDS, iss, aud }
  const forged = await new SignJWT(claims).setProtectedHeader({ alg, typ }).sign(key)
  expect(tokens.verifyPassedOn(forged, REQUEST)).toBeUndefined()
})

test('a forwarded request whose claims were changed after it was signed is none', () => {
  const [header, claims = '', signature] = tokens.issuePassedOn(SAID, REQUEST).split('.')
  const text = Buffer.from(claims, 'base64url').toString().replace(SAID.address, '192.0.2.8')
  const changed = Buffer.from(text).toString('base64url')
  expect(changed).not.toBe(claims)
  expect(tokens.verifyPassedOn(`${header}.${changed}.${signature}`, REQUEST)).toBeUndefined()
})
