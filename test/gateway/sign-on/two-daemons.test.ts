import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Accounts } from '../../../src/gateway/accounts/accounts.js'
import type { SessionRecord } from '../../../src/gateway/accounts/company-account.js'
import type { UserRecord } from '../../../src/gateway/accounts/user-record.js'
import { OidcProvider } from '../../../src/gateway/sign-on/oidc-provider.js'
import { SignOn } from '../../../src/gateway/sign-on/sign-on.js'
import { systemClock } from '../../../src/kit/clock.js'
import { HostileProvider } from '../../support/hostile-provider.js'
import { MemoryCollection } from '../../support/memory-store.js'
import { ENGINEERS, signOnSettings } from '../../support/sign-on-site.js'

let provider: HostileProvider
beforeAll(async () => {
  provider = await HostileProvider.listen()
})
afterAll(() => provider.close())

/** Several daemons over the records of one site. */
function site() {
  const settings = signOnSettings(provider, 'https://gateway.example')
  const key = new Uint8Array(32).fill(7)
  const [users, sessions] = [new MemoryCollection<UserRecord>(), new MemoryCollection<SessionRecord>()]
  return (siteKey = key) => {
    const accounts = new Accounts({
      users,
      sessions,
      revocations: new MemoryCollection(),
      apiKeys: new MemoryCollection(),
      key,
      clock: systemClock,
      logins: { local: 'everybody', issuer: settings.issuer },
    })
    const parts = { settings, accounts, clock: systemClock, siteKey }
    return { accounts, signOn: new SignOn({ ...parts, provider: new OidcProvider(settings, systemClock) }) }
  }
}

const VERIFIER = 'v'.repeat(43)
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')
const HERE = '192.0.2.1'

/** The response of the provider to a sign-on that was begun. */
async function response(url: string): Promise<string> {
  const asked = new URL(url).searchParams
  provider.idToken = await provider.token({ nonce: asked.get('nonce'), groups: [ENGINEERS] })
  return new URLSearchParams({ code: 'any', state: asked.get('state') ?? '' }).toString()
}

test('a sign-on that begins at one daemon ends at others, and its token is taken by all', async () => {
  const daemon = site()
  const [one, two, three] = [daemon(), daemon(), daemon()]
  const { url } = await one.signOn.beginPage({ challenge: CHALLENGE }, HERE)
  const place = await two.signOn.returned(await response(url), HERE)
  const code = new URL(place).hash.replace('#sso=', '')
  const { token, user } = await three.signOn.exchangePage({ code, verifier: VERIFIER })
  for (const { accounts } of [one, two, three])
    expect(await accounts.authenticate(token)).toMatchObject({ id: user.id, role: 'engineer' })
  await expect(one.signOn.exchangePage({ code, verifier: VERIFIER })).rejects.toMatchObject({
    code: 'token_revoked',
  })
  await Promise.all([one, two, three].map(({ signOn }) => signOn.close()))
})

test('what another site has begun is not taken', async () => {
  const daemon = site()
  const [one, other] = [daemon(), daemon(new Uint8Array(32).fill(8))]
  const { url } = await other.signOn.beginPage({ challenge: CHALLENGE }, HERE)
  const place = new URL(await one.signOn.returned(await response(url), HERE))
  const code = place.hash.replace('#sso=', '')
  await expect(one.signOn.exchangePage({ code, verifier: VERIFIER })).rejects.toMatchObject({
    code: 'sso_failed',
  })
  await Promise.all([one, other].map(({ signOn }) => signOn.close()))
})
