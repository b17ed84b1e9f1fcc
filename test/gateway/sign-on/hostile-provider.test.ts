import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { accountOf } from '../../../src/gateway/sign-on/company-claims.js'
import { OidcProvider } from '../../../src/gateway/sign-on/oidc-provider.js'
import type { SignOnSettings } from '../../../src/gateway/sign-on/sign-on-settings.js'
import { systemClock } from '../../../src/kit/clock.js'
import { HostileProvider } from './hostile-provider.js'
import { ADMINS, ENGINEERS, signOnSettings } from './sign-on-site.js'

const CHECKS = { state: 'a state', nonce: 'a nonce', verifier: 'v'.repeat(43) }
const DISCOVERY = '/.well-known/openid-configuration'
const ENDPOINTS = [DISCOVERY, '/token', '/keys', '/me'] as const

let hostile: HostileProvider
let settings: SignOnSettings
let provider: OidcProvider

beforeAll(async () => {
  hostile = await HostileProvider.listen()
})
afterAll(() => hostile.close())

beforeEach(() => {
  const usual = { published: ['own'], metadata: {}, userInfo: {}, ahead: 0, override: () => false }
  Object.assign(hostile, usual, { refusal: undefined })
  hostile.asked.length = 0
  settings = signOnSettings(hostile, 'https://gateway.example')
  provider = new OidcProvider(settings, systemClock)
})
afterEach(() => provider.close())

/** What comes of a sign-on in a page whose identity token has these claims, by a provider without a memory. */
async function signedOn(claims: object = {}, given = provider) {
  hostile.idToken = await hostile.token({ nonce: CHECKS.nonce, ...claims })
  return exchanged(given)
}

/** The same of an identity token whose header has this type. */
async function signedOnBy(typ: string | undefined) {
  hostile.idToken = await hostile.token({ nonce: CHECKS.nonce }, 'own', typ === undefined ? {} : { typ })
  return exchanged()
}

function exchanged(given = provider) {
  const response = new URL('https://gateway.example/api/v1/auth/sso/callback')
  response.search = new URLSearchParams({ code: 'any', state: CHECKS.state }).toString()
  return given.exchangeCode(response, CHECKS)
}

/** Groups come from the further page, unless the token has them. */
const WITHOUT_GROUPS = { groups: undefined }

const at = (path: string, respond: (response: ServerResponse) => void) => {
  hostile.override = (asked, response) => {
    if (asked.split('?')[0] !== path) return false
    respond(response)
    return true
  }
}

test('a response that never ends is given up, wherever it comes from', async () => {
  const outcomes = ENDPOINTS.map(async (path) => {
    const slow = await HostileProvider.listen()
    slow.override = (asked, response) => {
      if (asked.split('?')[0] !== path) return false
      response.setHeader('content-type', 'application/json')
      const drip = setInterval(() => response.write(' '), 100)
      response.once('close', () => clearInterval(drip))
      return true
    }
    const own = new OidcProvider(signOnSettings(slow, 'https://gateway.example'), systemClock)
    slow.idToken = await slow.token({ nonce: CHECKS.nonce, ...WITHOUT_GROUPS })
    const outcome = await exchanged(own).catch((error: Error) => error.message)
    await Promise.all([own.close(), slow.close()])
    return outcome
  })
  for (const outcome of await Promise.all(outcomes)) expect(outcome).toContain('did not respond in time')
})

describe('a response that is too long is not read to its end', () => {
  test.each(ENDPOINTS)('of %s', async (path) => {
    let sent = 0
    at(path, (response) => {
      response.setHeader('content-type', 'application/json')
      const part = Buffer.alloc(64 * 1024, ' ')
      const more = (): void => {
        if (sent < 64 * 1024 * 1024 && !response.destroyed) response.write(part, () => more())
        sent += part.length
      }
      more()
    })
    await expect(signedOn(WITHOUT_GROUPS)).rejects.toMatchObject({
      code: 'sso_unavailable',
      message: expect.stringContaining('more than 1 MiB'),
    })
    expect(sent).toBeLessThan(32 * 1024 * 1024)
  })

  test('also where it is short on its way', async () => {
    const bomb = gzipSync(Buffer.alloc(32 * 1024 * 1024, ' '))
    at('/keys', (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      response.end(bomb)
    })
    await expect(signedOn()).rejects.toMatchObject({ message: expect.stringContaining('more than 1 MiB') })
  })
})

describe('a redirect is not followed, and the secret goes nowhere', () => {
  test.each(ENDPOINTS)('of %s', async (path) => {
    at(path, (response) => response.writeHead(307, { location: `${hostile.issuer}/elsewhere` }).end())
    await expect(signedOn(WITHOUT_GROUPS)).rejects.toMatchObject({ code: expect.stringMatching(/^sso_/) })
    expect(hostile.asked).not.toContain('/elsewhere')
  })
})

