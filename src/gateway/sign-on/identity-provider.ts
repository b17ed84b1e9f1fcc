import type { ProviderTokens } from '../accounts/company-account.js'

/** What the identity provider says of a user, in tokens whose signature, issuer, audience and times have been checked. */
export interface VerifiedUser {
  readonly subject: string
  readonly claims: Readonly<Record<string, unknown>>
  readonly tokens: ProviderTokens
}

export interface DeviceCodes {
  readonly deviceCode: string
  readonly userCode: string
  readonly verificationUri: string
  readonly verificationUriComplete: string | undefined
  /** In seconds. */
  readonly expiresIn: number
  readonly interval: number
}

/** What ties the response of the provider to the sign-on that was begun. */
export interface CodeChecks {
  readonly state: string
  readonly nonce: string
  /** The verifier of PKCE (RFC 7636). */
  readonly verifier: string
}

/** Seconds for which a logout token is taken, by the clock of the gateway. */
export const LOGOUT_MAX_AGE_S = 300

/** Who is logged out, by a logout token that was checked. */
export interface LoggedOut {
  readonly subject: string | undefined
  readonly sid: string | undefined
  readonly jti: string
  /** When the provider made the token, in milliseconds since 1970. */
  readonly at: number
}

/** The identity provider of the company. Every call throws a `Problem` that says what was wrong. */
export interface IdentityProvider {
  beginDevice(): Promise<DeviceCodes>
  /** Throws `sso_pending` until the user has signed on. */
  exchangeDevice(deviceCode: string): Promise<VerifiedUser>
  authorizationUrl(checks: CodeChecks): Promise<string>
  /** `response`: the address to which the provider has sent the browser. */
  exchangeCode(response: URL, checks: CodeChecks): Promise<VerifiedUser>
  /**
   * Undefined where the provider no longer takes the refresh token: the session is over, or the user disabled.
   * `exchanged` gets the next refresh token as soon as there is one, also if something fails afterwards.
   */
  refresh(
    refreshToken: string,
    subject: string,
    exchanged: (refreshToken: string) => void,
  ): Promise<VerifiedUser | undefined>
  /** Where a browser ends the session at the provider; undefined where there is no such page. */
  endSessionUrl(idToken: string | undefined): Promise<string | undefined>
  /** Tells the provider that a refresh token is not used any more. Nothing is thrown. */
  revoke(refreshToken: string): Promise<void>
  loggedOut(logoutToken: string): Promise<LoggedOut>
  /** Resolves where the provider says now, within a few seconds, what it can do. */
  check(): Promise<void>
  close(): Promise<void>
}
