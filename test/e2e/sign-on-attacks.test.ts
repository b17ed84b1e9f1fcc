import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoints } from '../../src/contract/endpoints.js'
import type { SignOnLogin } from '../../src/contract/topics/accounts/sign-on.js'
import { FormBrowser, signOnAs } from '../gateway/sign-on/form-browser.js'
import { HostileProvider } from '../gateway/sign-on/hostile-provider.js'
import { TestProvider } from '../gateway/sign-on/identity-provider.js'
import {
  begunOnPage,
  challengeOf,
  exchanged,
  newVerifier,
  returned,
} from '../gateway/sign-on/page-sign-on.js'
import { ANN, ENGINEERS, SignOnSite, signOnSettings } from '../gateway/sign-on/sign-on-site.js'
import { freePort } from '../support/free-port.js'

let provider: TestProvider
let site: SignOnSite

beforeAll(async () => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  provider = await TestProvider.start({ publicUrls: [url] })
  await provider.setUsers({ ann: ANN, mallory: { ...ANN, email: 'mallory@fab.example' } })
  site = await SignOnSite.start(port, { signOn: signOnSettings(provider, url) })
})

afterAll(async () => {
  await site?.dispose()
  await provider?.dispose()
})

/** Goes through the provider as the page does, up to the address at which it sends the browser back. */
const begun = (user: string) => begunOnPage(site.url, user)
const exchange = (code: string, verifier: string): Promise<SignOnLogin> => exchanged(site.url, code, verifier)

/** A callback with other parameters. */
function altered(callback: string, change: Readonly<Record<string, string>>): string {
  const url = new URL(callback)
  for (const [name, value] of Object.entries(change)) url.searchParams.set(name, value)
  return url.href
}

test('a page signs on, and is back where it was', async () => {
  const { callback, verifier } = await begun('ann')
  const { status, location, code } = await returned(callback)
  expect([status, location.split('#')[0]]).toEqual([302, `${site.url}/alarms?show=active`])
  const { user, token } = await exchange(code, verifier)
  expect(user.role).toBe('engineer')
  expect(await site.client(token).call(endpoints.getOwnUser, {})).toMatchObject({ email: ANN.email })
})

test('a result is exchanged once', async () => {
  const { callback, verifier } = await begun('ann')
  const { code } = await returned(callback)
  await exchange(code, verifier)
  await expect(exchange(code, verifier)).rejects.toMatchObject({ code: 'token_revoked' })
})

test('a code of the provider is taken once, and what it is repeated for is refused', async () => {
  const { callback, verifier } = await begun('ann')
  await returned(callback)
  const { code } = await returned(callback)
  await expect(exchange(code, verifier)).rejects.toMatchObject({ code: 'sso_failed' })
})

test('a browser that goes back to the address of its sign-on does not end the session', async () => {
  const { callback, verifier } = await begun('ann')
  const { code } = await returned(callback)
  const login = await exchange(code, verifier)
  // A provider that is asked for the tokens of a code twice ends those of the first time.
  await returned(callback)
  site.later()
  expect((await site.refresh(login)).user.email).toBe(ANN.email)
})

test('a program that only looks at the address of a sign-on (HEAD) does not use it up', async () => {
  const { callback, verifier } = await begun('ann')
  const response = await fetch(callback, { method: 'HEAD', redirect: 'manual' })
  expect([response.status, response.headers.get('location')]).toEqual([405, null])
  const { code } = await returned(callback)
  expect((await exchange(code, verifier)).user.email).toBe(ANN.email)
})

test('login CSRF: the result of somebody else is of no use in a tab that has not begun it', async () => {
  const { callback } = await begun('mallory')
  const { code } = await returned(callback)
  await expect(exchange(code, newVerifier())).rejects.toMatchObject({ code: 'sso_failed' })
  await expect(exchange(code, 'none')).rejects.toMatchObject({ code: 'sso_failed' })
})

test('a state that is not of this gateway, and that of another sign-on, are refused', async () => {
  const { callback, verifier } = await begun('ann')
  const made = await returned(altered(callback, { state: 'bWFkZSB1cA' }))
  expect(made.location.split('#')[0]).toBe(`${site.url}/`)
  await expect(exchange(made.code, verifier)).rejects.toMatchObject({ code: 'sso_failed' })
  const other = await begun('mallory')
  const state = new URL(other.callback).searchParams.get('state') ?? ''
  const mixed = await returned(altered(callback, { state }))
  await expect(exchange(mixed.code, other.verifier)).rejects.toMatchObject({ code: 'sso_failed' })
})

