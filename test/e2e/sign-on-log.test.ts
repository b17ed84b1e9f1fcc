import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoints } from '../../src/contract/endpoints.js'
import { CLIENT, TestProvider } from '../gateway/sign-on/identity-provider.js'
import { begunOnPage, challengeOf, exchanged, returned } from '../gateway/sign-on/page-sign-on.js'
import { ANN, SignOnSite, signOnSettings } from '../gateway/sign-on/sign-on-site.js'
import { requireDocumented } from '../support/api-document.js'
import { freePort } from '../support/free-port.js'

let provider: TestProvider
let site: SignOnSite
let log = ''

beforeAll(async () => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  provider = await TestProvider.start({ publicUrls: [url] })
  await provider.setUsers({ ann: ANN })
  const write = (line: string): void => {
    log += line
  }
  site = await SignOnSite.start(port, {
    signOn: signOnSettings(provider, url),
    log: pino({ level: 'trace' }, { write }),
  })
})

afterAll(async () => {
  await site?.dispose()
  await provider?.dispose()
})

test('neither the log nor the audit has a code, a token or the secret of the client', async () => {
  const secrets: string[] = [CLIENT.secret]
  const { callback, verifier } = await begunOnPage(site.url, 'ann')
  const asked = new URL(callback).searchParams
  const { code } = await returned(callback)
  const page = await exchanged(site.url, code, verifier)
  await returned(callback)
  secrets.push(asked.get('code') ?? '', asked.get('state') ?? '', code, verifier)
  secrets.push(page.token, page.session_token)

  const device = await site.signOn('ann')
  site.later()
  const fresh = await site.refresh(device)
  secrets.push(device.token, device.session_token, fresh.token)
  secrets.push(new URLSearchParams(String(await provider.logout('ann'))).get('logout_token') ?? '')
  await site.client().call(endpoints.endSignOn, { body: { session_token: page.session_token } })

  const again = await site.signOn('ann')
  const late = await begunOnPage(site.url, 'ann')
  await provider.kill()
  site.later()
  await expect(site.refresh(again)).rejects.toMatchObject({ code: 'sso_unavailable' })
  await returned(late.callback)
  secrets.push(again.token, again.session_token, new URL(late.callback).searchParams.get('code') ?? '')
  await provider.begin()

  const { items } = await (await site.admin()).call(endpoints.listAudit, { query: { limit: 1000 } })
  const written = log + JSON.stringify(items)
  expect(written).toContain('/api/v1/auth/sso/callback')
  expect(written).toContain('backChannelLogout')
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(20)
    expect(written).not.toContain(secret)
    // Of a token, the signature alone would be enough.
    expect(written).not.toContain(secret.slice(-20))
  }
})

test('who has no session leaves nothing in the audit', async () => {
  const admin = await site.admin()
  const ends = async () =>
    (await admin.call(endpoints.listAudit, { query: { action: ['endSignOn'], limit: 1000 } })).items
  const before = (await ends()).length
  const made = [`sso_${'a'.repeat(10)}.${'A'.repeat(43)}`, 'any', 'x'.repeat(4096)]
  for (const session_token of made)
    expect(await site.client().call(endpoints.endSignOn, { body: { session_token } })).toEqual({
      end_session_url: null,
    })
  expect(await ends()).toHaveLength(before)
  const { session_token } = await site.signOn('ann')
  await site.client().call(endpoints.endSignOn, { body: { session_token } })
  expect((await ends())[0]).toMatchObject({ user: 'ann@fab.example', status: 200 })
  expect(await ends()).toHaveLength(before + 1)
})

