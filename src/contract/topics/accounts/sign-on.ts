import { type Static, Type } from 'typebox'
import { endpoint } from '../../endpoint.js'
import {
  Flag,
  input,
  NullableText,
  named,
  namedInput,
  nullable,
  OptionalFlag,
  OptionalText,
  oneOf,
  Text,
  Time,
} from '../../schema.js'
import { Login } from './users.js'

/** Which users log in with a password while there is sign-on. */
export const LOCAL_LOGINS = ['everybody', 'admins-only'] as const
export type LocalLogins = (typeof LOCAL_LOGINS)[number]

/** Below the public URL: where the provider sends browsers back to, and where it tells that a session has ended. */
export const CALLBACK_PATH = '/api/v1/auth/sso/callback'
export const BACKCHANNEL_PATH = '/api/v1/auth/sso/backchannel-logout'

export const SignOnOffer = named('SignOnOffer', {
  enabled: Flag('Users can sign on with the accounts of the company.'),
  name: NullableText('What the company calls its accounts; null without sign-on.'),
  issuer: NullableText('The issuer of the identity provider (OpenID Connect); null without sign-on.'),
  page_url: NullableText(
    'Where browsers reach the gateway: a sign-on in the page begins there; null without sign-on.',
  ),
  local: oneOf(
    LOCAL_LOGINS,
    'Whose passwords the gateway takes: of all local users, or only of local administrators.',
  ),
  problem: Type.Optional(
    NullableText('With `check`: why the identity provider cannot be asked now; null if it responds.'),
  ),
})

export type SignOnOffer = Static<typeof SignOnOffer>

export const DeviceSignOn = named('DeviceSignOn', {
  device_code: Text('For the exchange. Only the program that begins the sign-on may have it.'),
  user_code: Text('What the user compares with, or enters on, the page of the identity provider.'),
  verification_uri: Text('The address that the user opens in a browser.'),
  verification_uri_complete: NullableText('The same address with the code in it; null if there is none.'),
  expires_in: Type.Integer({ minimum: 1, description: 'Seconds until the codes expire.' }),
  interval: Type.Integer({ minimum: 1, description: 'Seconds to wait between two exchanges.' }),
})
export type DeviceSignOn = Static<typeof DeviceSignOn>

export const SignOnLogin = named('SignOnLogin', {
  ...Login.properties,
  session_token: Text(
    'Continues the session with `POST /auth/sso/refresh`: the gateway asks the identity provider again. Keep it as secret as a password.',
  ),
  session_expires_at: Time('When the user has to sign on again.'),
  renewable: Flag(
    'False if the identity provider has not given a refresh token: the session ends with the token.',
  ),
})
export type SignOnLogin = Static<typeof SignOnLogin>

const Secret = (description: string, maxLength = 4096) =>
  Type.String({ minLength: 1, maxLength, description })

export const PageSignOn = namedInput('PageSignOn', {
  challenge: Type.String({
    pattern: '^[A-Za-z0-9_-]{43}$',
    description:
      'SHA-256 of a random `verifier`, in base64url. Only who has the verifier can exchange the result.',
  }),
  return_to: OptionalText('Path of the page to return to, such as `/alarms`. Default: `/`.', {
    minLength: 1,
    maxLength: 1024,
  }),
})
export type PageSignOn = Static<typeof PageSignOn>

const PageResult = namedInput('PageResult', {
  code: Secret('What follows `#sso=` in the address to which the browser came back.', 8192),
  verifier: Secret('The verifier of the challenge with which the sign-on was begun.'),
})

const SessionToken = namedInput('SessionToken', {
  session_token: Secret('The `session_token` of the sign-on.'),
})

const LOGIN: SignOnLogin = {
  token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c3JfNGY5YyJ9.c2lnbmF0dXJl',
  user: { id: 'usr_4f9c1a7be2d0', email: 'ada@example.com', name: 'Ada', role: 'operator' },
  expires_at: '2026-01-31T08:10:00.000Z',
  session_token: 'sso_7f3k2m9qta.kX2v9QqTtL1c0m5yV8w3Jr6ZbN4sHdEo7uPiAgFxYhM',
  session_expires_at: '2026-01-31T20:00:00.000Z',
  renewable: true,
}
const SESSION = { session_token: LOGIN.session_token }

/** What can go wrong wherever the identity provider is asked. */
const PROVIDER_ERRORS = ['sso_disabled', 'sso_failed', 'sso_unavailable', 'rate_limited'] as const
/** And where what it says of a user is looked at. */
const USER_ERRORS = [...PROVIDER_ERRORS, 'sso_no_access', 'email_taken', 'quota_exceeded'] as const

