import { CALLBACK_PATH } from '../../contract/topics/accounts/sign-on.js'
import type { GrantedRule } from '../accounts/company-account.js'

/** How users sign on with the accounts of the company, by OpenID Connect. */
export interface SignOnSettings {
  /** The address of the identity provider, as its tokens name it. */
  readonly issuer: string
  readonly clientId: string
  /** Left out for a client without one. */
  readonly clientSecret?: string | undefined
  readonly scopes: readonly string[]
  /** The claim with the groups: its name, or a path with dots in it. */
  readonly groupsClaim: string
  /** What people call the accounts. */
  readonly name: string
  /** Where browsers reach the gateway: the redirect address is below it, and never that of a Host header. */
  readonly publicUrl: string
  /** Authorities, PEM, whose certificates are trusted in place of those of the system. */
  readonly ca?: string | undefined
  /** The HTTP proxy on the way to the provider. */
  readonly proxy?: string | undefined
  readonly tokenSeconds: number
  readonly sessionMs: number
  /** The first that names a group of the user holds. */
  readonly rules: readonly GrantedRule[]
}

export const callbackOf = ({ publicUrl }: Pick<SignOnSettings, 'publicUrl'>): string =>
  publicUrl.replace(/\/+$/, '') + CALLBACK_PATH
