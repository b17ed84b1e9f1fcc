import { createHash, randomBytes } from 'node:crypto'
import { GatewayClient } from '../../../src/client/client.js'
import { endpoints } from '../../../src/contract/endpoints.js'
import type { SignOnLogin } from '../../../src/contract/topics/accounts/sign-on.js'
import { FormBrowser, signOnAs } from './form-browser.js'

// A sign-on in a page, in the steps of the page and of its browser. `url`: of the daemon that is called.

export const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')
export const newVerifier = () => randomBytes(32).toString('base64url')

export const CALLBACK = '/api/v1/auth/sso/callback'

/** Goes through the provider, up to the address at which it sends the browser back. */
export async function begunOnPage(url: string, user: string, return_to = '/alarms?show=active') {
  const verifier = newVerifier()
  const body = { challenge: challengeOf(verifier), return_to }
  const { url: address } = await new GatewayClient({ url }).call(endpoints.beginPageSignOn, { body })
  const browser = new FormBrowser((at) => new URL(at).pathname === CALLBACK)
  await browser.open(address)
  await signOnAs(browser, user)
  return { callback: browser.url, verifier }
}

/** Where the gateway sends the browser on, and the result in its fragment. */
export async function returned(callback: string) {
  const response = await fetch(callback, { redirect: 'manual' })
  const location = response.headers.get('location') ?? ''
  return { status: response.status, location, code: /#sso=(.+)$/.exec(location)?.[1] ?? '' }
}

export const exchanged = (url: string, code: string, verifier: string): Promise<SignOnLogin> =>
  new GatewayClient({ url }).call(endpoints.exchangePageSignOn, { body: { code, verifier } })

/** Signs on by the device flow, as the command line does. */
export async function signedOnByDevice(url: string, user: string, ca?: string): Promise<SignOnLogin> {
  const client = new GatewayClient({ url })
  const { device_code, verification_uri_complete } = await client.call(endpoints.beginDeviceSignOn, {})
  const browser = new FormBrowser(undefined, ca)
  await browser.open(verification_uri_complete ?? '')
  await signOnAs(browser, user)
  return client.call(endpoints.exchangeDeviceSignOn, { body: { device_code } })
}
