import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { GatewayClient } from '../../src/client/client.js'
import { followEvents } from '../../src/client/events.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { systemClock } from '../../src/kit/clock.js'
import { HostileProvider } from '../gateway/sign-on/hostile-provider.js'
import { SignOnSite, signOnSettings } from '../gateway/sign-on/sign-on-site.js'
import { WebhookServer } from '../gateway/sinks/webhook-server.js'
import { DAEMON_ADMIN } from '../support/daemon-here.js'
import { freePort } from '../support/free-port.js'
import { until } from '../support/until.js'

const PASSWORD = 'a long enough password'

let provider: HostileProvider
let site: SignOnSite

beforeAll(async () => {
  const port = await freePort()
  provider = await HostileProvider.listen()
  const signOn = signOnSettings(provider, `http://127.0.0.1:${port}`)
  site = await SignOnSite.start(port, { signOn, allowLocalSinks: true })
})

afterAll(async () => {
  await site?.dispose()
  await provider?.close()
})

const breakGlass = async (client: GatewayClient) =>
  (await client.call(endpoints.listEvents, { query: { type: ['gateway'] } })).items

/** The token of a new user. */
async function userOf(admin: GatewayClient, name: string, given: object): Promise<string> {
  const body = { email: `${name}@fab.example`, name, role: 'viewer', password: PASSWORD, ...given } as const
  await admin.call(endpoints.createUser, { body })
  const { email, password } = body
  return (await site.client().call(endpoints.login, { body: { email, password } })).token
}

test('each login of a local administrator is an event, which a sink delivers', async () => {
  const admin = await site.admin()
  const server = await WebhookServer.listen()
  const watch = { name: 'watch', webhook: { url: server.url }, names: ['break_glass_login'] }
  await admin.call(endpoints.createSink, { body: watch })
  const before = (await breakGlass(admin)).length
  await site.admin()
  const [newest, ...others] = await breakGlass(admin)
  expect(others).toHaveLength(before)
  expect(newest).toMatchObject({
    name: 'break_glass_login',
    equipment_id: '',
    equipment_name: null,
    data: { user: DAEMON_ADMIN.email },
  })
  await until(() => server.messages.length === 1)
  expect(server.messages[0]).toMatchObject({
    type: 'secsctl.break_glass_login',
    data: { data: { user: DAEMON_ADMIN.email } },
  })
  // CloudEvents have no empty subject.
  expect(server.messages[0]).not.toHaveProperty('subject')
  const { items } = await admin.call(endpoints.listAudit, { query: { action: ['login'], limit: 1 } })
  expect(items).toMatchObject([{ user: DAEMON_ADMIN.email, details: { break_glass: true } }])
})

test('a wrong password, and logins of others, are no such event', async () => {
  const admin = await site.admin()
  const before = (await breakGlass(admin)).length
  await userOf(admin, 'eva', { role: 'engineer' })
  const wrong = { ...DAEMON_ADMIN, password: 'a wrong password here' }
  await expect(site.client().call(endpoints.login, { body: wrong })).rejects.toMatchObject({
    code: 'invalid_credentials',
  })
  expect(await breakGlass(admin)).toHaveLength(before)
})

test('who is restricted to some equipment neither lists nor follows it', async () => {
  const admin = await site.admin()
  const ron = await userOf(admin, 'ron', { label_selector: 'area=etch' })
  const all = await userOf(admin, 'val', {})
  expect(await breakGlass(site.client(ron))).toEqual([])
  expect((await breakGlass(site.client(all))).length).toBeGreaterThan(0)
  const query = { from: new Date(0).toISOString(), to: new Date().toISOString() }
  // The stream ends once no event can come any more that is older.
  site.later()
  const followed = async (token: string) => {
    const told: string[] = []
    const options = { url: site.url, token, clock: systemClock }
    for await (const { name } of followEvents(options, query, new AbortController().signal)) told.push(name)
    return told
  }
  expect(await followed(ron)).toEqual([])
  expect(await followed(all)).toContain('break_glass_login')
})

test('without sign-on, the login of an administrator is nothing special', async () => {
  await site.restart({ signOn: undefined })
  onTestFinished(() => site.restart())
  const admin = await site.admin()
  const before = (await breakGlass(admin)).length
  await site.admin()
  expect(await breakGlass(admin)).toHaveLength(before)
})

test('a gateway in standby writes no event: its records stay as they were copied', async () => {
  await site.restart({ standby: 'begin' })
  onTestFinished(() => site.restart({ standby: 'end' }))
  const admin = await site.admin()
  const before = (await breakGlass(admin)).length
  await site.admin()
  expect(await breakGlass(admin)).toHaveLength(before)
  const { items } = await admin.call(endpoints.listAudit, { query: { action: ['login'], limit: 1 } })
  expect(items).toMatchObject([{ details: { break_glass: true } }])
})
