import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GatewayClient } from '../../src/client/client.js'
import { endpoints } from '../../src/contract/endpoints.js'
import type { SignOnLogin } from '../../src/contract/topics/accounts/sign-on.js'
import { delay, systemClock } from '../../src/kit/clock.js'
import { CLIENT, TestProvider } from '../gateway/sign-on/identity-provider.js'
import { begunOnPage, exchanged, returned, signedOnByDevice } from '../gateway/sign-on/page-sign-on.js'
import { ANN, ENGINEERS } from '../gateway/sign-on/sign-on-site.js'
import { ADMIN, DaemonProcess, Home } from '../support/daemon-process.js'
import { freePort } from '../support/free-port.js'
import { until } from '../support/until.js'
import { PostgresServer } from './postgres-server.js'

const homes = [new Home(), new Home()]
let server: PostgresServer
let provider: TestProvider
let daemons: DaemonProcess[] = []
/** Addresses of the two daemons; browsers and the provider know the first alone. */
let one: string
let two: string

beforeAll(async () => {
  const ports = [await freePort(), await freePort()]
  ;[one, two] = ports.map((port) => `http://127.0.0.1:${port}`) as [string, string]
  provider = await TestProvider.start({ publicUrls: [one] })
  await provider.setUsers({ ann: ANN })
  server = await PostgresServer.start()
  const store = server.flags(await server.database())
  for (const [at, home] of homes.entries()) {
    const own = ['--node-name', `gateway-${at + 1}`, '--lease', '30s', '--hsms-host', '127.0.0.1']
    const flags = [...store, ...own, '--port', String(ports[at]), '--config', configured(home)]
    daemons = [...daemons, await DaemonProcess.start(home, flags)]
  }
  // Until one of them has the duties of the site, nobody can log in.
  for (const url of [one, two]) await until(() => loggedIn(url).catch(() => undefined))
})

afterAll(async () => {
  for (const daemon of daemons) await daemon.end('SIGTERM')
  await provider?.dispose()
  await server?.remove()
  for (const home of homes) home.dispose()
})

function configured(home: Home): string {
  writeFileSync(join(home.folder, 'secret'), CLIENT.secret, { mode: 0o600 })
  const file = join(home.folder, 'daemon.yaml')
  const oidc = [
    `issuer: ${provider.issuer}`,
    `client_id: ${CLIENT.id}`,
    'client_secret_file: secret',
    `public_url: ${one}`,
  ]
  const roles = `  roles:\n    - { group: ${ENGINEERS}, role: engineer }\n`
  writeFileSync(file, `auth:\n  oidc:\n${oidc.map((line) => `    ${line}\n`).join('')}${roles}`)
  return file
}

const loggedIn = (url: string) => new GatewayClient({ url }).call(endpoints.login, { body: ADMIN })
const whoami = (url: string, { token }: Pick<SignOnLogin, 'token'>) =>
  new GatewayClient({ url, token }).call(endpoints.getOwnUser, {})
const refreshed = (url: string, { session_token }: SignOnLogin) =>
  new GatewayClient({ url }).call(endpoints.refreshSignOn, { body: { session_token } })
/** What the provider has said counts for five seconds: the code of the error after that. A network asks 120 times a minute. */
const refusedLater = (url: string, login: SignOnLogin): Promise<string> =>
  until(async () => {
    await delay(systemClock, 500)
    return refreshed(url, login).then(() => undefined, codeOf)
  })
const codeOf = (error: unknown): string => (error as { readonly code: string }).code

/** Resolves with the code of the error with which both daemons refuse the token. */
const refusedByBoth = (login: SignOnLogin) =>
  Promise.all([one, two].map((url) => until(() => whoami(url, login).then(() => undefined, codeOf))))

test('who signs on at one daemon is known at the other, and each continues the session', async () => {
  const login = await signedOnByDevice(one, 'ann')
  expect(await whoami(two, login)).toMatchObject({ email: ANN.email, role: 'engineer' })
  const fresh = await refreshed(two, login)
  expect(await whoami(one, fresh)).toMatchObject({ email: ANN.email })
  await refreshed(one, login)
})

