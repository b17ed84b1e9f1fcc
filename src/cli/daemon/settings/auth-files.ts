import { X509Certificate } from 'node:crypto'
import type { LocalLogins } from '../../../contract/topics/accounts/sign-on.js'
import type { SignOnSettings } from '../../../daemon/daemon.js'
import { durationOf } from '../../../kit/duration-text.js'
import { wrongUsage } from '../../errors/failure.js'
import { secretIn, textIn } from '../daemon-files.js'
import type { OidcMember } from './auth-members.js'
import type { AuthSettings } from './auth-settings.js'

/** How users log in: what a daemon is given. */
export interface Logins {
  readonly localLogins: LocalLogins
  readonly signOn: SignOnSettings | undefined
}

/** The settings with what the files have that they name. Throws `usage` for a file that cannot be used. */
export async function readLogins({ local, oidc, roles }: AuthSettings): Promise<Logins> {
  if (!oidc) return { localLogins: local, signOn: undefined }
  const text = (name: OidcMember): string => String(oidc[name] ?? '')
  const given = (name: OidcMember): string | undefined => text(name) || undefined
  const clientSecret = await readClientSecret(given('client_secret_file'))
  const ca = await readProviderCa(given('ca'))
  return {
    localLogins: local,
    signOn: {
      issuer: text('issuer'),
      clientId: text('client_id'),
      ...(clientSecret !== undefined && { clientSecret }),
      scopes: [oidc.scopes ?? []].flat(),
      groupsClaim: text('groups_claim'),
      name: text('name'),
      publicUrl: text('public_url'),
      ...(ca !== undefined && { ca }),
      ...(given('proxy') !== undefined && { proxy: text('proxy') }),
      tokenSeconds: Math.floor((durationOf(text('token_lifetime')) ?? 0) / 1000),
      sessionMs: durationOf(text('session_lifetime')) ?? 0,
      rules: roles,
    },
  }
}

export async function readClientSecret(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined
  const secret = await secretIn(path, 'auth.oidc.client_secret_file')
  if (secret === '') throw wrongUsage('auth.oidc.client_secret_file is empty')
  return secret
}

export async function readProviderCa(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined
  const pem = await textIn(path, 'auth.oidc.ca')
  if (!pem.includes('-----BEGIN CERTIFICATE-----'))
    throw wrongUsage('auth.oidc.ca has no certificate in PEM: it begins with -----BEGIN CERTIFICATE-----')
  try {
    new X509Certificate(pem)
  } catch {
    throw wrongUsage('auth.oidc.ca has a certificate that cannot be read')
  }
  return pem
}
