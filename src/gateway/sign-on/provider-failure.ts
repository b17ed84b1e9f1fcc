import { Problem } from '../../contract/errors.js'
import { TOO_LONG } from './provider-fetch.js'
import { callbackOf, type SignOnSettings } from './sign-on-settings.js'

/** What an error of `openid-client`, `oauth4webapi` or the network has. */
interface Failure {
  readonly message?: string
  readonly code?: string
  /** Of a response of OAuth 2. */
  readonly error?: string
  readonly error_description?: string
  readonly status?: number
  readonly claim?: string
  /** Of a token that was issued at a time to come. */
  readonly isOfFuture?: boolean
  readonly attribute?: string
  readonly body?: unknown
  readonly headers?: Headers
  /** What an error of OAuth 2 was in. */
  readonly response?: Response
  readonly cause?: unknown
}

/** Seconds by which clocks may differ without a word. */
const CLOCK_NOTE_S = 20
const MAX_TEXT = 300

/** The errors of TLS about who has issued a certificate. */
const UNTRUSTED = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
])

/** The code of the error for a response that is not 200 where the keys of the provider are asked for. */
export const NO_KEYS = 'SSO_NO_KEYS'

/** What `oauth4webapi` says of a body that cannot be read. */
const NO_JSON = /^failed to parse "response" body/

/** What `undici` says of a proxy that makes no tunnel. */
const OF_PROXY = /^Proxy response \((\d+)\)/

/** An error and its causes. */
function chainOf(error: unknown): readonly Failure[] {
  const chain: Failure[] = []
  for (let next: unknown = error; next instanceof Object && chain.length < 8; next = (next as Failure).cause)
    chain.push(next as Failure)
  return chain
}

const failed = (detail: string, cause: unknown): Problem => new Problem('sso_failed', detail, {}, cause)

/** What came from the provider, on one line. */
export const quoted = (text: unknown): string =>
  String(text)
    .replace(/\p{C}+/gu, ' ')
    .slice(0, MAX_TEXT)

/**
 * The problem of a failed request to the identity provider, or of a response of it that was refused: what an
 * administrator has to know. `clockDifference`: milliseconds by which the provider's clock is ahead.
 */