test('a response that names another issuer is refused (mix-up)', async () => {
  const { callback, verifier } = await begun('ann')
  const { code } = await returned(altered(callback, { iss: 'https://other.example' }))
  await expect(exchange(code, verifier)).rejects.toMatchObject({ code: 'sso_failed' })
})

test.each(['https://evil.example', '//evil.example/', '/\\evil.example', '/.//evil.example', 'alarms'])(
  'the page does not return to %s',
  async (return_to) => {
    const body = { challenge: challengeOf('any'), return_to }
    await expect(site.client().call(endpoints.beginPageSignOn, { body })).rejects.toMatchObject({
      code: 'invalid_request',
    })
  },
)

test('the redirect address is that of the settings, whatever the Host header is', async () => {
  const response = await fetch(`${site.url}/api/v1/auth/sso/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-host': 'evil.example' },
    body: JSON.stringify({ challenge: challengeOf('any') }),
  })
  const { url } = (await response.json()) as { url: string }
  expect(new URL(url).searchParams.get('redirect_uri')).toBe(`${site.url}/api/v1/auth/sso/callback`)
})

test('the code of a device is exchanged once, and one that was not made here is refused', async () => {
  const client = site.client()
  const { device_code, verification_uri_complete } = await client.call(endpoints.beginDeviceSignOn, {})
  const wanted = { body: { device_code } }
  await expect(client.call(endpoints.exchangeDeviceSignOn, wanted)).rejects.toMatchObject({
    code: 'sso_pending',
  })
  const browser = new FormBrowser()
  await browser.open(verification_uri_complete ?? '')
  await signOnAs(browser, 'ann')
  await client.call(endpoints.exchangeDeviceSignOn, wanted)
  await expect(client.call(endpoints.exchangeDeviceSignOn, wanted)).rejects.toMatchObject({
    code: 'sso_failed',
  })
  await expect(
    client.call(endpoints.exchangeDeviceSignOn, { body: { device_code: 'made-up' } }),
  ).rejects.toMatchObject({ code: 'sso_failed' })
})

test('the token of a session is good for that alone', async () => {
  const { session_token } = await site.signOn('ann')
  const [id = ''] = session_token.split('.')
  for (const wrong of [`${id}.${'A'.repeat(43)}`, id, `${session_token}x`])
    await expect(site.refresh({ session_token: wrong })).rejects.toMatchObject({ code: 'token_revoked' })
  await expect(site.client(session_token).call(endpoints.getOwnUser, {})).rejects.toMatchObject({
    code: 'unauthenticated',
  })
})

test('the API takes no token of the provider', async () => {
  const hostile = await HostileProvider.listen()
  const token = await hostile.token({ iss: provider.issuer, sub: 'ann', groups: [ENGINEERS] })
  await hostile.close()
  await expect(site.client(token).call(endpoints.getOwnUser, {})).rejects.toMatchObject({
    code: 'unauthenticated',
  })
})

test('an account with the email of a local user takes nothing over', async () => {
  const admin = await site.admin()
  const eve = {
    email: 'eve@fab.example',
    name: 'Eve',
    role: 'admin',
    password: 'a long enough password',
  } as const
  const local = await admin.call(endpoints.createUser, { body: eve })
  await provider.setUsers({ eve: { ...ANN, email: 'Eve@fab.example' }, ann: ANN })
  await expect(site.signOn('eve')).rejects.toMatchObject({ code: 'email_taken' })
  expect(await admin.call(endpoints.getUser, { params: { id: local.id } })).toMatchObject({
    role: 'admin',
    sign_on: null,
  })
})

test('a group that begins like one of a rule is another group', async () => {
  const groups = ['fab-etch', `${ENGINEERS}-interns`, ENGINEERS.toUpperCase()]
  await provider.setUsers({ ivy: { ...ANN, email: 'ivy@fab.example', groups }, ann: ANN })
  await expect(site.signOn('ivy')).rejects.toMatchObject({
    code: 'sso_no_access',
    message: expect.stringContaining(`${ENGINEERS}-interns`),
  })
})
