import { Problem } from '../../contract/errors.js'
import type { DeviceSignOn, SignOnLogin } from '../../contract/topics/accounts/sign-on.js'
import type { Login } from '../../contract/topics/accounts/users.js'
import { type Clock, delay } from '../../kit/clock.js'
import type { Accounts } from '../accounts/accounts.js'
import type { Caller } from '../accounts/caller.js'
import type { Claim, OpenedSession } from '../accounts/company-sessions.js'
import { accountOf } from './company-claims.js'
import type { IdentityProvider, VerifiedUser } from './identity-provider.js'
import { RequestLimit } from './request-limit.js'
import { SealedText } from './sealed-text.js'
import type { SignOnSettings } from './sign-on-settings.js'

export interface SignOnParts {
  readonly settings: SignOnSettings
  readonly provider: IdentityProvider
  readonly accounts: Accounts
  readonly clock: Clock
  /** The same for all daemons of the site. */
  readonly siteKey: Uint8Array
}

/** How long another call that asks the provider about the same session is waited for, and how often it is looked at. */
const BUSY_MS = 15_000
const LOOK_MS = 200
/** The longest that a code of a device is taken for. */
const MAX_DEVICE_S = 1800

const disabled = (): Problem =>
  new Problem('sso_disabled', 'This gateway has no sign-on with company accounts (auth.oidc).')

/** The sign-on of a gateway. Throws `sso_disabled` where it has none. */
export function requireSignOn({ signOn }: { readonly signOn?: SignOn | undefined }): SignOn {
  if (!signOn) throw disabled()
  return signOn
}

interface KeptDevice {
  readonly code: string
}

/** Users sign on with the accounts of the company: what the identity provider says is exchanged for tokens of the gateway. */
export class SignOn {
  readonly #sealed: SealedText
  readonly #limit: RequestLimit

  constructor(readonly parts: SignOnParts) {
    this.#sealed = new SealedText(parts.siteKey, parts.clock)
    this.#limit = new RequestLimit(parts.clock)
  }

  get settings(): SignOnSettings {
    return this.parts.settings
  }

  /** Begins the sign-on of a command line. `address` is the caller's. */
  beginDevice(address: string): Promise<DeviceSignOn> {
    return this.#limit.run(address, async () => {
      const codes = await this.parts.provider.beginDevice()
      const expiresIn = Math.max(1, Math.min(codes.expiresIn, MAX_DEVICE_S))
      const device: KeptDevice = { code: codes.deviceCode }
      return {
        device_code: this.#sealed.close('device', device, expiresIn * 1000),
        user_code: codes.userCode,
        verification_uri: codes.verificationUri,
        verification_uri_complete: codes.verificationUriComplete ?? null,
        expires_in: expiresIn,
        interval: Math.max(1, codes.interval),
      }
    })
  }

  /** Throws `sso_pending` until the user has signed on. */
  exchangeDevice(deviceCode: string, address: string): Promise<SignOnLogin> {
    const device = this.#sealed.open<KeptDevice>('device', deviceCode)
    if (!device)
      throw new Problem('sso_failed', 'The sign-on took too long, or was not begun here. Begin again.')
    return this.#limit.run(address, async () => {
      const verified = await this.parts.provider.exchangeDevice(device.code)
      const { token, ...opened } = await this.#begin(verified, false)
      return this.#signOnLogin(opened, token)
    })
  }

  /** Continues the session of this token, if the provider confirms the account again. */
  refresh(sessionToken: string, address: string): Promise<SignOnLogin> {
    return this.#limit.run(address, async () => {
      const opened = await this.#continued({ token: sessionToken })
      return this.#signOnLogin(opened, sessionToken)
    })
  }

  /** The same for who calls with a token of the session. */
  async refreshOf(caller: Caller): Promise<Login> {
    const opened = await this.#continued({ id: caller.session ?? '' })
    return this.parts.accounts.sessionLogin(opened, this.settings.tokenSeconds)
  }

  /** Ends the session; where a browser ends that of the provider, too. */
  async end(sessionToken: string): Promise<string | null> {
    const { accounts, provider } = this.parts
    const tokens = await accounts.company.end({ token: sessionToken })
    if (!tokens) return null
    if (tokens.refreshToken !== undefined) await provider.revoke(tokens.refreshToken)
    // The provider may be away: the session here has ended nevertheless.
    return (await provider.endSessionUrl(tokens.idToken).catch(() => undefined)) ?? null
  }

  close(): Promise<void> {
    return this.parts.provider.close()
  }

  #begin(verified: VerifiedUser, unclaimed: boolean): Promise<OpenedSession & { readonly token: string }> {
    const { settings, accounts } = this.parts
    const account = accountOf(verified, settings)
    return accounts.company.begin(account, verified.tokens, { lifetimeMs: settings.sessionMs, unclaimed })
  }

  async #continued(which: { readonly token: string } | { readonly id: string }): Promise<OpenedSession> {
    const { clock, accounts } = this.parts
    const until = clock.now() + BUSY_MS
    for (;;) {
      const claim = await accounts.company.check(which)
      if (claim.kind === 'checked') return claim.opened
      if (claim.kind === 'ask') return this.#asked(claim)
      if (clock.now() >= until)
        throw new Problem('sso_unavailable', 'The identity provider is still being asked about this session.')
      await delay(clock, LOOK_MS)
    }
  }

  async #asked({ opened, tokens }: Extract<Claim, { kind: 'ask' }>): Promise<OpenedSession> {
    const { provider, accounts, settings } = this.parts
    const { user, session } = opened
    const { company } = accounts
    if (tokens.refreshToken === undefined) {
      await company.end({ id: session.id })
      throw new Problem(
        'sso_no_access',
        'The session has ended: the identity provider gave no refresh token to continue it (scope offline_access). Sign on again.',
      )
    }
    let verified: VerifiedUser | undefined
    try {
      verified = await provider.refresh(tokens.refreshToken, user.sign_on?.subject ?? '')
      if (verified) return await company.confirm(session.id, accountOf(verified, settings), verified.tokens)
    } catch (error) {
      // A session that has ended is not there any more.
      await company.release(session.id)
      throw error
    }
    await company.end({ id: session.id })
    throw new Problem(
      'sso_no_access',
      `The identity provider no longer continues the session of ${user.email}: it is over there, or the account was disabled. Sign on again.`,
    )
  }

  async #signOnLogin(opened: OpenedSession, token: string): Promise<SignOnLogin> {
    const { accounts } = this.parts
    const login = await accounts.sessionLogin(opened, this.settings.tokenSeconds)
    return {
      ...login,
      session_token: token,
      session_expires_at: opened.session.expires_at,
      renewable: accounts.company.isRenewable(opened.session),
    }
  }
}