test('the audit says whose account was refused, and in which groups it is', async () => {
  const groups = ['visitors', 'etch\u001b[31m']
  await provider.setUsers({
    ann: ANN,
    eve: { groups, email: 'eve@fab.example', email_verified: true },
  })
  const newest = async (action: 'exchangePageSignOn' | 'exchangeDeviceSignOn' | 'refreshSignOn') => {
    const { items } = await (await site.admin()).call(endpoints.listAudit, {
      query: { action: [action], limit: 1 },
    })
    return items[0]
  }
  const refused = {
    code: 'sso_no_access',
    // A terminal shows it.
    message: expect.stringMatching(/visitors, etch \[31m/),
  }
  const entry = {
    user: null,
    code: 'sso_no_access',
    details: { issuer: provider.issuer, subject: 'eve', groups },
  }
  await expect(site.signOn('eve')).rejects.toMatchObject(refused)
  expect(await newest('exchangeDeviceSignOn')).toMatchObject(entry)
  const { callback, verifier } = await begunOnPage(site.url, 'eve')
  const { code } = await returned(callback)
  await expect(exchanged(site.url, code, verifier)).rejects.toMatchObject(refused)
  expect(await newest('exchangePageSignOn')).toMatchObject(entry)

  const ann = await site.signOn('ann')
  await provider.setUsers({ ann: { groups, email: 'ann@fab.example', email_verified: true } })
  site.later()
  await expect(site.refresh(ann)).rejects.toMatchObject(refused)
  const lost = { user: 'ann@fab.example', details: { subject: 'ann', groups } }
  expect(await newest('refreshSignOn')).toMatchObject(lost)
  await provider.setUsers({ ann: ANN })
})

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const JSON_BODY = { 'content-type': 'application/json' }
const post = (headers: Record<string, string>, body: string): RequestInit => ({
  method: 'POST',
  headers,
  body,
})

const CALLS: readonly (readonly [path: string, given: RequestInit, status: number])[] = [
  ['', {}, 200],
  ['/device', post(JSON_BODY, '{}'), 200],
  ['/login', post(JSON_BODY, JSON.stringify({ challenge: challengeOf('any') })), 200],
  ['/session', post(JSON_BODY, JSON.stringify({ code: 'any', verifier: 'any' })), 401],
  ['/token', post(JSON_BODY, JSON.stringify({ device_code: 'any' })), 401],
  ['/refresh', post(JSON_BODY, JSON.stringify({ session_token: 'any' })), 401],
  ['/logout', post(JSON_BODY, JSON.stringify({ session_token: 'any' })), 200],
  ['/callback', {}, 302],
  ['/callback?code=any&state=any', {}, 302],
  ['/callback?error=access_denied&state=%00', {}, 400],
  ['/backchannel-logout', post(FORM, 'logout_token=any'), 400],
  ['/backchannel-logout', post(FORM, ''), 400],
  ['/backchannel-logout', post(JSON_BODY, '{"logout_token":"any"}'), 415],
  ['/backchannel-logout', post(FORM, `logout_token=${'a'.repeat(100_000)}`), 413],
]

test.each(CALLS)('%s %o is documented, kept in no cache, and sets no cookie', async (path, given, status) => {
  const url = `/api/v1/auth/sso${path}`
  const response = await fetch(site.url + url, { ...given, redirect: 'manual' })
  const { headers } = response
  expect(response.status).toBe(status)
  expect([headers.get('cache-control'), headers.getSetCookie()]).toEqual(['no-store', []])
  requireDocumented({
    method: given.method ?? 'GET',
    url,
    status,
    header: (name) => headers.get(name) ?? undefined,
    body: await response.text(),
  })
})

test('without sign-on, the addresses for the provider say so', async () => {
  await site.restart({ signOn: undefined })
  for (const [path, given] of [CALLS[8], CALLS[10]].flatMap((call) => (call ? [call] : []))) {
    const url = `/api/v1/auth/sso${path}`
    const response = await fetch(site.url + url, { ...given, redirect: 'manual' })
    const body = await response.text()
    expect([response.status, JSON.parse(body).code]).toEqual([409, 'sso_disabled'])
    const header = (name: string) => response.headers.get(name) ?? undefined
    requireDocumented({ method: given.method ?? 'GET', url, status: 409, header, body })
  }
})
