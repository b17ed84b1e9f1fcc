import type { ErrorCode } from '../../contract/errors.js'
import { BACKCHANNEL_PATH, CALLBACK_PATH } from '../../contract/topics/accounts/sign-on.js'
import type { JsonObject } from '../../kit/text/json.js'
import { byStatus } from './openapi-errors.js'
import { failures } from './openapi-responses.js'

const CALLBACK_ERRORS: readonly ErrorCode[] = ['sso_disabled']
const LOGOUT_ERRORS: readonly ErrorCode[] = ['sso_disabled', 'sso_unavailable', 'rate_limited']

const inQuery = (name: string, description: string): JsonObject => ({
  name,
  in: 'query',
  required: false,
  schema: { type: 'string' },
  description,
})

const CALLBACK: JsonObject = {
  operationId: 'returnFromSignOn',
  tags: ['auth'],
  summary: 'Come back from the identity provider',
  description:
    'The redirect address of OpenID Connect: the identity provider sends browsers here. The browser goes on to the page that began the sign-on, with `#sso=CODE` in its address, also if the sign-on has failed: exchange the code with `POST /auth/sso/session`.\n\nNeeds no token.',
  security: [],
  parameters: [
    inQuery('state', 'As the sign-on was begun with it.'),
    inQuery('code', 'What the gateway exchanges at the identity provider, once.'),
    inQuery('iss', 'The issuer of the response (RFC 9207).'),
    inQuery('error', 'Why the identity provider refuses the sign-on.'),
    inQuery('error_description', 'The same in words.'),
  ],
  responses: {
    302: {
      description: 'The page goes on.',
      headers: {
        Location: { schema: { type: 'string' }, description: 'A page below `public_url`, with `#sso=CODE`.' },
      },
    },
    ...failures(byStatus(CALLBACK_ERRORS)),
  },
}

const LOGOUT: JsonObject = {
  operationId: 'endSignOnAtProvider',
  tags: ['auth'],
  summary: 'Take a logout from the identity provider',
  description:
    'OpenID Connect Back-Channel Logout 1.0: the identity provider calls it. All sessions of the account end, or those of one session there, if the token names it. A token is taken once, for five minutes.\n\nNeeds no token of the gateway.',
  security: [],
  requestBody: {
    required: true,
    content: {
      'application/x-www-form-urlencoded': {
        schema: {
          type: 'object',
          required: ['logout_token'],
          properties: { logout_token: { type: 'string', description: 'A JWT of the identity provider.' } },
        },
      },
    },
  },
  responses: {
    200: { description: 'The sessions have ended, or there were none.' },
    400: {
      description:
        'The token is not one of this identity provider for this gateway, is old, or was taken already.',
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['error', 'error_description'],
            properties: {
              error: { type: 'string', enum: ['invalid_request'] },
              error_description: { type: 'string' },
            },
          },
          example: { error: 'invalid_request', error_description: 'This logout token was taken already.' },
        },
      },
    },
    ...failures(byStatus(LOGOUT_ERRORS)),
  },
}

/** What only the identity provider calls, or sends browsers to. */
export const signOnPaths = (): JsonObject => ({
  [CALLBACK_PATH]: { get: CALLBACK },
  [BACKCHANNEL_PATH]: { post: LOGOUT },
})