test('a provider with thousands of keys is a provider, and one with more than can be read is none', async () => {
  hostile.published = ['own', ...Array.from({ length: 8000 }, (_, key) => `key-${key}`)]
  expect((await signedOn()).subject).toBe('ann')
  hostile.published = ['own', ...Array.from({ length: 100_000 }, (_, key) => `key-${key}`)]
  const fresh = new OidcProvider(settings, systemClock)
  await expect(signedOn({}, fresh)).rejects.toMatchObject({ message: expect.stringContaining('1 MiB') })
  await fresh.close()
})

test.each(['PS256', 'ES256', 'ES384', 'EdDSA', 'Ed25519'])('a provider may sign with %s', async (alg) => {
  await hostile.addKey(alg)
  hostile.metadata = { id_token_signing_alg_values_supported: [alg] }
  hostile.idToken = await hostile.token({ nonce: CHECKS.nonce }, alg, { alg })
  expect((await exchanged()).subject).toBe('ann')
  // What it does not list, it has not signed.
  hostile.idToken = await hostile.token({ nonce: CHECKS.nonce })
  await expect(exchanged()).rejects.toMatchObject({ code: 'sso_failed' })
})

test.each<[status: number, headers: OutgoingHttpHeaders, message: RegExp]>([
  [200, {}, /keys of the identity provider .* cannot be read: .* as JSON/],
  [404, {}, /identity provider .* responds with 404 where it has its keys \(jwks_uri\)\.$/],
  [503, {}, /identity provider .* responds with 503 where it has its keys \(jwks_uri\)\.$/],
  [429, { 'retry-after': '7' }, /responds with 429: it is asked too often. It may be asked again in 7 s\.$/],
])('keys that are not given (%i) are no wrong signature', async (status, headers, message) => {
  at('/keys', (response) => response.writeHead(status, headers).end())
  await expect(signedOn()).rejects.toMatchObject({
    code: 'sso_unavailable',
    message: expect.stringMatching(message),
  })
})

test('a new key is found, also after the clock of the machine was set back', async () => {
  let ahead = 0
  const clock = { ...systemClock, now: () => systemClock.now() + ahead }
  const own = new OidcProvider(settings, clock)
  await signedOn({}, own)
  hostile.published = ['own', 'other']
  hostile.idToken = await hostile.token({ nonce: CHECKS.nonce }, 'other')
  ahead = 2000
  const real = Date.now
  Date.now = () => real() - 60 * 60_000
  try {
    expect((await exchanged(own)).subject).toBe('ann')
  } finally {
    Date.now = real
    await own.close()
  }
})

test('a new key is found under the name of the one before, and the one before is refused', async () => {
  const before = await hostile.token({ nonce: CHECKS.nonce })
  hostile.idToken = before
  await exchanged()
  await hostile.renewKey()
  expect((await signedOn()).subject).toBe('ann')
  hostile.idToken = before
  await expect(exchanged()).rejects.toMatchObject({ message: expect.stringContaining('signature') })
})

test.each([undefined, 'JWT', 'jwt', 'application/jwt', 'Application/JWT'])(
  'an identity token may have the type %s',
  async (typ) => {
    expect((await signedOnBy(typ)).subject).toBe('ann')
  },
)

test.each(['logout+jwt', 'at+jwt', 'AT+JWT', 'application/at+jwt', 'Application/Logout+JWT; v=1'])(
  'a token of the type %s is no identity token, though all else is right',
  async (typ) => {
    const wrong = { code: 'sso_failed', message: expect.stringContaining(`of the type ${typ} came`) }
    await expect(signedOnBy(typ)).rejects.toMatchObject(wrong)
    hostile.idToken = await hostile.token({}, 'own', { typ })
    await expect(provider.refresh('again', 'ann', () => {})).rejects.toMatchObject(wrong)
  },
)

test('a logout token may name its type', async () => {
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  const token = await hostile.token({ events, jti: 'one' }, 'own', { typ: 'logout+jwt' })
  expect((await provider.loggedOut(token)).subject).toBe('ann')
})

describe('what the provider publishes', () => {
  const secure = (metadata: Readonly<Record<string, unknown>>) => {
    hostile.metadata = metadata
    return new OidcProvider(settings, systemClock)
  }

  test.each(['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x'])(
    'leads no browser to %s',
    async (place) => {
      const given = secure({ authorization_endpoint: place, end_session_endpoint: place })
      await expect(given.authorizationUrl(CHECKS)).rejects.toMatchObject({ code: 'sso_failed' })
      await expect(given.endSessionUrl(undefined)).rejects.toMatchObject({ code: 'sso_failed' })
      await given.close()
    },
  )

  test.each([
    ['no document', 'nonsense'],
    ['a list', []],
    ['null', null],
    ['an issuer that begins alike', { issuer: 'http://127.0.0.1' }],
  ])('is refused where it is %s', async (_, document) => {
    at(DISCOVERY, (response) => {
      response.setHeader('content-type', 'application/json')
      const whole = typeof document === 'object' && document && !Array.isArray(document)
      response.end(JSON.stringify(whole ? { jwks_uri: `${hostile.issuer}/keys`, ...document } : document))
    })
    await expect(signedOn()).rejects.toMatchObject({ code: 'sso_failed' })
  })
})

