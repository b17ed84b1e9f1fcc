import type { FastifyRequest } from 'fastify'
import type { AnyEndpoint } from '../contract/endpoint.js'
import { Problem } from '../contract/errors.js'
import { mayActAs } from '../contract/users.js'
import type { Accounts, Caller } from '../gateway/gateway.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; null where no token is needed. */
    caller: Caller | null
  }
  interface FastifyContextConfig {
    /** The row of the contract that the route serves; left out on routes around the API. */
    endpoint?: AnyEndpoint
  }
}

const BEARER = /^Bearer +([^\s,]+) *$/i

/** The token in the Authorization header. Throws `unauthenticated` when there is none. */
export function bearerToken(request: FastifyRequest): string {
  const [, token] = BEARER.exec(request.headers.authorization ?? '') ?? []
  if (token === undefined) {
    throw new Problem(
      'unauthenticated',
      'Send a token as "Authorization: Bearer <token>"; POST /api/v1/auth/login gives one.',
    )
  }
  return token
}

/** The user of a call to an endpoint that needs a token. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Problem('unauthenticated', 'This call needs a token.')
  return request.caller
}

/** Lets a call through when its token is good and its user may do what the contract says. */
export function authenticate(accounts: Accounts): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    const access = request.routeOptions.config.endpoint?.access
    if (access === undefined || access === 'anyone') return
    const caller = await accounts.authenticate(bearerToken(request))
    if (!mayActAs(caller.role, access)) {
      throw new Problem('forbidden', `This needs the role ${access}; ${caller.email} is ${caller.role}.`)
    }
    request.caller = caller
  }
}
