import { createHmac } from 'node:crypto'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { accountOf } from '../../../src/gateway/sign-on/company-claims.js'
import { OidcProvider } from '../../../src/gateway/sign-on/oidc-provider.js'
import type { SignOnSettings } from '../../../src/gateway/sign-on/sign-on-settings.js'
import { systemClock } from '../../../src/kit/clock.js'
import { FIRST_CERTIFICATE } from '../../support/certificates.js'
import { freePort } from '../../support/free-port.js'
import { ManualClock } from '../../support/manual-clock.js'
import { HostileProvider } from './hostile-provider.js'
import { signOnSettings } from './sign-on-site.js'

const CALLBACK = 'https://gateway.example/api/v1/auth/sso/callback'
const CHECKS = { state: 'a state', nonce: 'a nonce', verifier: 'v'.repeat(43) }
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const LOGOUT = { [LOGOUT_EVENT]: {} }

let hostile: HostileProvider
let settings: SignOnSettings
let provider: OidcProvider

beforeAll(async () => {
  hostile = await HostileProvider.listen()
})
afterAll(() => hostile.close())

beforeEach(() => {
  Object.assign(hostile, { published: ['own'], refusal: undefined, metadata: {}, userInfo: {}, ahead: 0 })
  hostile.override = () => false
  settings = signOnSettings(hostile, 'https://gateway.example')
  provider = new OidcProvider(settings, systemClock)
})
afterEach(() => provider.close())

/** What comes of a sign-on in a page for which the provider gives this identity token. */
async function exchanged(idToken: string | undefined) {
  hostile.idToken = idToken
  const response = new URL(CALLBACK)
  response.search = new URLSearchParams({ code: 'any', state: CHECKS.state }).toString()
  return provider.exchangeCode(response, CHECKS)
}

const refused = (code: string, text: RegExp) => ({ code, message: expect.stringMatching(text) })
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A token of the right claims under another header, with another signature. */
async function forged(header: object, signed: (text: string) => string): Promise<string> {
  const [, payload] = (await hostile.token({ nonce: CHECKS.nonce })).split('.')
  const text = `${base64url(header)}.${payload}`
  return `${text}.${signed(text)}`
}

/** How often the document of the provider was read. */
const discoveries = () => hostile.asked.filter((path) => path.startsWith('/.well-known/')).length

test('the document of the provider is read once for all who need it at once, also when it is old', async () => {
  const clock = new ManualClock()
  const timed = new OidcProvider(settings, clock)
  try {
    for (let hour = 0; hour < 2; hour++) {
      const before = discoveries()
      await Promise.all(Array.from({ length: 5 }, () => timed.beginDevice().catch(() => {})))
      await timed.beginDevice().catch(() => {})
      expect(discoveries() - before).toBe(1)
      clock.advance(61 * 60_000)
    }
  } finally {
    await timed.close()
  }
})

test('a document that cannot be read fails for all who wait for it, and is read for the next one', async () => {
  hostile.override = (path, response) => {
    if (!path.startsWith('/.well-known/')) return false
    response.writeHead(503).end()
    return true
  }
  const before = discoveries()
  const all = await Promise.allSettled(Array.from({ length: 5 }, () => provider.beginDevice()))
  expect(all.map(({ status }) => status)).toEqual(all.map(() => 'rejected'))
  expect(discoveries() - before).toBe(1)
  hostile.override = () => false
  expect((await exchanged(await hostile.token({ nonce: CHECKS.nonce }))).subject).toBe('ann')
})

test('a right token is taken', async () => {
  const { subject, tokens } = await exchanged(await hostile.token({ nonce: CHECKS.nonce }))
  expect([subject, tokens.refreshToken]).toEqual(['ann', 'again'])
})