test('who has left all groups loses access at both, once one of them has asked', async () => {
  const login = await signedOnByDevice(one, 'ann')
  await provider.setUsers({ ann: { ...ANN, groups: [] } })
  expect(await refusedLater(one, login)).toBe('sso_no_access')
  expect(await refusedByBoth(login)).toEqual(['token_revoked', 'token_revoked'])
  await expect(refreshed(two, login)).rejects.toMatchObject({ code: 'token_revoked' })
  await provider.setUsers({ ann: ANN })
})

test('a logout that the provider tells one daemon ends the session at both, and its token counts at none again', async () => {
  const login = await signedOnByDevice(two, 'ann')
  const form = String(await provider.logout('ann'))
  expect(await refusedByBoth(login)).toEqual(['token_revoked', 'token_revoked'])
  const later = await signedOnByDevice(one, 'ann')
  for (const url of [two, one]) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const path = `${url}/api/v1/auth/sso/backchannel-logout`
    const response = await fetch(path, { method: 'POST', headers, body: form })
    expect([response.status, await response.json()]).toMatchObject([400, { error: 'invalid_request' }])
  }
  await whoami(two, later)
})

test('what one daemon has exchanged, the other refuses, and the session goes on', async () => {
  const { callback, verifier } = await begunOnPage(two, 'ann')
  const { code } = await returned(callback)
  const login = await exchanged(two, code, verifier)
  await expect(exchanged(one, code, verifier)).rejects.toMatchObject({ code: 'token_revoked' })
  const again = await returned(callback.replace(one, two))
  await expect(exchanged(one, again.code, verifier)).rejects.toMatchObject({ code: 'sso_failed' })
  // The provider still continues it: what it says of the groups is new.
  await provider.setUsers({ ann: { ...ANN, groups: [ENGINEERS, 'new'] } })
  await until(async () => {
    await delay(systemClock, 500)
    const fresh = await refreshed(two, login)
    return (await whoami(two, fresh)).sign_on?.groups.includes('new')
  })
  await provider.setUsers({ ann: ANN })
})

test('a browser that comes back to both at once has one session', async () => {
  const { callback, verifier } = await begunOnPage(one, 'ann')
  const results = await Promise.all([callback, callback.replace(one, two)].map(returned))
  const outcomes = await Promise.all(
    results.map(({ code }) => exchanged(two, code, verifier).then(() => 'session', codeOf)),
  )
  expect(outcomes.toSorted()).toEqual(['session', 'sso_failed'])
})

test('a provider that changes its keys, is killed and comes back is the same for both', async () => {
  const login = await signedOnByDevice(one, 'ann')
  await provider.rotate()
  for (const url of [two, one]) await signedOnByDevice(url, 'ann')
  await provider.kill()
  for (const url of [one, two]) {
    expect(await refusedLater(url, login)).toBe('sso_unavailable')
    await whoami(url, login)
    await loggedIn(url)
  }
  await provider.begin()
  for (const url of [two, one]) await refreshed(url, login)
  await expect(refreshed(two, login)).resolves.toMatchObject({ user: { email: ANN.email } })
})

test('a local administrator who logs in at one is an event at both, and a logout at one is one at both', async () => {
  const { token } = await loggedIn(two)
  for (const url of [one, two]) {
    const client = new GatewayClient({ url, token })
    const query = { name: ['break_glass_login'], limit: 1 }
    await until(async () => (await client.call(endpoints.listEvents, { query })).items.length === 1)
  }
  const login = await signedOnByDevice(one, 'ann')
  const { session_token } = login
  const ended = await new GatewayClient({ url: two }).call(endpoints.endSignOn, { body: { session_token } })
  expect(ended.end_session_url).toContain(provider.issuer)
  expect(await refusedByBoth(login)).toEqual(['token_revoked', 'token_revoked'])
})
