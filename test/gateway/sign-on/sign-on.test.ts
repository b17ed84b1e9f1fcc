import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { RequestLimit } from '../../../src/gateway/sign-on/request-limit.js'
import { systemClock } from '../../../src/kit/clock.js'
import { deferred } from '../../../src/kit/deferred.js'
import { ManualClock } from '../../support/manual-clock.js'
import { HostileProvider } from './hostile-provider.js'
import { CHALLENGE, responseTo, signOnDaemons, VERIFIER } from './sign-on-daemons.js'

const HERE = '192.0.2.1'
const LOGOUT = { 'http://schemas.openid.net/event/backchannel-logout': {} }

let provider: HostileProvider
/** Milliseconds by which the clock of the gateway is ahead. */
let ahead = 0
const clock = { ...systemClock, date: () => new Date(Date.now() + ahead) }

beforeAll(async () => {
  provider = await HostileProvider.listen()
})
afterAll(() => provider.close())
beforeEach(() => {
  ahead = 0
})

function daemon() {
  const { signOn, accounts } = signOnDaemons(provider, clock)()
  onTestFinished(() => signOn.close())
  return { signOn, accounts }
}

/** Signs on as a page does, up to what the browser comes back with. */
async function returned(
  signOn: ReturnType<typeof daemon>['signOn'],
  given: Parameters<typeof responseTo>[2] = {},
) {
  const { url } = await signOn.beginPage({ challenge: CHALLENGE }, HERE)
  const place = await signOn.returned(await responseTo(provider, url, given), HERE)
  return new URL(place).hash.replace('#sso=', '')
}

test('an error with long texts of others comes to the page', async () => {
  const { signOn } = daemon()
  const groups = Array.from({ length: 30 }, (_, at) => `${at}${'\u6210"'.repeat(120)}`)
  const code = await returned(signOn, { groups })
  // As long as the API takes it, and browsers take an address.
  expect(code.length).toBeLessThan(8000)
  await expect(signOn.exchangePage({ code, verifier: VERIFIER })).rejects.toMatchObject({
    code: 'sso_no_access',
    message: expect.stringMatching(/Its groups: 0\u6210.* \u2026$/),
  })
})

test('a place to return to is as long as it is when it is encoded', async () => {
  const { signOn } = daemon()
  const begin = (return_to: string) => signOn.beginPage({ challenge: CHALLENGE, return_to }, HERE)
  await expect(begin(`/${'\u6210'.repeat(1000)}`)).rejects.toMatchObject({ code: 'invalid_request' })
  const { url } = await begin(`/${'a'.repeat(1000)}`)
  const place = await signOn.returned(await responseTo(provider, url), HERE)
  expect(new URL(place).pathname).toBe(`/${'a'.repeat(1000)}`)
})

test('a code is asked about once, also of a provider that would take it again', async () => {
  const { signOn } = daemon()
  const { url } = await signOn.beginPage({ challenge: CHALLENGE }, HERE)
  const query = await responseTo(provider, url, { code: 'one' })
  await signOn.returned(query, HERE)
  const asked = provider.asked.length
  const again = new URL(await signOn.returned(query, HERE)).hash.replace('#sso=', '')
  expect(provider.asked).toHaveLength(asked)
  await expect(signOn.exchangePage({ code: again, verifier: VERIFIER })).rejects.toMatchObject({
    code: 'sso_failed',
  })
})

test('a sign-on ends when the clock of the gateway jumps, and says so', async () => {
  const { signOn } = daemon()
  const { url } = await signOn.beginPage({ challenge: CHALLENGE }, HERE)
  const query = await responseTo(provider, url, { code: 'jump' })
  ahead = 60 * 60_000
  const code = new URL(await signOn.returned(query, HERE)).hash.replace('#sso=', '')
  await expect(signOn.exchangePage({ code, verifier: VERIFIER })).rejects.toMatchObject({
    code: 'sso_failed',
    message: expect.stringContaining('Begin again'),
  })
})

test('a logout ends a session that began before the clock was set back', async () => {
  const { signOn, accounts } = daemon()
  ahead = 50_000
  const code = await returned(signOn, { code: 'back', sid: 's1' })
  const { token } = await signOn.exchangePage({ code, verifier: VERIFIER })
  ahead = -60 * 60_000
  // The provider's clock is that of before.
  provider.ahead = ahead
  const logout = await provider.token({ events: LOGOUT, jti: 'set-back', sid: 's1' })
  provider.ahead = 0
  expect(await signOn.backChannel(logout, HERE)).toMatchObject({ sessions: 1 })
  await expect(accounts.authenticate(token)).rejects.toMatchObject({ code: 'token_revoked' })
})

