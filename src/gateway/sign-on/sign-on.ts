import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type ErrorCode, Problem } from '../../contract/errors.js'
import type { DeviceSignOn, PageSignOn, SignOnLogin } from '../../contract/topics/accounts/sign-on.js'
import type { Login } from '../../contract/topics/accounts/users.js'
import { type Clock, delay } from '../../kit/clock.js'
import type { Accounts } from '../accounts/accounts.js'
import type { Caller } from '../accounts/caller.js'
import type { Claim, OpenedSession } from '../accounts/company-sessions.js'
import { type AccountTrace, RefusedAccount } from '../accounts/refused-account.js'
import { accountOf } from './company-claims.js'
import { type IdentityProvider, LOGOUT_MAX_AGE_S, type VerifiedUser } from './identity-provider.js'
import { PROVIDER, RequestLimit } from './request-limit.js'
import { SealedText } from './sealed-text.js'
import { callbackOf, type SignOnSettings } from './sign-on-settings.js'

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

/** Milliseconds in which the user signs on at the provider, and in which the page takes the result. */
const PAGE_MS = 10 * 60_000
const RESULT_MS = 2 * 60_000
/** Milliseconds that sessions may be younger than a logout token by the clock of the provider. */
const LOGOUT_TOLERANCE_MS = 60_000
/** Milliseconds after which a logout token is refused for its age. */
const LOGOUT_TOKEN_MS = LOGOUT_MAX_AGE_S * 1000

const NOT_BEGUN = {
  code: 'sso_failed',
  detail:
    'The sign-on took too long, or was begun in another tab, another browser or at another address. Begin again.',
} as const

/** Characters of a path to return to, as it is encoded, and bytes of an error: both are part of addresses. */
const MAX_PATH = 2048
const MAX_DETAIL = 2000

const cut = (detail: string): string => {
  const bytes = Buffer.from(detail)
  return bytes.length <= MAX_DETAIL
    ? detail
    : `${bytes
        .subarray(0, MAX_DETAIL)
        .toString()
        .replace(/\uFFFD+$/, '')} …`
}

const problemOf = ({ code, detail, account }: KeptFailure): Problem =>
  account ? new RefusedAccount(code, detail, account) : new Problem(code, detail)

const random = (): string => randomBytes(32).toString('base64url')

/** The path and query of a page of this gateway. An address of another site would be an open redirect. */
function localPath(given = '/'): string {
  const base = 'http://gateway.invalid'
  const url = given.startsWith('/') && URL.canParse(given, base) ? new URL(given, base) : undefined
  const path = url?.origin === base && !url.pathname.startsWith('//') ? url.pathname + url.search : undefined
  if (path !== undefined && path.length <= MAX_PATH) return path
  const detail = 'must be a path of this gateway, such as /alarms'
  throw new Problem('invalid_request', `return_to ${detail}.`, {
    errors: [{ pointer: '/return_to', detail }],
  })
}

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

/** What a page has begun: it goes through the provider, and back. */
interface KeptPage {
  readonly nonce: string
  readonly verifier: string
  readonly challenge: string
  readonly returnTo: string
}

interface KeptFailure {
  readonly code: ErrorCode
  readonly detail: string
  readonly account?: AccountTrace
}

/** What a page exchanges: its session, or why there is none. Without a challenge nobody can have begun it. */
interface KeptResult {
  readonly challenge?: string
  readonly session?: string
  readonly failure?: KeptFailure
}

/** Users sign on with the accounts of the company: what the identity provider says is exchanged for tokens of the gateway. */
export class SignOn {
  readonly #sealed: SealedText
  readonly #limit: RequestLimit
  readonly #backChannelLimit: RequestLimit

  constructor(readonly parts: SignOnParts) {
    this.#sealed = new SealedText(parts.siteKey, parts.clock)
    this.#limit = new RequestLimit(parts.clock)
    this.#backChannelLimit = new RequestLimit(parts.clock, PROVIDER)
  }

  get settings(): SignOnSettings {
    return this.parts.settings
  }