export const signOnEndpoints = {
  getSignOn: endpoint('GET /auth/sso', {
    tag: 'auth',
    summary: 'Read how users log in',
    access: 'anyone',
    query: input({
      check: OptionalFlag(
        'True: ask the identity provider now whether it responds, for 3 seconds at most. Default: false.',
      ),
    }),
    reply: SignOnOffer,
    errors: ['rate_limited'],
    examples: {
      reply: {
        enabled: true,
        name: 'Example Fab',
        issuer: 'https://login.example.com/realms/fab',
        page_url: 'https://gateway.example.com:7327',
        local: 'admins-only',
      },
    },
  }),
  beginDeviceSignOn: endpoint('POST /auth/sso/device', {
    tag: 'auth',
    summary: 'Begin a sign-on without a browser of its own',
    description:
      'The device flow (RFC 8628) of the identity provider, for a command line: the user opens `verification_uri` in any browser, while the program repeats `POST /auth/sso/token`.',
    access: 'anyone',
    isSafe: true,
    reply: DeviceSignOn,
    errors: PROVIDER_ERRORS,
    examples: {
      reply: {
        device_code: 'mEoT1f0Zq3vUu2yQ',
        user_code: 'WDJB-MJHT',
        verification_uri: 'https://login.example.com/device',
        verification_uri_complete: 'https://login.example.com/device?user_code=WDJB-MJHT',
        expires_in: 600,
        interval: 5,
      },
    },
  }),
  beginPageSignOn: endpoint('POST /auth/sso/login', {
    tag: 'auth',
    summary: 'Begin a sign-on in a page',
    description:
      'The authorization code flow with PKCE. The page makes a random `verifier`, keeps it in its tab, and goes to `url`. The identity provider sends the browser back to the gateway, and the gateway to `return_to` with `#sso=CODE`, which the page exchanges with `POST /auth/sso/session`. No cookie is used.',
    access: 'anyone',
    isSafe: true,
    body: PageSignOn,
    reply: input({ url: Text('The page of the identity provider.') }),
    errors: PROVIDER_ERRORS,
    examples: {
      body: { challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', return_to: '/alarms' },
      reply: { url: 'https://login.example.com/auth?client_id=secsctl&response_type=code' },
    },
  }),
  exchangePageSignOn: endpoint('POST /auth/sso/session', {
    tag: 'auth',
    summary: 'Exchange the result of a sign-on in a page for a token',
    description:
      'Once, within two minutes, and only with the verifier of the tab that began the sign-on. If the sign-on has failed, the response is its error.',
    access: 'anyone',
    body: PageResult,
    reply: SignOnLogin,
    errors: ['token_revoked', ...USER_ERRORS],
    examples: {
      body: { code: 'k7Vq2n0cJ3', verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk' },
      reply: LOGIN,
    },
  }),
  exchangeDeviceSignOn: endpoint('POST /auth/sso/token', {
    tag: 'auth',
    summary: 'Exchange the code of a device for a token',
    description:
      '`sso_pending` until the user has signed on: repeat the call after `interval` seconds, or after `Retry-After` if the response has this header. A code can be exchanged once.',
    access: 'anyone',
    body: namedInput('DeviceCode', { device_code: Secret('The `device_code` of the sign-on.') }),
    reply: SignOnLogin,
    errors: ['sso_pending', ...USER_ERRORS],
    examples: { body: { device_code: 'mEoT1f0Zq3vUu2yQ' }, reply: LOGIN },
  }),
  refreshSignOn: endpoint('POST /auth/sso/refresh', {
    tag: 'auth',
    summary: 'Exchange the token of a session for a new token',
    description:
      'The gateway asks the identity provider again: the user gets the rights of the present groups, and a user who has lost all of them, or is disabled, gets `sso_no_access` and all tokens end.',
    access: 'anyone',
    body: SessionToken,
    reply: SignOnLogin,
    errors: ['token_revoked', ...USER_ERRORS],
    examples: { body: SESSION, reply: LOGIN },
  }),
  endSignOn: endpoint('POST /auth/sso/logout', {
    tag: 'auth',
    summary: 'End a session',
    description:
      'All tokens of the session end. In a browser, continue at `end_session_url`: it ends the session at the identity provider, too. A session that has ended already gives null.',
    access: 'anyone',
    body: SessionToken,
    reply: input({
      end_session_url: nullable(
        Type.String({
          description: 'Where the identity provider ends its own session; null if it has no such page.',
        }),
      ),
    }),
    errors: ['sso_disabled', 'rate_limited'],
    examples: {
      body: SESSION,
      reply: { end_session_url: 'https://login.example.com/logout?client_id=secsctl' },
    },
  }),
} as const
