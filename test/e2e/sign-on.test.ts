import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoints } from '../../src/contract/endpoints.js'
import { TestProvider } from '../gateway/sign-on/identity-provider.js'
import { ADMINS, ENGINEERS, SignOnSite, signOnSettings } from '../gateway/sign-on/sign-on-site.js'
import { freePort } from '../support/free-port.js'

let provider: TestProvider
let site: SignOnSite

const USERS = {
  ann: { groups: ['everybody', ENGINEERS], email: 'ann@fab.example', email_verified: true },
  bob: { groups: [ENGINEERS, ADMINS], email: 'bob@fab.example', email_verified: true },
}

beforeAll(async () => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  provider = await TestProvider.start({ publicUrls: [url] })
  await provider.setUsers(USERS)
  site = await SignOnSite.start(port, { signOn: signOnSettings(provider, url) })
})

afterAll(async () => {
  await site?.dispose()
  await provider?.dispose()
})

test('a user signs on by the device flow, and has the rights of the first rule that names a group', async () => {
  const { token, user, renewable } = await site.signOn('ann')
  expect(user).toMatchObject({ email: 'ann@fab.example', name: 'ann', role: 'engineer' })
  expect(renewable).toBe(true)
  expect(await site.client(token).call(endpoints.getOwnUser, {})).toMatchObject({
    label_selector: 'area=etch',
    sign_on: { issuer: provider.issuer, subject: 'ann', rule: ENGINEERS, groups: [ENGINEERS, 'everybody'] },
  })
  expect((await site.signOn('bob')).user.role).toBe('admin')
  const { items } = await (await site.admin()).call(endpoints.listAudit, {
    query: { action: ['exchangeDeviceSignOn'] },
  })
  expect(items).toMatchObject([
    { user: 'bob@fab.example' },
    {
      user: 'ann@fab.example',
      status: 200,
      details: { issuer: provider.issuer, subject: 'ann', groups: [ENGINEERS, 'everybody'], rule: ENGINEERS },
    },
  ])
})

test('who has left all groups loses access at the next exchange, and all tokens end at once', async () => {
  await provider.setUsers({ ...USERS, cat: { ...USERS.ann, email: 'cat@fab.example' } })
  const [one, two] = [await site.signOn('cat'), await site.signOn('cat')]
  await provider.setUsers({
    ...USERS,
    cat: { ...USERS.ann, email: 'cat@fab.example', groups: ['everybody'] },
  })
  site.later()
  await expect(site.refresh(one)).rejects.toMatchObject({ code: 'sso_no_access' })
  for (const { token } of [one, two])
    await expect(site.client(token).call(endpoints.getOwnUser, {})).rejects.toMatchObject({
      code: 'token_revoked',
    })
  await expect(site.refresh(two)).rejects.toMatchObject({ code: 'token_revoked' })
})

test('other groups give other rights at the next exchange', async () => {
  await provider.setUsers({ ...USERS, dan: { ...USERS.ann, email: 'dan@fab.example' } })
  const login = await site.signOn('dan')
  await provider.setUsers({ ...USERS, dan: { ...USERS.bob, email: 'dan@fab.example' } })
  site.later()
  const { user, token } = await site.refresh(login)
  expect(user.role).toBe('admin')
  expect(await site.client(token).call(endpoints.getOwnUser, {})).toMatchObject({ label_selector: null })
})

test('who is disabled at the provider gets no further token', async () => {
  await provider.setUsers({ ...USERS, eva: { ...USERS.ann, email: 'eva@fab.example' } })
  const login = await site.signOn('eva')
  await provider.setUsers({ ...USERS, eva: { ...USERS.ann, email: 'eva@fab.example', disabled: true } })
  site.later()
  await expect(site.refresh(login)).rejects.toMatchObject({ code: 'sso_no_access' })
  await expect(site.client(login.token).call(endpoints.getOwnUser, {})).rejects.toMatchObject({
    code: 'token_revoked',
  })
})

test('a logout that the provider tells ends all sessions of the account at once', async () => {
  const [one, other] = [await site.signOn('ann'), await site.signOn('bob')]
  await provider.logout('ann')
  await expect(site.client(one.token).call(endpoints.getOwnUser, {})).rejects.toMatchObject({
    code: 'token_revoked',
  })
  await expect(site.refresh(one)).rejects.toMatchObject({ code: 'token_revoked' })
  await site.client(other.token).call(endpoints.getOwnUser, {})
})

test('several calls that continue a session at once ask the provider once', async () => {
  const login = await site.signOn('ann')
  site.later()
  // The provider takes a refresh token once: a second request with it would end the session.
  const fresh = await Promise.all([1, 2, 3].map(() => site.refresh(login)))
  site.later()
  await site.refresh(login)
  expect(new Set(fresh.map(({ user }) => user.email))).toEqual(new Set(['ann@fab.example']))
})

test('while the provider is away, tokens last, and local administrators log in', async () => {
  const login = await site.signOn('ann')
  await provider.kill()
  site.later()
  await expect(site.refresh(login)).rejects.toMatchObject({ code: 'sso_unavailable' })
  await expect(site.client().call(endpoints.beginDeviceSignOn, {})).rejects.toMatchObject({
    code: 'sso_unavailable',
    message: expect.stringContaining(provider.issuer),
  })
  await site.client(login.token).call(endpoints.getOwnUser, {})
  await site.admin()
  await provider.begin()
  expect((await site.refresh(login)).user.email).toBe('ann@fab.example')
})

test('the provider signs with other keys from now on', async () => {
  const login = await site.signOn('ann')
  await provider.rotate()
  // The gateway reads the keys at most once a second.
  site.later()
  await site.refresh(login)
  await site.signOn('bob')
})

test.each([{ clientSecret: 'a wrong secret' }, { clientId: 'other' }])(
  'a client that the provider does not know (%o) is told what to compare',
  async (wrong) => {
    await site.restart({ signOn: signOnSettings(provider, site.url, wrong) })
    await expect(site.client().call(endpoints.beginDeviceSignOn, {})).rejects.toMatchObject({
      code: 'sso_failed',
      message: expect.stringContaining('compare auth.oidc.client_id and client_secret_file'),
    })
    await site.restart()
  },
)

test('an API key of an administrator ends with the groups of the administrator', async () => {
  const { token, ...login } = await site.signOn('bob')
  const { key } = await site
    .client(token)
    .call(endpoints.createKey, { body: { name: 'mes', role: 'viewer', expires_at: null } })
  await site.client(key).call(endpoints.getOwnKey, {})
  await provider.setUsers({ ...USERS, bob: { ...USERS.bob, groups: [ENGINEERS] } })
  site.later()
  expect((await site.refresh(login)).user.role).toBe('engineer')
  await expect(site.client(key).call(endpoints.getOwnKey, {})).rejects.toMatchObject({
    code: 'token_revoked',
  })
  await provider.setUsers(USERS)
})

test('admins-only takes the passwords of local administrators alone, also for tokens of before', async () => {
  const admin = await site.admin()
  const zoe = { email: 'zoe@fab.example', password: 'a long enough password' } as const
  await admin.call(endpoints.createUser, { body: { ...zoe, name: 'Zoe', role: 'engineer' } })
  const { token } = await site.client().call(endpoints.login, { body: zoe })
  await site.restart({ localLogins: 'admins-only' })
  await expect(site.client().call(endpoints.login, { body: zoe })).rejects.toMatchObject({
    code: 'sso_required',
  })
  await expect(site.client(token).call(endpoints.getOwnUser, {})).rejects.toMatchObject({
    code: 'token_revoked',
  })
  await site.admin()
})
