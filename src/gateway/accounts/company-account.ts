import type { Role } from '../../contract/roles.js'

/** What a user of company accounts may do, by the rule of a group. */
export interface GrantedRule {
  readonly group: string
  readonly role: Role
  /** The equipment that the user sees and reaches; null for all. */
  readonly labels: string | null
}

/** An account of the company, as its identity provider has just confirmed it. */
export interface CompanyAccount {
  readonly issuer: string
  /** Whose account it is, together with the issuer: never its name, which another account can get. */
  readonly subject: string
  readonly email: string
  readonly name: string
  readonly groups: readonly string[]
  /** Undefined where no rule names a group of the account. */
  readonly rule: GrantedRule | undefined
}

/** What the identity provider gave for a session. */
export interface ProviderTokens {
  /** Left out where it gives none: then the session cannot be continued. */
  readonly refreshToken?: string | undefined
  /** For the logout there. */
  readonly idToken?: string | undefined
  /** The session there, which a back-channel logout names. */
  readonly sid?: string | undefined
}

/** A session of a user of company accounts, as it is kept. */
export interface SessionRecord {
  readonly id: string
  readonly user_id: string
  /** SHA-256 of the secret part of its token, in hexadecimal. */
  readonly hash: string
  /** The tokens of the identity provider, encrypted. */
  readonly sealed: string
  readonly provider_sid: string | null
  readonly created_at: string
  /** When the identity provider last confirmed the account for this session. */
  readonly checked_at: string
  /** When the user has to sign on again. */
  readonly expires_at: string
  /** A daemon asks the provider about it until then. */
  readonly checking_until?: string
  /** The page has not exchanged it for a token yet, and has to do so until then. */
  readonly unclaimed_until?: string
}
