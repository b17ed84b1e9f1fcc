import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { endpoints } from '../../src/contract/endpoints.js'
import { TestProvider } from '../gateway/sign-on/identity-provider.js'
import { ANN, SignOnSite, signOnSettings } from '../gateway/sign-on/sign-on-site.js'
import { AUTHORITY, ISSUED_CERTIFICATE } from '../support/certificates.js'
import { freePort } from '../support/free-port.js'
import { HttpProxy } from './http-proxy.js'

let provider: TestProvider
let proxy: HttpProxy
let site: SignOnSite

const settings = (given: { readonly ca?: string; readonly proxy?: string }) => ({
  signOn: signOnSettings(provider, site?.url ?? '', { ca: AUTHORITY, proxy: proxy.url, ...given }),
})

beforeAll(async () => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  provider = await TestProvider.start({ publicUrls: [url], tls: ISSUED_CERTIFICATE })
  await provider.setUsers({ ann: ANN })
  proxy = await HttpProxy.listen()
  const signOn = signOnSettings(provider, url, { ca: AUTHORITY, proxy: proxy.url })
  site = await SignOnSite.start(port, { signOn })
})

afterEach(() => {
  proxy.refusal = undefined
})

afterAll(async () => {
  await site?.dispose()
  await proxy?.close()
  await provider?.dispose()
})

const begin = () => site.client().call(endpoints.beginDeviceSignOn, {})

test('a provider with a certificate of the company is reached over a proxy, and over nothing else', async () => {
  const login = await site.signOn('ann')
  site.later()
  expect((await site.refresh(login)).user.email).toBe(ANN.email)
  expect(new Set(proxy.targets)).toEqual(new Set([new URL(provider.issuer).host]))
  // What is not there any more cannot be bypassed.
  proxy.refusal = 403
  await site.restart(settings({}))
  await expect(begin()).rejects.toMatchObject({ code: 'sso_unavailable' })
})

test('a certificate of an authority that nobody trusts is refused over a proxy, too', async () => {
  await site.restart({ signOn: { ...settings({}).signOn, ca: undefined } })
  await expect(begin()).rejects.toMatchObject({
    code: 'sso_unavailable',
    message: expect.stringContaining('set auth.oidc.ca'),
  })
})

test('a provider is reached without a proxy by the same authority', async () => {
  const before = proxy.targets.length
  await site.restart({ signOn: { ...settings({}).signOn, proxy: undefined } })
  await site.signOn('ann')
  expect(proxy.targets).toHaveLength(before)
})

test.each([403, 407, 502])('a proxy that responds with %i is named with it', async (status) => {
  proxy.refusal = status
  await site.restart(settings({}))
  await expect(begin()).rejects.toMatchObject({
    code: 'sso_unavailable',
    message: expect.stringMatching(new RegExp(`The proxy ${proxy.url} .*${provider.issuer}.* ${status}`)),
  })
})

test('a proxy that is away, or never responds, is named', async () => {
  const away = `http://127.0.0.1:${await freePort()}`
  await site.restart(settings({ proxy: away }))
  await expect(begin()).rejects.toMatchObject({
    code: 'sso_unavailable',
    message: expect.stringMatching(new RegExp(`over the proxy ${away} .ECONNREFUSED`)),
  })
  proxy.refusal = 0
  await site.restart(settings({}))
  await expect(begin()).rejects.toMatchObject({
    code: 'sso_unavailable',
    message: expect.stringContaining(`did not respond in time over the proxy ${proxy.url}`),
  })
})
