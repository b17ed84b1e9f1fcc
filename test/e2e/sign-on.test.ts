import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoints } from '../../src/contract/endpoints.js'
import { freePort } from '../support/free-port.js'
import { TestProvider } from '../support/identity-provider.js'
import { ADMINS, ENGINEERS, SignOnSite, signOnSettings } from '../support/sign-on-site.js'

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
}, 60_000)

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
}, 30_000)
