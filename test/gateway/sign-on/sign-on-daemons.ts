import { createHash } from 'node:crypto'
import { Accounts } from '../../../src/gateway/accounts/accounts.js'
import type { SessionRecord } from '../../../src/gateway/accounts/company-account.js'
import type { Revocation } from '../../../src/gateway/accounts/revocations.js'
import type { UserRecord } from '../../../src/gateway/accounts/user-record.js'
import { OidcProvider } from '../../../src/gateway/sign-on/oidc-provider.js'
import { SignOn } from '../../../src/gateway/sign-on/sign-on.js'
import { type Clock, systemClock } from '../../../src/kit/clock.js'
import { MemoryCollection } from '../../support/memory-store.js'
import type { HostileProvider } from './hostile-provider.js'
import { ENGINEERS, signOnSettings } from './sign-on-site.js'

/** Several daemons over the records of one site. */
export function signOnDaemons(provider: HostileProvider, clock: Clock = systemClock) {
  const settings = signOnSettings(provider, 'https://gateway.example')
  const key = new Uint8Array(32).fill(7)
  const users = new MemoryCollection<UserRecord>()
  const sessions = new MemoryCollection<SessionRecord>()
  const revocations = new MemoryCollection<Revocation>()
  return (siteKey = key) => {
    const accounts = new Accounts({
      ...{ users, sessions, revocations, key, clock },
      apiKeys: new MemoryCollection(),
      logins: { local: 'everybody', issuer: settings.issuer },
    })
    const parts = { settings, accounts, clock, siteKey }
    return { accounts, signOn: new SignOn({ ...parts, provider: new OidcProvider(settings, clock) }) }
  }
}

export const VERIFIER = 'v'.repeat(43)
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')

/** The query with which the provider sends the browser back, and its token in exchange for the code. */
export async function responseTo(
  provider: HostileProvider,
  url: string,
  {
    groups = [ENGINEERS],
    code = 'any',
    ...claims
  }: { groups?: readonly string[]; code?: string; sid?: string } = {},
): Promise<string> {
  const asked = new URL(url).searchParams
  provider.idToken = await provider.token({ nonce: asked.get('nonce'), groups, ...claims })
  return new URLSearchParams({ code, state: asked.get('state') ?? '' }).toString()
}