describe('an identity token is refused', () => {
  test('that is for another client, or for others, too', async () => {
    const { nonce } = CHECKS
    const wrong = refused('sso_failed', /client/)
    await expect(exchanged(await hostile.token({ nonce, aud: 'other' }))).rejects.toMatchObject(wrong)
    await expect(
      exchanged(await hostile.token({ nonce, aud: ['secsctl', 'other'], azp: 'other' })),
    ).rejects.toMatchObject({ code: 'sso_failed' })
    await expect(exchanged(await hostile.token({ nonce, azp: 'other' }))).rejects.toMatchObject(wrong)
    expect((await exchanged(await hostile.token({ nonce, azp: 'secsctl' }))).subject).toBe('ann')
  })

  test('of another issuer', async () => {
    const token = await hostile.token({ nonce: CHECKS.nonce, iss: 'https://other.example' })
    await expect(exchanged(token)).rejects.toMatchObject(refused('sso_failed', /issuer/))
  })

  test('without a signature (alg none), or signed with the secret of the client', async () => {
    const none = await forged({ alg: 'none' }, () => '')
    await expect(exchanged(none)).rejects.toMatchObject({ code: 'sso_failed' })
    const secret = settings.clientSecret ?? ''
    const hmac = (text: string) => createHmac('sha256', secret).update(text).digest('base64url')
    await expect(exchanged(await forged({ alg: 'HS256' }, hmac))).rejects.toMatchObject({
      code: 'sso_failed',
    })
  })

  test('that another key has signed', async () => {
    const { nonce } = CHECKS
    await expect(exchanged(await hostile.token({ nonce }, 'other'))).rejects.toMatchObject({
      code: 'sso_failed',
    })
    const disguised = await hostile.token({ nonce }, 'other', { kid: 'own' })
    await expect(exchanged(disguised)).rejects.toMatchObject(refused('sso_failed', /signature/i))
  })

  test('with another nonce, or without one', async () => {
    const wrong = refused('sso_failed', /nonce/)
    await expect(exchanged(await hostile.token({ nonce: 'another' }))).rejects.toMatchObject(wrong)
    await expect(exchanged(await hostile.token())).rejects.toMatchObject({ code: 'sso_failed' })
  })

  test('that is missing', async () => {
    await expect(exchanged(undefined)).rejects.toMatchObject({ code: 'sso_failed' })
  })

  test('of another user, in the response to a refresh', async () => {
    hostile.idToken = undefined
    hostile.userInfo = { sub: 'bob', groups: ['fab-admins'] }
    await expect(provider.refresh('again', 'ann', () => {})).rejects.toMatchObject(
      refused('sso_failed', /another user/),
    )
  })
})

