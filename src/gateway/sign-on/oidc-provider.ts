import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWTPayload,
  type JWTVerifyOptions,
  type JWTVerifyResult,
  jwtVerify,
} from 'jose'
import * as oidc from 'openid-client'
import { Problem } from '../../contract/errors.js'
import type { Clock } from '../../kit/clock.js'
import { isJsonObject } from '../../kit/text/json.js'
import { hasGroups } from './company-claims.js'
import {
  type CodeChecks,
  type DeviceCodes,
  type IdentityProvider,
  LOGOUT_MAX_AGE_S,
  type LoggedOut,
  type VerifiedUser,
} from './identity-provider.js'
import { NO_KEYS, providerProblem, quoted } from './provider-failure.js'
import { ProviderFetch } from './provider-fetch.js'
import { callbackOf, type SignOnSettings } from './sign-on-settings.js'

/** Seconds that the whole of a request to the provider may take. */
const TIMEOUT_S = 10
/** Somebody waits to hear whether the provider responds. */
const CHECK_TIMEOUT_S = 3
/** Seconds by which the clocks of the provider and of this machine may differ. */
const CLOCK_TOLERANCE_S = 60
/** The document of the provider is read again after this time. */
const DISCOVER_EVERY_MS = 60 * 60_000
/** Keys are read again for a token that none of them has signed, but not more often. */
const KEYS_COOLDOWN_MS = 1000
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
/** The longest subject that OpenID Connect allows, and what is kept of a response: each session has it. */
const MAX_SUBJECT = 255
const MAX_SID = 512
const MAX_REFRESH_TOKEN = 16 * 1024
/** A longer one does not fit into the address at which the session at the provider ends. */
const MAX_ID_TOKEN = 4096
/** Signatures with the keys of the provider: never `none`, and never with the secret of the client. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

/** What was read of the provider. */
interface Discovered {
  readonly config: oidc.Configuration
  readonly keys: ReturnType<typeof createRemoteJWKSet>
  readonly algorithms: string[]
  /** When, on the clock that never goes back. */
  readonly at: number
  /** The same of the keys, where they were read again. */
  keysAt: number
}

type TokenResponse = oidc.TokenEndpointResponse

/** An identity provider that speaks OpenID Connect. Only a daemon with the setting loads this file. */
export class OidcProvider implements IdentityProvider {
  readonly #fetch: ProviderFetch
  /** What was read last, and the reading that is under way. */
  #discovered: Discovered | undefined
  #discovering: Promise<Discovered> | undefined

  constructor(
    readonly settings: SignOnSettings,
    readonly clock: Clock,
  ) {
    this.#fetch = new ProviderFetch(settings, clock)
  }

  beginDevice(): Promise<DeviceCodes> {
    return this.#asking(async ({ config }) => {
      if (config.serverMetadata().device_authorization_endpoint === undefined)
        throw new Problem(
          'sso_failed',
          'The identity provider has no sign-on for command lines (device flow): use the page, or an API key.',
        )
      const codes = await oidc.initiateDeviceAuthorization(config, { scope: this.#scope })
      return {
        deviceCode: codes.device_code,
        userCode: codes.user_code,
        verificationUri: codes.verification_uri,
        verificationUriComplete: codes.verification_uri_complete,
        expiresIn: codes.expires_in,
        interval: codes.interval ?? 5,
      }
    })
  }

