import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../contract/errors.js'
import { BACKCHANNEL_PATH, CALLBACK_PATH } from '../contract/topics/accounts/sign-on.js'
import type { AuditedCall } from '../gateway/audit/audited-call.js'
import type { Gateway } from '../gateway/open-gateway.js'
import { requireSignOn } from '../gateway/sign-on/sign-on.js'
import { addressOf } from './request/passed-on.js'

/** Bytes of a body that the identity provider sends. */
const BODY_LIMIT = 64 * 1024
/** The action that the audit shows: it is the provider that calls. */
const BACKCHANNEL_LOGOUT = 'backChannelLogout'

/** What only the identity provider calls, or sends browsers to: forms and redirects, as OpenID Connect has them. */
export function serveSignOn(app: FastifyInstance, gateway: Pick<Gateway, 'signOn' | 'audit'>): void {
  app.get(CALLBACK_PATH, { exposeHeadRoute: false }, async (request, reply) => {
    const query = request.url.slice(request.url.indexOf('?') + 1)
    const url = await requireSignOn(gateway).returned(query, addressOf(request))
    reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    return reply.redirect(url, 302)
  })
  app.register(async (forms) => {
    forms.removeAllContentTypeParsers()
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: BODY_LIMIT },
      (_, text, done) => done(null, new URLSearchParams(String(text))),
    )
    forms.post(BACKCHANNEL_PATH, { bodyLimit: BODY_LIMIT }, async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
      const token = form.get('logout_token') ?? ''
      try {
        const { issuer } = requireSignOn(gateway).settings
        const ended = await requireSignOn(gateway).backChannel(token, addressOf(request))
        await gateway.audit.loggedIn(logoutCall(request, { issuer, ...ended }))
        return reply.code(200).send()
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== 'sso_failed') throw error
        // As OpenID Connect Back-Channel Logout 1.0 has it, 2.8.
        return reply.code(400).send({ error: 'invalid_request', error_description: error.message })
      }
    })
  })
}

const logoutCall = (
  request: FastifyRequest,
  details: Readonly<Record<string, string | number | null>>,
): AuditedCall => ({
  action: BACKCHANNEL_LOGOUT,
  equipment_id: null,
  user: null,
  api_key: null,
  address: addressOf(request),
  request_id: request.id,
  reason: null,
  details,
})