describe('an error says', () => {
  test('by how much the clocks differ', async () => {
    hostile.ahead = -20 * 60_000
    const token = await hostile.token({ nonce: CHECKS.nonce })
    const wrong = refused('sso_failed', /1200 s behind|1199 s behind|1201 s behind/)
    await expect(exchanged(token)).rejects.toMatchObject(wrong)
  })

  test('by how much a clock is ahead that makes tokens of the future', async () => {
    hostile.ahead = 20 * 60_000
    const token = await hostile.token({ nonce: CHECKS.nonce })
    const wrong = refused('sso_failed', /1200 s ahead of|1199 s ahead of|1201 s ahead of/)
    await expect(exchanged(token)).rejects.toMatchObject(wrong)
  })

  test('that a token is of the future, or an old one, where the clocks agree', async () => {
    const now = Math.floor(Date.now() / 1000)
    const future = await hostile.token({ nonce: CHECKS.nonce, iat: now + 600, exp: now + 900 })
    await expect(exchanged(future)).rejects.toMatchObject(refused('sso_failed', /agree.*of the future/))
    const old = await hostile.token({ nonce: CHECKS.nonce, iat: now - 900, exp: now - 600 })
    await expect(exchanged(old)).rejects.toMatchObject(refused('sso_failed', /agree.*an old one/))
  })

  test.each([
    ['text/plain', 'slower', '7', /429: it is asked too often.*in 7 s/],
    ['text/html', '<html>', 'Sun, 29 Nov 2026 21:00:00 GMT', /too often.*at Sun, 29 Nov 2026/],
    ['application/json', '{"error":"busy","error_description":"hold on"}', '7', /in 7 s.*hold on/],
    ['text/plain', 'slower', undefined, /429: it is asked too often\.$/],
  ])('that the provider limits how often it is asked, with %s and %s', async (type, body, after, text) => {
    hostile.override = (path, response) => {
      if (path !== '/token') return false
      const headers = { 'content-type': type, ...(after !== undefined && { 'retry-after': after }) }
      response.writeHead(429, headers).end(body)
      return true
    }
    await expect(exchanged(undefined)).rejects.toMatchObject(refused('sso_unavailable', text))
  })

  test.each([
    [
      'Basic realm="fab", error="invalid_client", error_description="wrong secret"',
      /client_secret_file.*wrong secret/,
    ],
    ['Basic realm="fab"', /compare auth\.oidc\.client_id/],
    ['Bearer error="invalid_token"', /userinfo, invalid_token/],
  ])('what the challenge %s means', async (challenge, text) => {
    hostile.override = (path, response) => {
      if (path !== (challenge.startsWith('Basic') ? '/token' : '/me')) return false
      response.writeHead(401, { 'www-authenticate': challenge, 'content-type': 'application/json' })
      response.end('{"error":"invalid_client"}')
      return true
    }
    const token = await hostile.token({ nonce: CHECKS.nonce, groups: undefined })
    await expect(exchanged(token)).rejects.toMatchObject(refused('sso_failed', text))
  })

  test.each([
    [{ error: 'invalid_client' }, /client_id and client_secret_file/],
    [{ error: 'invalid_grant' }, /used already.*\/api\/v1\/auth\/sso\/callback/],
    [{ error: 'invalid_request', error_description: 'redirect_uri did not match' }, /Register this redirect/],
    [{ error: 'unauthorized_client' }, /device flow/],
  ])('what %o means', async (body, text) => {
    hostile.refusal = { status: 400, body }
    await expect(exchanged(undefined)).rejects.toMatchObject(refused('sso_failed', text))
  })

  test.each([
    [429, 'text/plain', 'slower'],
    [429, 'application/json', '{"error":"too_many_requests"}'],
    [404, 'text/html', '<html>'],
    [200, 'text/html', '<html>'],
    [200, 'application/json', ''],
  ])('that the provider is not there, with %i and %s', async (status, type, body) => {
    hostile.override = (path, response) => {
      if (path !== '/token') return false
      response.writeHead(status, { 'content-type': type }).end(body)
      return true
    }
    const away = refused('sso_unavailable', status === 200 ? /another server/ : new RegExp(`${status}`))
    await expect(exchanged(undefined)).rejects.toMatchObject(away)
  })

  test('that the issuer is another one, or no provider is there', async () => {
    hostile.metadata = { issuer: 'https://other.example' }
    await expect(exchanged(undefined)).rejects.toMatchObject(refused('sso_failed', /other\.example/))
    const nowhere = new OidcProvider({ ...settings, issuer: `${hostile.issuer}/realms/none` }, systemClock)
    await expect(nowhere.beginDevice()).rejects.toMatchObject(refused('sso_unavailable', /404/))
    await nowhere.close()
  })

  test('that the provider is away', async () => {
    const gone = new OidcProvider(
      { ...settings, issuer: `http://127.0.0.1:${await freePort()}` },
      systemClock,
    )
    await expect(gone.beginDevice()).rejects.toMatchObject(refused('sso_unavailable', /ECONNREFUSED/))
    await gone.close()
  })

  test('that nobody is known who has issued the certificate, unless the settings name who', async () => {
    const server = createServer(FIRST_CERTIFICATE, (_, response) => response.writeHead(404).end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const issuer = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
    const strange = new OidcProvider({ ...settings, issuer }, systemClock)
    await expect(strange.beginDevice()).rejects.toMatchObject(refused('sso_unavailable', /auth\.oidc\.ca/))
    const trusting = new OidcProvider({ ...settings, issuer, ca: FIRST_CERTIFICATE.cert }, systemClock)
    await expect(trusting.beginDevice()).rejects.toMatchObject(refused('sso_unavailable', /404|ALTNAME/))
    await Promise.all([strange.close(), trusting.close()])
    server.closeAllConnections()
    server.close()
  })

  test('which claims came where the one with the groups is missing', async () => {
    const token = await hostile.token({ nonce: CHECKS.nonce, groups: undefined, department: 'etch' })
    const verified = await exchanged(token)
    expect(() => accountOf(verified, settings)).toThrow(/"groups".*aud, department, exp/)
    const many = await exchanged(
      await hostile.token({ nonce: CHECKS.nonce, groups: undefined, _claim_names: { groups: 'src1' } }),
    )
    expect(() => accountOf(many, settings)).toThrow(/more groups/)
  })
})

describe('a logout token', () => {
  const right = { events: LOGOUT, jti: 'one', sid: 's1' }

  test('is taken once it is checked', async () => {
    expect(await provider.loggedOut(await hostile.token(right))).toMatchObject({ subject: 'ann', sid: 's1' })
  })

  test.each([
    ['is an identity token', {}],
    ['has a nonce', { ...right, nonce: 'any' }],
    ['has no id', { ...right, jti: undefined }],
    ['has an empty id', { ...right, jti: '' }],
    ['has an event that is none', { ...right, events: { [LOGOUT_EVENT]: null } }],
    ['has text as an event', { ...right, events: { [LOGOUT_EVENT]: 'any' } }],
    ['has a list of events', { ...right, events: [LOGOUT_EVENT] }],
    ['names nobody', { ...right, sub: undefined, sid: undefined }],
    ['is for another client', { ...right, aud: 'other' }],
    ['is of another issuer', { ...right, iss: 'https://other.example' }],
    ['is old', { ...right, iat: Math.floor(Date.now() / 1000) - 3600, exp: undefined }],
  ])('is refused that %s', async (_, claims) => {
    await expect(provider.loggedOut(await hostile.token(claims))).rejects.toMatchObject({
      code: 'sso_failed',
    })
  })

  test('is refused without a signature', async () => {
    const [, payload] = (await hostile.token(right)).split('.')
    const none = `${base64url({ alg: 'none' })}.${payload}.`
    await expect(provider.loggedOut(none)).rejects.toMatchObject({ code: 'sso_failed' })
  })
})

test('Whether the provider responds is asked anew, though it was read before, and not for long', async () => {
  await provider.authorizationUrl(CHECKS)
  await provider.check()
  hostile.override = (_, response) => {
    response.statusCode = 503
    response.end()
    return true
  }
  await provider.authorizationUrl(CHECKS)
  await expect(provider.check()).rejects.toMatchObject(refused('sso_unavailable', /503/))
  // It takes the request, and never responds.
  hostile.override = () => true
  await expect(provider.check()).rejects.toMatchObject(refused('sso_unavailable', /in time/))
})