export function providerProblem(
  error: unknown,
  settings: SignOnSettings,
  clockDifference: number | undefined,
): Problem {
  if (error instanceof Problem) return error
  const chain = chainOf(error)
  const challenge = chain.find(({ code }) => code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE')
  if (challenge) return challenged(challenge, settings, error)
  const oauth = chain.find((one) => typeof one.error === 'string')
  if (oauth?.error !== 'slow_down' && chain.some(({ status }) => status === 429))
    return new Problem('sso_unavailable', tooMany(chain, oauth, settings), {}, error)
  if (oauth) return refusedByProvider(oauth, settings, error)
  const claim = chain.find((one) => typeof one.claim === 'string')?.claim
  const has = (code: string): boolean => chain.some((one) => one.code === code)
  if (has('OAUTH_JWT_TIMESTAMP_CHECK_FAILED')) return wrongTime(clockDifference, chain, error)
  if (has('OAUTH_JWT_CLAIM_COMPARISON_FAILED')) return wrongClaim(claim, settings, error)
  if (chain.some(({ attribute }) => attribute === 'sub'))
    return failed('The identity provider responds with the claims of another user (userinfo).', error)
  if (has('OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED')) {
    const { issuer } = Object(chain.find((one) => one.attribute === 'issuer')?.body)
    const its = issuer === undefined ? 'another issuer' : `the issuer ${quoted(issuer)}`
    return failed(`The identity provider is ${its}, and auth.oidc.issuer is ${settings.issuer}.`, error)
  }
  const network = networkDetail(chain, settings)
  if (network !== undefined) return new Problem('sso_unavailable', network, {}, error)
  const last = chain.map(({ message }) => message).filter(Boolean)
  return failed(`The response of the identity provider was refused: ${quoted(last.join(': '))}.`, error)
}

/** Of a provider that limits how often it is asked. */
function tooMany(chain: readonly Failure[], oauth: Failure | undefined, { issuer }: SignOnSettings): string {
  const headers = chain.map((one) => one.response?.headers ?? one.headers)
  const after = headers.find((one) => one instanceof Headers)?.get('retry-after')
  const text = oauth?.error_description
  return [
    `The identity provider ${issuer} responds with 429: it is asked too often.`,
    ...(after
      ? [`It may be asked again ${/^\d+$/.test(after) ? `in ${after} s` : `at ${quoted(after)}`}.`]
      : []),
    ...(text === undefined ? [] : [`It says: ${quoted(text)}`]),
  ].join(' ')
}

/** What a response with the status 401 means: of the client, or of the token with which the user is asked for. */
function challenged({ cause }: Failure, settings: SignOnSettings, error: unknown): Problem {
  const challenges = (Array.isArray(cause) ? cause : []) as readonly {
    readonly scheme?: string
    readonly parameters?: { readonly error?: string; readonly error_description?: string }
  }[]
  const ofUser = challenges.find(({ scheme }) => scheme === 'bearer')
  if (!ofUser) {
    const said = challenges.find(({ parameters }) => parameters?.error !== undefined)?.parameters
    const text = said?.error_description
    return refusedByProvider(
      { error: 'invalid_client', ...(text && { error_description: text }) },
      settings,
      error,
    )
  }
  const { error: code = '401', error_description: text } = ofUser.parameters ?? {}
  const said = text === undefined ? '' : ` It says: ${quoted(text)}`
  return failed(
    `The identity provider gives no further claims of the user (userinfo, ${quoted(code)}).${said}`,
    error,
  )
}

function refusedByProvider(
  { error: code = '', error_description: text }: Failure,
  settings: SignOnSettings,
  cause: unknown,
): Problem {
  const said = text === undefined ? '' : ` It says: ${quoted(text)}`
  switch (code) {
    case 'authorization_pending':
    case 'slow_down': {
      const slower = code === 'slow_down' ? { retry_after: 10 } : {}
      return new Problem('sso_pending', 'The user has not signed on yet.', slower, cause)
    }
    case 'access_denied':
      return failed(`The sign-on was refused at the identity provider.${said}`, cause)
    case 'expired_token':
      return failed('The sign-on took too long, and its code has expired. Begin again.', cause)
    case 'invalid_client':
      return failed(
        `The identity provider refuses the gateway: compare auth.oidc.client_id and client_secret_file with what is registered there.${said}`,
        cause,
      )
    case 'invalid_grant':
      return failed(
        `The identity provider refuses the code: it was used already, has expired, or was made for another client or another redirect address than ${callbackOf(settings)}.${said}`,
        cause,
      )
    case 'unauthorized_client':
    case 'unsupported_grant_type':
    case 'unsupported_response_type':
      return failed(
        `The identity provider does not allow this kind of sign-on for the client ${settings.clientId}: allow the authorization code, the device flow and refresh tokens there.${said}`,
        cause,
      )
    case 'server_error':
    case 'temporarily_unavailable':
      return new Problem(
        'sso_unavailable',
        `The identity provider reports an error of its own.${said}`,
        {},
        cause,
      )
    default: {
      const isRedirect = /redirect/i.test(`${code} ${text}`)
      const advice = isRedirect ? ` Register this redirect address there: ${callbackOf(settings)}.` : ''
      return failed(`The identity provider responds with ${quoted(code)}.${said}${advice}`, cause)
    }
  }
}

function wrongTime(clockDifference: number | undefined, chain: readonly Failure[], cause: unknown): Problem {
  const isOfFuture = chain.some((one) => one.isOfFuture === true || one.claim === 'nbf')
  const seconds = Math.round((clockDifference ?? 0) / 1000)
  const clocks =
    Math.abs(seconds) > CLOCK_NOTE_S
      ? `The clock of the identity provider is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} that of the gateway: set the clocks (NTP).`
      : isOfFuture
        ? 'The clocks agree, so the token is of the future: the identity provider has given it a time to come.'
        : 'The clocks agree, so the token is an old one.'
  return failed(`The identity token is not valid at this time. ${clocks}`, cause)
}

function wrongClaim(
  claim: string | undefined,
  { issuer, clientId }: SignOnSettings,
  cause: unknown,
): Problem {
  if (claim === 'nonce') return failed('The identity token does not belong to this sign-on (nonce).', cause)
  if (claim === 'iss') return failed(`The identity token is not of the issuer ${issuer}.`, cause)
  if (claim === 'aud' || claim === 'azp')
    return failed(`The identity token is not for the client ${clientId}.`, cause)
  return failed(`The identity token has a wrong claim${claim ? ` (${quoted(claim)})` : ''}.`, cause)
}

/** Undefined where the network was not what failed. */
function networkDetail(chain: readonly Failure[], { issuer, proxy }: SignOnSettings): string | undefined {
  const codes = chain.flatMap(({ code }) => (typeof code === 'string' ? [code] : []))
  const start = `The identity provider ${issuer}`
  const over = proxy === undefined ? '' : ` over the proxy ${proxy}`
  const refusal = chain.map(({ message }) => OF_PROXY.exec(message ?? '')?.[1]).find(Boolean)
  if (proxy !== undefined && refusal !== undefined)
    return `The proxy ${proxy} does not connect the gateway to the identity provider ${issuer}: it responds with ${refusal}.`
  if (codes.some((code) => UNTRUSTED.has(code)))
    return `${start} has a certificate of an authority that the gateway does not trust: set auth.oidc.ca to the certificate of that authority.`
  const certificate = codes.find((code) => /^(CERT_|ERR_TLS_CERT)/.test(code))
  if (certificate !== undefined)
    return `${start} has a certificate that is not valid (${certificate}): ${quoted(chain.at(-1)?.message)}.`
  if (codes.includes(TOO_LONG)) return `${start} responds with more than 1 MiB: the gateway reads no more.`
  if (codes.includes('OAUTH_TIMEOUT') || codes.includes('ERR_JWKS_TIMEOUT'))
    return `${start} did not respond in time${over}.`
  const network = codes.find((code) => /^(E[A-Z]+$|UND_ERR_|EAI_)/.test(code))
  if (network !== undefined) return `${start} cannot be reached${over} (${network}).`
  const status = chain.find((one) => typeof one.status === 'number' && 'headers' in one)?.status
  if (codes.includes(NO_KEYS)) return `${start} responds with ${status} where it has its keys (jwks_uri).`
  if (
    codes.includes('OAUTH_RESPONSE_IS_NOT_JSON') ||
    chain.some(({ message }) => NO_JSON.test(message ?? ''))
  )
    return `${start} responds${status === undefined ? '' : ` with ${status}`}, and not in JSON: maybe another server responds in its place.`
  if (status !== undefined && codes.includes('OAUTH_RESPONSE_IS_NOT_CONFORM'))
    return status === 404
      ? `There is no identity provider at ${issuer}: ${issuer.replace(/\/$/, '')}/.well-known/openid-configuration responds with 404.`
      : `${start} responds with ${status}.`
  return undefined
}