  exchangeDevice(deviceCode: string): Promise<VerifiedUser> {
    return this.#asking(async (discovered) => {
      const body = { device_code: deviceCode }
      return this.#verified(discovered, await oidc.genericGrantRequest(discovered.config, DEVICE_GRANT, body))
    })
  }

  authorizationUrl({ state, nonce, verifier }: CodeChecks): Promise<string> {
    return this.#asking(async ({ config }) => {
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: callbackOf(this.settings),
        scope: this.#scope,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        // Without it, some providers give no refresh token for this scope.
        ...(this.settings.scopes.includes('offline_access') && { prompt: 'consent' }),
      })
      return url.href
    })
  }

  exchangeCode(response: URL, { state, nonce, verifier }: CodeChecks): Promise<VerifiedUser> {
    return this.#asking(async (discovered) => {
      const tokens = await oidc.authorizationCodeGrant(discovered.config, response, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      return this.#verified(discovered, tokens)
    })
  }

  refresh(
    refreshToken: string,
    subject: string,
    exchanged: (refreshToken: string) => void,
  ): Promise<VerifiedUser | undefined> {
    return this.#asking(async (discovered) => {
      try {
        const tokens = await oidc.refreshTokenGrant(discovered.config, refreshToken)
        if (isWithin(tokens.refresh_token, MAX_REFRESH_TOKEN)) exchanged(tokens.refresh_token)
        return await this.#verified(discovered, tokens, subject)
      } catch (error) {
        if (error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant') return undefined
        throw error
      }
    })
  }

  endSessionUrl(idToken: string | undefined): Promise<string | undefined> {
    return this.#asking(async ({ config }) => {
      if (config.serverMetadata().end_session_endpoint === undefined) return undefined
      return oidc.buildEndSessionUrl(config, {
        post_logout_redirect_uri: `${this.settings.publicUrl.replace(/\/+$/, '')}/`,
        ...(idToken !== undefined && { id_token_hint: idToken }),
      }).href
    })
  }

  async revoke(refreshToken: string): Promise<void> {
    await this.#asking(async ({ config }) => {
      if (config.serverMetadata().revocation_endpoint !== undefined)
        await oidc.tokenRevocation(config, refreshToken, { token_type_hint: 'refresh_token' })
    }).catch(() => {})
  }

  loggedOut(logoutToken: string): Promise<LoggedOut> {
    return this.#asking(async (discovered) => {
      const { payload } = await this.#signed(logoutToken, discovered)
      const { sub, sid, jti, iat, events, nonce } = payload
      const hasEvent =
        isJsonObject(events) && Object.hasOwn(events, LOGOUT_EVENT) && isJsonObject(events[LOGOUT_EVENT])
      const names = typeof sub === 'string' || typeof sid === 'string'
      const isOld = typeof iat !== 'number' || Math.abs(this.#now / 1000 - iat) > LOGOUT_MAX_AGE_S
      if (!hasEvent || !names || nonce !== undefined || !jti || typeof jti !== 'string' || isOld)
        throw new Problem('sso_failed', 'This is no logout token, or an old one.')
      return {
        subject: sub,
        sid: typeof sid === 'string' ? sid : undefined,
        jti,
        at: iat * 1000,
      }
    })
  }

  async check(): Promise<void> {
    try {
      await this.#discover(CHECK_TIMEOUT_S)
    } catch (error) {
      throw providerProblem(error, this.settings, this.#fetch.clockDifference)
    }
  }

  close(): Promise<void> {
    return this.#fetch.close()
  }

  /** The library does not say what came in place of keys. */
  readonly #fetchKeys = async (url: string, options: object): Promise<Response> => {
    const response = await this.#fetch.fetch(url, options)
    const { status, headers } = response
    if (status === 200) return response
    throw Object.assign(new Error(`its keys are not given: ${status}`), { code: NO_KEYS, status, headers })
  }

  get #scope(): string {
    return this.settings.scopes.join(' ')
  }

  get #now(): number {
    return this.clock.date().getTime()
  }

  /** What the tokens say, once the signature of the identity token has been checked, too. */
  async #verified(discovered: Discovered, tokens: TokenResponse, subject?: string): Promise<VerifiedUser> {
    const { config } = discovered
    const { id_token: idToken, access_token, refresh_token: refreshToken } = tokens
    let claims: JWTPayload = {}
    if (idToken !== undefined) {
      const { payload, protectedHeader } = await this.#signed(idToken, discovered)
      refuseOtherKind(protectedHeader.typ)
      claims = payload
    }
    const sub = claims.sub ?? subject
    if (sub === undefined)
      throw new Problem(
        'sso_failed',
        'The identity provider gave no identity token: is the scope "openid" asked for?',
      )
    if (sub === '' || sub.length > MAX_SUBJECT)
      throw new Problem('sso_failed', `The identity token has no subject of 1 to ${MAX_SUBJECT} characters.`)
    const hasUserInfo = config.serverMetadata().userinfo_endpoint !== undefined
    if (hasUserInfo && !hasGroups(claims, this.settings)) {
      const further = await oidc.fetchUserInfo(config, access_token, sub)
      claims = { ...further, ...claims }
    }
    const { sid } = claims
    return {
      subject: sub,
      claims,
      tokens: {
        ...(isWithin(refreshToken, MAX_REFRESH_TOKEN) && { refreshToken }),
        ...(isWithin(idToken, MAX_ID_TOKEN) && { idToken }),
        ...(isWithin(sid, MAX_SID) && { sid }),
      },
    }
  }

  /** The header and claims of a token that the provider has signed for this client. */
  async #signed(token: string, discovered: Discovered): Promise<JWTVerifyResult> {
    const { config, algorithms } = discovered
    const verified = await this.#verify(token, discovered, {
      algorithms,
      issuer: config.serverMetadata().issuer,
      audience: this.settings.clientId,
      currentDate: this.clock.date(),
      clockTolerance: CLOCK_TOLERANCE_S,
      requiredClaims: ['iat'],
    }).catch((error: unknown) => {
      throw error instanceof errors.JOSEError ? unsigned(error, this.settings) : error
    })
    const { payload } = verified
    // The library takes one of the future. A logout would be refused for it later, and nobody would see that.
    if ((payload.iat ?? 0) - this.#now / 1000 > CLOCK_TOLERANCE_S)
      throw Object.assign(new Error('the token is of the future'), { code: WRONG_TIME, isOfFuture: true })
    const { azp, aud } = payload
    const isForMore = azp !== undefined || (Array.isArray(aud) && aud.length > 1)
    if (isForMore && azp !== this.settings.clientId)
      throw new Problem('sso_failed', `The token is also for clients other than ${this.settings.clientId}.`)
    return verified
  }

  /**
   * A key that is not known may be a new one, also under the name of an old one. The library counts time by a clock that
   * may go back.
   */
  async #verify(token: string, discovered: Discovered, options: JWTVerifyOptions): Promise<JWTVerifyResult> {
    const { keys } = discovered
    try {
      return await jwtVerify(token, keys, options)
    } catch (error) {
      const now = this.clock.now()
      const isNew = OF_NEW_KEYS.some((kind) => error instanceof kind)
      if (!isNew || now - discovered.keysAt < KEYS_COOLDOWN_MS) throw error
      discovered.keysAt = now
      await keys.reload()
      return jwtVerify(token, keys, options)
    }
  }

  /** Asks the provider. Throws a `Problem` that says what was wrong. */
  async #asking<T>(work: (discovered: Discovered) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#provider())
    } catch (error) {
      throw providerProblem(error, this.settings, this.#fetch.clockDifference)
    }
  }

  /** What was read in the last hour. Whoever needs it while it is read again waits for the same reading. */
  async #provider(): Promise<Discovered> {
    const known = this.#discovered
    if (known && this.clock.now() - known.at < DISCOVER_EVERY_MS) return known
    this.#discovering ??= this.#discoverAgain()
    return this.#discovering
  }

  async #discoverAgain(): Promise<Discovered> {
    try {
      this.#discovered = await this.#discover()
      return this.#discovered
    } finally {
      this.#discovering = undefined
    }
  }

  async #discover(timeout = TIMEOUT_S): Promise<Discovered> {
    const { issuer, clientId, clientSecret } = this.settings
    const config = await oidc.discovery(
      new URL(issuer),
      clientId,
      { [oidc.clockTolerance]: CLOCK_TOLERANCE_S },
      authenticationBy(clientSecret),
      {
        timeout,
        [oidc.customFetch]: this.#fetch.fetch,
        ...(issuer.startsWith('http:') && { execute: [oidc.allowInsecureRequests] }),
      },
    )
    const { jwks_uri, id_token_signing_alg_values_supported: given } = config.serverMetadata()
    if (jwks_uri === undefined)
      throw new Problem('sso_failed', `The identity provider ${issuer} publishes no keys (jwks_uri).`)
    if (new URL(jwks_uri).protocol !== 'https:' && !issuer.startsWith('http:'))
      throw new Problem('sso_failed', `The identity provider ${issuer} publishes its keys in clear text.`)
    const keys = createRemoteJWKSet(new URL(jwks_uri), {
      [customFetch]: this.#fetchKeys,
      cooldownDuration: Number.POSITIVE_INFINITY,
      timeoutDuration: TIMEOUT_S * 1000,
    })
    const algorithms = ALGORITHMS.filter((one) => !Array.isArray(given) || given.includes(one))
    const at = this.clock.now()
    return { config, keys, algorithms, at, keysAt: at - KEYS_COOLDOWN_MS }
  }
}

