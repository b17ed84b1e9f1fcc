import type { FastifyInstance, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import type { AnyEndpoint } from '../../contract/endpoint.js'
import { Problem } from '../../contract/errors.js'
import { mayActAs, type Role } from '../../contract/roles.js'
import type { Caller } from '../../gateway/accounts/caller.js'
import { refusedToRestricted } from '../../gateway/accounts/restriction.js'
import type { Gateway } from '../../gateway/open-gateway.js'
import { foundUpToDate, upToDate } from '../../gateway/up-to-date.js'
import { arrivedCall } from './audited.js'
import { readEquipmentName } from './equipment-in-path.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; null where no token is needed. */
    caller: Caller | null
  }
  interface FastifyContextConfig {
    /** The row of the contract that the route serves; left out on routes around the API. */
    endpoint?: AnyEndpoint
    /** The name of that row. */
    operation?: string
  }
}

const BEARER = /^Bearer +([^\s,]+) *$/i

const NEXT = { next: [{ operation: 'login' }] } as const
const LOGIN = 'Send a token as "Authorization: Bearer <token>": that of a login, or an API key.'

/** The last header, and its token: callers repeat theirs. */
let last: { readonly header: string; readonly token: string } | undefined

/** The token in the Authorization header. Throws `unauthenticated`, saying what to do, when there is none. */
export function bearerToken(request: FastifyRequest, otherwise = LOGIN): string {
  const { authorization: header = '' } = request.headers
  if (header === last?.header) return last.token
  const [, token] = BEARER.exec(header) ?? []
  if (token === undefined) throw new Problem('unauthenticated', otherwise, NEXT)
  last = { header, token }
  return token
}

/** The user or API key of a call to an endpoint that needs a token. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Problem('unauthenticated', 'This call needs a token.')
  return request.caller
}

/**
 * Refuses a call whose token is not valid, or whose user does not have the role that the contract requires: when its
 * header has arrived and, since a body may take minutes to arrive, again before the handler runs.
 */
export function authenticate(
  app: FastifyInstance,
  gateway: Pick<Gateway, 'accounts' | 'audit' | 'equipment' | 'catchUp' | 'clock'>,
): void {
  const { accounts, audit, equipment } = gateway
  const check = (request: FastifyRequest, done: HookHandlerDoneFunction): void => {
    const { endpoint: row, operation = '' } = request.routeOptions.config
    const access = row?.access
    if (row === undefined || access === undefined || access === 'anyone') return done()
    const admit = (caller: Caller): void => {
      request.caller = caller
      // Looked for before the call is forwarded: which daemon drives equipment is known with the equipment.
      if (gateway.catchUp && !readEquipmentName(request, row, caller, equipment))
        upToDate(gateway).then(() => admitFound(caller), done)
      else admitFound(caller)
    }
    const admitFound = (caller: Caller): void => {
      readEquipmentName(request, row, caller, equipment)
      const problem = mayActAs(caller.role, access)
        ? (forUsersAlone(caller, row) ?? refusedToRestricted(caller, row))
        : tooLow(caller, access)
      if (!problem) return done()
      audit
        .forbidden(caller, arrivedCall(operation, row, request), problem.code)
        .then(() => done(problem), done)
    }
    const token = bearerToken(request)
    const caller = accounts.recognised(token)
    if (caller) admit(caller)
    else foundUpToDate(gateway, () => accounts.authenticate(token)).then(admit, done)
  }
  app.addHook('onRequest', (request, _, done) => check(request, done))
  app.addHook('preHandler', (request, _, done) => {
    if (request.method === 'GET' || request.method === 'HEAD') done()
    else check(request, done)
  })
}

/** A row with the error `users_only` is about the user who calls. */
const forUsersAlone = ({ key, email }: Caller, { errors }: AnyEndpoint): Problem | undefined =>
  key && errors.includes('users_only')
    ? new Problem(
        'users_only',
        `This call is for users; ${email} is an API key, without a login or a password.`,
      )
    : undefined

const tooLow = ({ email, role }: Caller, needed: Role): Problem =>
  new Problem('forbidden', `This needs the role ${needed}; ${email} is ${role}.`)