describe('a group is compared as a whole, and as it is written', () => {
  const roleOf = async (groups: unknown) => accountOf(await signedOn({ groups }), settings).rule?.role

  test('with one of a hundred thousand groups', async () => {
    const many = Array.from({ length: 50_000 }, (_, group) => `g${group}`)
    const account = accountOf(await signedOn({ groups: [...many, ENGINEERS] }), settings)
    expect([account.rule?.role, account.groups.length]).toEqual(['engineer', 100])
    await expect(signedOn({ groups: Array.from({ length: 200_000 }, () => 'group') })).rejects.toMatchObject({
      message: expect.stringContaining('more than 1 MiB'),
    })
  })

  test.each([
    ['Cyrillic letters', 'f\u0430b-admins'],
    ['wide letters', '\uFF46\uFF41\uFF42-admins'],
    ['another hyphen', 'fab\u2010admins'],
    ['a space of no width', 'fab-\u200Badmins'],
    ['a space at the end', 'fab-admins '],
    ['a NUL', 'fab-admins\0'],
    ['capitals', 'FAB-ADMINS'],
    ['a path before it', '/fab-admins'],
    ['a list in a list', ['fab-admins']],
    ['an object that has it', { toString: 'fab-admins', name: 'fab-admins' }],
    ['another group behind a comma', 'fab-admins,others'],
  ])('%s make it another group', async (_, group) => {
    expect(ADMINS).toBe('fab-admins')
    expect(await roleOf([group, 'others'])).toBeUndefined()
  })

  test('text with several names is one group', async () => {
    expect(await roleOf('others fab-admins')).toBeUndefined()
    expect(await roleOf('fab-admins')).toBe('admin')
  })

  test('a name that all objects have is no claim', async () => {
    const odd = { ...settings, groupsClaim: 'constructor.name' }
    const verified = await signedOn()
    expect(() => accountOf(verified, odd)).toThrow(/no claim "constructor\.name"/)
  })
})

describe('a user is called', () => {
  const emailOf = async (claims: object) => accountOf(await signedOn(claims), settings).email

  test('by an email, unless the provider has not verified it', async () => {
    const email = 'boss@fab.example'
    expect(await emailOf({ email })).toBe(email)
    expect(await emailOf({ email, email_verified: false, preferred_username: 'ann@fab.example' })).toBe(
      'ann@fab.example',
    )
    expect(await emailOf({ email, email_verified: false })).toBe('ann@127.0.0.1')
    expect(await emailOf({ email, email_verified: 'false' })).toBe('ann@127.0.0.1')
    expect(await emailOf({ email, email_verified: 'true' })).toBe(email)
    expect(await emailOf({ email: 'no email', preferred_username: 'a b@c' })).toBe('a_b_c@127.0.0.1')
  })

  test('with groups at the path that the settings name', async () => {
    const nested = { ...settings, groupsClaim: 'realm_access.roles' }
    const verified = await signedOn({ groups: undefined, realm_access: { roles: [ENGINEERS] } })
    expect(accountOf(verified, nested).rule?.role).toBe('engineer')
    // A claim that is called so has precedence.
    const named = await signedOn({ 'realm_access.roles': [ADMINS], realm_access: { roles: [ENGINEERS] } })
    expect(accountOf(named, nested).rule?.role).toBe('admin')
  })
})

test('a scope for long sessions asks the user for consent', async () => {
  const scopes = ['openid', 'offline_access']
  const long = new OidcProvider({ ...settings, scopes }, systemClock)
  const asked = new URL(await long.authorizationUrl(CHECKS)).searchParams
  expect([asked.get('scope'), asked.get('prompt')]).toEqual(['openid offline_access', 'consent'])
  expect(new URL(await provider.authorizationUrl(CHECKS)).searchParams.get('prompt')).toBeNull()
  await long.close()
})

test('what each session keeps has a limit', async () => {
  await expect(signedOn({ sub: 'x'.repeat(256) })).rejects.toMatchObject({ code: 'sso_failed' })
  await expect(signedOn({ sub: '' })).rejects.toMatchObject({ code: 'sso_failed' })
  await expect(signedOn({ sub: 17 })).rejects.toMatchObject({ code: 'sso_failed' })
  const { tokens } = await signedOn({ sid: 's'.repeat(100_000) })
  expect(tokens).toEqual({ refreshToken: 'again' })
  at('/token', (response) => {
    response.setHeader('content-type', 'application/json')
    const body = { access_token: 'any', token_type: 'Bearer', refresh_token: 'r'.repeat(100_000) }
    response.end(JSON.stringify({ ...body, id_token: hostile.idToken }))
  })
  expect((await signedOn()).tokens.refreshToken).toBeUndefined()
  const { email, name } = accountOf(
    await signedOn({ email: 'a'.repeat(300_000), name: '\u202Egpj\u0007'.repeat(10_000) }),
    settings,
  )
  expect([email.length <= 254, name.length]).toEqual([true, 64])
})
