import { afterAll, beforeAll, expect, test } from 'vitest'
import { HostileProvider } from './hostile-provider.js'
import { CHALLENGE, responseTo, signOnDaemons, VERIFIER } from './sign-on-daemons.js'

let provider: HostileProvider
beforeAll(async () => {
  provider = await HostileProvider.listen()
})
afterAll(() => provider.close())

const HERE = '192.0.2.1'

test('a sign-on that begins at one daemon ends at others, and its token is taken by all', async () => {
  const daemon = signOnDaemons(provider)
  const [one, two, three] = [daemon(), daemon(), daemon()]
  const { url } = await one.signOn.beginPage({ challenge: CHALLENGE }, HERE)
  const place = await two.signOn.returned(await responseTo(provider, url), HERE)
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
  const daemon = signOnDaemons(provider)
  const [one, other] = [daemon(), daemon(new Uint8Array(32).fill(8))]
  const { url } = await other.signOn.beginPage({ challenge: CHALLENGE }, HERE)
  const place = new URL(await one.signOn.returned(await responseTo(provider, url), HERE))
  const code = place.hash.replace('#sso=', '')
  await expect(one.signOn.exchangePage({ code, verifier: VERIFIER })).rejects.toMatchObject({
    code: 'sso_failed',
  })
  await Promise.all([one, other].map(({ signOn }) => signOn.close()))
})