  /** Why the identity provider cannot be asked now; null where it can. `address` is the caller's. */
  check(address: string): Promise<string | null> {
    return this.#limit.run(address, async () => {
      try {
        await this.parts.provider.check()
        return null
      } catch (error) {
        if (error instanceof Problem) return error.message
        throw error
      }
    })
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
      const { token, ...opened } = await this.#begin(verified)
      return this.#signOnLogin(opened, token)
    })
  }

  /** Begins the sign-on of a page. Throws `invalid_request` for a place to return to that is not of this gateway. */
  async beginPage({ challenge, return_to }: PageSignOn, address: string): Promise<{ readonly url: string }> {
    const returnTo = localPath(return_to)
    return this.#limit.run(address, async () => {
      const page: KeptPage = { nonce: random(), verifier: random(), challenge, returnTo }
      const state = this.#sealed.close('page', page, PAGE_MS)
      return { url: await this.parts.provider.authorizationUrl({ state, ...page }) }
    })
  }

  /** Where the browser continues that the provider has sent back with this query. */
  async returned(query: string, address: string): Promise<string> {
    const given = new URLSearchParams(query)
    const [state, code] = [given.get('state') ?? '', given.get('code') ?? '']
    const page = this.#sealed.open<KeptPage>('page', state)
    if (!page) return this.#resultAt('/', { failure: NOT_BEGUN })
    const { challenge, returnTo } = page
    try {
      const response = new URL(`${callbackOf(this.settings)}?${query}`)
      const verified = await this.#limit.run(address, async () => {
        await this.parts.accounts.company.requireUnused(this.settings.issuer, code)
        return this.parts.provider.exchangeCode(response, { state, ...page })
      })
      const { token } = await this.#begin(verified, code)
      return this.#resultAt(returnTo, { challenge, session: token })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const { code: failed, message: detail } = error
      const account = error instanceof RefusedAccount && { account: error.account }
      return this.#resultAt(returnTo, { challenge, failure: { code: failed, detail, ...account } })
    }
  }

  /** Gives the result to the page that has the verifier, once. */
  async exchangePage({ code, verifier }: { readonly code: string; readonly verifier: string }) {
    const result = this.#sealed.open<KeptResult>('result', code)
    const { challenge, session, failure } = result ?? { failure: NOT_BEGUN }
    const own = createHash('sha256').update(verifier).digest('base64url')
    const isOwn = challenge === undefined || timingSafeEqual(Buffer.from(own), Buffer.from(challenge))
    if (!isOwn) throw new Problem(NOT_BEGUN.code, NOT_BEGUN.detail)
    if (session === undefined || failure) throw problemOf(failure ?? NOT_BEGUN)
    return this.#signOnLogin(await this.parts.accounts.company.claim(session), session)
  }

  /** Ends the sessions of an account, or one of them, whose logout the provider reports. Resolves with how many have ended. */
  backChannel(
    logoutToken: string,
    address: string,
  ): Promise<{ readonly subject: string | null; readonly sessions: number }> {
    return this.#backChannelLimit.run(address, async () => {
      const { subject, sid, jti, at } = await this.parts.provider.loggedOut(logoutToken)
      const sessions = await this.parts.accounts.company.endOf({
        issuer: this.settings.issuer,
        subject,
        sid,
        before: at + LOGOUT_TOLERANCE_MS,
        jti,
        until: at + LOGOUT_TOKEN_MS,
      })
      return { subject: subject ?? null, sessions }
    })
  }

  #resultAt(path: string, result: KeptResult): string {
    const url = new URL(path, this.settings.publicUrl)
    const { failure } = result
    const sent = failure ? { ...result, failure: { ...failure, detail: cut(failure.detail) } } : result
    url.hash = `sso=${this.#sealed.close('result', sent, RESULT_MS)}`
    return url.href
  }

  /** Continues the session of this token, if the provider confirms the account again. */
  async refresh(sessionToken: string, address: string): Promise<SignOnLogin> {
    const work = async (): Promise<SignOnLogin> => {
      const opened = await this.#continued({ token: sessionToken })
      return this.#signOnLogin(opened, sessionToken)
    }
    // The users of a whole site may have one address: only strangers are counted.
    const isKnown = (await this.parts.accounts.company.emailOf(sessionToken)) !== null
    return isKnown ? work() : this.#limit.run(address, work)
  }

  /** The same for who calls with a token of the session. */
  async refreshOf(caller: Caller): Promise<Login> {
    const opened = await this.#continued({ id: caller.session ?? '' })
    return this.parts.accounts.sessionLogin(opened, this.settings.tokenSeconds)
  }

  /**
   * Ends the session; where a browser ends that of the provider, too. `upToDate`: resolves once what other daemons have
   * written is known. A stranger has no session, and neither changes the records nor waits for their turn.
   */
  async end(sessionToken: string, address: string, upToDate: () => Promise<void>): Promise<string | null> {
    const { accounts, provider } = this.parts
    if ((await accounts.company.emailOf(sessionToken)) === null) await this.#limit.run(address, upToDate)
    if ((await accounts.company.emailOf(sessionToken)) === null) return null
    const tokens = await accounts.company.end({ token: sessionToken })
    if (!tokens) return null
    if (tokens.refreshToken !== undefined) await provider.revoke(tokens.refreshToken)
    // The provider may be away: the session here has ended nevertheless.
    return (await provider.endSessionUrl(tokens.idToken).catch(() => undefined)) ?? null
  }

  close(): Promise<void> {
    return this.parts.provider.close()
  }

  #begin(verified: VerifiedUser, code?: string): Promise<OpenedSession & { readonly token: string }> {
    const { settings, accounts } = this.parts
    const account = accountOf(verified, settings)
    return accounts.company.begin(account, verified.tokens, { lifetimeMs: settings.sessionMs, code })
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
    let { refreshToken } = tokens
    try {
      verified = await provider.refresh(refreshToken, user.sign_on?.subject ?? '', (next) => {
        refreshToken = next
      })
      if (verified) return await company.confirm(session.id, accountOf(verified, settings), verified.tokens)
    } catch (error) {
      // A session that has ended is not there any more. A provider may take a refresh token once.
      await company.release(session.id, refreshToken)
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
