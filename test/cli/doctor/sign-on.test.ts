import { afterAll, beforeAll, expect, test } from 'vitest'
import { signOnFindings } from '../../../src/cli/doctor/server.js'
import type { GatewayClient } from '../../../src/client/client.js'
import { endpoints } from '../../../src/contract/endpoints.js'
import { TestProvider } from '../../gateway/sign-on/identity-provider.js'
import { SignOnSite, signOnSettings } from '../../gateway/sign-on/sign-on-site.js'
import { freePort } from '../../support/free-port.js'

let provider: TestProvider
let site: SignOnSite

beforeAll(async () => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  provider = await TestProvider.start({ publicUrls: [url] })
  site = await SignOnSite.start(port, { signOn: signOnSettings(provider, url) })
})
afterAll(async () => {
  await site?.dispose()
  await provider?.dispose()
})

const signOn = async (client: GatewayClient) =>
  (await signOnFindings(client)).find(({ name }) => name === 'sign-on')

test('An identity provider that does not respond is a fault, which the gateway has seen', async () => {
  const client = await site.admin()
  expect(await signOn(client)).toMatchObject({ mark: 'ok', detail: expect.stringContaining('Fab accounts') })
  await provider.kill()
  expect(await signOn(client)).toMatchObject({
    ...{ mark: 'wrong', area: 'server', kind: 'unreachable' },
    detail: expect.stringMatching(/Fab accounts.* cannot be reached/),
    mend: expect.stringContaining(`${provider.issuer}/.well-known/openid-configuration`),
  })
  // Nobody is told what nobody has asked.
  expect(await client.call(endpoints.getSignOn, {})).not.toHaveProperty('problem')
})

test('A gateway that cannot look at its provider is asked how users log in', async () => {
  const offer = {
    enabled: true,
    name: 'Fab accounts',
    issuer: 'https://idp',
    page_url: null,
    local: 'everybody',
  }
  const older = {
    call: async (endpoint: unknown, { query }: { readonly query?: object }) => {
      if (endpoint !== endpoints.getSignOn || query !== undefined) throw new Error('unknown')
      return offer
    },
  }
  expect(await signOn(older as unknown as GatewayClient)).toMatchObject({ mark: 'ok' })
})