test('a logout token counts once, whichever daemon of the site it comes to', async () => {
  const site = signOnDaemons(provider, clock)
  const daemons = [site(), site()]
  onTestFinished(async () => {
    for (const { signOn } of daemons) await signOn.close()
  })
  const logout = await provider.token({ events: LOGOUT, jti: 'once', sub: 'nobody' })
  const [one, two] = daemons
  expect(await one?.signOn.backChannel(logout, HERE)).toMatchObject({ sessions: 0 })
  for (const daemon of [two, one])
    await expect(daemon?.signOn.backChannel(logout, HERE)).rejects.toMatchObject({ code: 'sso_failed' })
  // At the same time, one of them has it.
  const again = await provider.token({ events: LOGOUT, jti: 'twice', sub: 'nobody' })
  const both = await Promise.allSettled(daemons.map(({ signOn }) => signOn.backChannel(again, HERE)))
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('one network does not take all requests to the provider', async () => {
  const limit = new RequestLimit(new ManualClock())
  const { promise, resolve } = deferred<void>()
  const from = (address: string, count: number) =>
    Array.from({ length: count }, () =>
      limit
        .run(address, () => promise)
        .then(
          () => 'served',
          () => 'refused',
        ),
    )
  const greedy = from('192.0.2.1', 100)
  const others = Array.from({ length: 40 }, (_, at) => from(`198.51.${at}.1`, 1)).flat()
  resolve()
  expect((await Promise.all(greedy)).filter((one) => one === 'served')).toHaveLength(16)
  expect(new Set(await Promise.all(others))).toEqual(new Set(['served']))
})

test('who is refused since others are being served comes again soon, and who calls too often later', async () => {
  const limit = new RequestLimit(new ManualClock())
  const { promise, resolve } = deferred<void>()
  const under = Array.from({ length: 16 }, () => limit.run('192.0.2.1', () => promise))
  const refused = (retry_after: number) => ({ code: 'rate_limited', extra: { retry_after } })
  await expect(limit.run('192.0.2.1', () => promise)).rejects.toMatchObject(refused(2))
  resolve()
  await Promise.all(under)
  for (let call = 16; call < 120; call++) await limit.run('192.0.2.1', async () => {})
  await expect(limit.run('192.0.2.1', async () => {})).rejects.toMatchObject(refused(60))
})

test('a session that the provider gives nothing to continue ends with its token, and says which scope is missing', async () => {
  const { signOn } = daemon()
  provider.override = (path, response) => {
    if (path !== '/token') return false
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ access_token: 'a', token_type: 'Bearer', id_token: provider.idToken }))
    return true
  }
  const code = await returned(signOn, { code: 'short' })
  provider.override = () => false
  const { renewable, session_token } = await signOn.exchangePage({ code, verifier: VERIFIER })
  expect(renewable).toBe(false)
  ahead = 10_000
  await expect(signOn.refresh(session_token, HERE)).rejects.toMatchObject({
    code: 'sso_no_access',
    message: expect.stringContaining('offline_access'),
  })
  await expect(signOn.refresh(session_token, HERE)).rejects.toMatchObject({ code: 'token_revoked' })
})

test.each(['/me', '/keys'])(
  'a fault of %s after the refresh token was exchanged ends no session',
  async (path) => {
    const { signOn, accounts } = daemon()
    const code = await returned(signOn, { code: path })
    const { session_token } = await signOn.exchangePage({ code, verifier: VERIFIER })
    ahead = 10_000
    provider.idToken = await provider.token({ groups: undefined }, path === '/keys' ? 'other' : 'own')
    provider.override = (asked, response) => {
      if (asked !== path && asked !== '/token') return false
      const tokens = {
        access_token: 'a',
        token_type: 'Bearer',
        refresh_token: 'next',
        id_token: provider.idToken,
      }
      response.writeHead(asked === path ? 503 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(tokens))
      return true
    }
    await expect(signOn.refresh(session_token, HERE)).rejects.toMatchObject({ code: 'sso_unavailable' })
    provider.override = () => false
    const again = await accounts.company.check({ token: session_token })
    expect(again).toMatchObject({ kind: 'ask', tokens: { refreshToken: 'next' } })
  },
)

test('users who share an address continue their sessions, and a stranger of that address is counted', async () => {
  const { signOn } = daemon()
  const code = await returned(signOn, { code: 'shared' })
  const { session_token, user } = await signOn.exchangePage({ code, verifier: VERIFIER })
  const wrong = `${session_token.slice(0, -1)}${session_token.endsWith('A') ? 'B' : 'A'}`
  const outcomes: string[] = []
  for (let call = 0; call < 200; call++)
    outcomes.push(
      await signOn.refresh(wrong, HERE).then(
        () => 'served',
        ({ code }) => code,
      ),
    )
  expect(new Set(outcomes)).toEqual(new Set(['token_revoked', 'rate_limited']))
  for (let call = 0; call < 200; call++)
    expect((await signOn.refresh(session_token, HERE)).user.id).toBe(user.id)
})