/** RFC 8725, section 3.11: the type of an identity token is `JWT` or left out. One such as `at+jwt` is another kind of token. */
function refuseOtherKind(type: string | undefined): void {
  if (typeof type === 'string' && /\+jwt\s*(;|$)/i.test(type))
    throw new Problem('sso_failed', `A token of the type ${quoted(type)} came in place of an identity token.`)
}

/** How a token fails whose key was not there when the keys were read. */
const OF_NEW_KEYS = [errors.JWKSNoMatchingKey, errors.JWSSignatureVerificationFailed]

const isWithin = (text: unknown, most: number): text is string =>
  typeof text === 'string' && text.length <= most

/** As `openid-client` calls it. */
const WRONG_TIME = 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED'

/** What the library says of keys that it could not read. */
const OF_KEYS = ['ERR_JOSE_GENERIC', 'ERR_JWKS_INVALID']

function unsigned(error: errors.JOSEError, { issuer }: SignOnSettings): unknown {
  if (error instanceof errors.JWKSTimeout) return error
  if (OF_KEYS.includes(error.code))
    return new Problem(
      'sso_unavailable',
      `The keys of the identity provider ${issuer} cannot be read: ${error.message}.`,
      {},
      error,
    )
  if (error instanceof errors.JWTExpired || Object(error).claim === 'nbf')
    return Object.assign(error, { code: WRONG_TIME })
  if (error instanceof errors.JWTClaimValidationFailed)
    return Object.assign(error, { code: 'OAUTH_JWT_CLAIM_COMPARISON_FAILED' })
  return new Problem(
    'sso_failed',
    `The signature of the token is not one of the identity provider's keys: ${error.message}.`,
    {},
    error,
  )
}

/** The client's secret, in the way that the provider takes. */
function authenticationBy(secret: string | undefined): oidc.ClientAuth {
  if (secret === undefined) return oidc.None()
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)]
  return (server, client, body, headers) => {
    const { token_endpoint_auth_methods_supported: ways } = server
    const isBasic = ways === undefined || ways.includes('client_secret_basic')
    return (isBasic ? basic : post)(server, client, body, headers)
  }
}
