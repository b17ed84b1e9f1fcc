import type { FastifyRequest } from 'fastify'
import type { AnyEndpoint, Call } from '../../contract/endpoint.js'
import { RefusedAccount } from '../../gateway/accounts/refused-account.js'
import { auditDetails } from '../../gateway/audit/audit-details.js'
import type { AuditedCall, AuditedEnd } from '../../gateway/audit/audited-call.js'
import type { SentCall } from '../../gateway/audit/sent-call.js'
import type { CallResponse } from '../../gateway/idempotency/idempotency.js'
import type { Gateway } from '../../gateway/open-gateway.js'
import { BREAK_GLASS_LOGIN } from '../../gateway/records/journal-kinds.js'
import type { JsonObject } from '../../kit/text/json.js'
import { tracedBy, traceparentOf } from '../../kit/text/traceparent.js'
import { problemFor } from '../responses/errors.js'
import { addressOf } from './passed-on.js'

/** A call as far as it is known before its body and query are read. */
export const arrivedCall = (action: string, row: AnyEndpoint, request: FastifyRequest): AuditedCall => {
  const { id } = request.params as { readonly id?: string }
  const { caller } = request
  return {
    action,
    equipment_id: row.path.startsWith('/equipment/{id}') ? (id ?? null) : null,
    user: caller?.key ? null : (caller?.email ?? null),
    api_key: caller?.key ? { id: caller.key.id, name: caller.key.name } : null,
    address: addressOf(request),
    request_id: request.id,
    ...tracedBy(traceparentOf(request.headers['traceparent'])),
    reason: null,
    details: {},
  }
}

/** The calls by which users of company accounts get a token. */
const SIGN_ONS: ReadonlySet<string> = new Set(['exchangeDeviceSignOn', 'exchangePageSignOn', 'refreshSignOn'])

/** The calls that change nothing but by the one message that they send. */
const SENDS_ONLY: ReadonlySet<string> = new Set(['sendMessage', 'sendCommand'])

/** Of a call whose body has a reason, too, that of the query comes first. */
function reasonOf({ query, body }: Call<AnyEndpoint>): string | null {
  type Reasoned = { readonly reason?: string } | undefined
  return (query as Reasoned)?.reason ?? (body as Reasoned)?.reason ?? null
}

/** The alarms that the call acknowledges. */
function alarmsOf(action: string, { params, body }: Call<AnyEndpoint>): readonly string[] {
  if (action === 'acknowledgeAlarm') return [(params as { readonly id: string }).id]
  return action === 'acknowledgeAlarms' ? (body as { readonly ids: readonly string[] }).ids : []
}

/** Carries out a call that may change something, once it is recorded; `work` records a call that it is given. */
export async function audited(
  action: string,
  row: AnyEndpoint,
  gateway: Gateway,
  call: Call<AnyEndpoint>,
  request: FastifyRequest,
  work: (sent?: SentCall) => Promise<CallResponse>,
): Promise<CallResponse> {
  const { audit, accounts } = gateway
  let known: AuditedCall = { ...arrivedCall(action, row, request), reason: reasonOf(call) }
  if (action === 'login') {
    const { email } = call.body as { readonly email: string }
    const user = (await accounts.knownEmail(email)) ?? null
    return login(gateway, { ...known, user }, request, work)
  }
  if (action === 'refreshSignOn') {
    const { session_token } = call.body as { readonly session_token: string }
    known = { ...known, user: await accounts.company.emailOf(session_token) }
  }
  if (SIGN_ONS.has(action)) return signOn(gateway, known, request, work)
  if (action === 'endSignOn') {
    const { session_token } = call.body as { readonly session_token: string }
    const user = await accounts.company.emailOf(session_token)
    // Who has no session ends none: a stranger does not fill the audit.
    if (user === null) return work()
    known = { ...known, user }
  }
  const alarms = alarmsOf(action, call)
  const recorded: AuditedCall = {
    ...known,
    ...(alarms.length > 0 && { equipment_id: await audit.equipmentOf(alarms) }),
    details: auditDetails(row, call),
  }
  const sent = SENDS_ONLY.has(action) ? audit.sending(recorded) : undefined
  const begun = sent ? 0 : await audit.begin(recorded)
  const ended = async (end: AuditedEnd): Promise<void> =>
    sent ? sent.ended(end) : audit.ended(begun, recorded, end)
  let response: CallResponse
  try {
    response = await work(sent)
  } catch (error) {
    await ended(failureOf(error, request))
    throw error
  }
  await ended(endOf(action, response))
  return response
}

/** Does the work of a login, and records that it has failed; for a company account, whose it is. */
async function attempted(
  { audit }: Pick<Gateway, 'audit'>,
  call: AuditedCall,
  request: FastifyRequest,
  work: () => Promise<CallResponse>,
): Promise<CallResponse> {
  try {
    return await work()
  } catch (error) {
    const end = failureOf(error, request)
    // A program repeats its call until the user has signed on.
    if (end.code === 'sso_pending') throw error
    const details = error instanceof RefusedAccount ? { ...error.account } : call.details
    await audit.loginFailed({ ...call, details }, end)
    throw error
  }
}

/** Records a sign-on once it has succeeded or failed, with whose account it is. */
async function signOn(
  { audit, accounts }: Gateway,
  call: AuditedCall,
  request: FastifyRequest,
  work: () => Promise<CallResponse>,
): Promise<CallResponse> {
  const response = await attempted({ audit }, call, request, work)
  const user = response.body?.['user'] as { readonly id: string; readonly email: string } | undefined
  const { issuer, subject, groups, rule } = (user && (await accounts.get(user.id)).sign_on) ?? {}
  const details = issuer === undefined ? {} : { issuer, subject, groups, rule }
  await audit.loggedIn({ ...call, user: user?.email ?? null, details: details as JsonObject })
  return response
}

async function login(
  { audit, signOn, gatewayEvents, standby }: Gateway,
  call: AuditedCall,
  request: FastifyRequest,
  work: () => Promise<CallResponse>,
): Promise<CallResponse> {
  const response = await attempted({ audit }, call, request, work)
  // Where everybody signs on, a password is the way in for an emergency: somebody has to see that it was used.
  const isBreakGlass = signOn !== undefined && roleIn(response) === 'admin'
  await audit.loggedIn(isBreakGlass ? { ...call, details: { break_glass: true } } : call)
  if (!isBreakGlass) return response
  const { user, address: from, traceparent } = call
  request.log.warn({ user, from }, 'a local administrator has logged in with a password')
  // What a gateway in standby has recorded stays as it was copied.
  if (!standby) await gatewayEvents.record(BREAK_GLASS_LOGIN, { user, ...tracedBy(traceparent) })
  return response
}

const roleIn = ({ body }: CallResponse): unknown => Object(body?.['user']).role

const textIn = (body: JsonObject | undefined, name: string): string | undefined =>
  typeof body?.[name] === 'string' ? body[name] : undefined

function endOf(action: string, { status, body }: CallResponse): AuditedEnd {
  const message = body?.['message'] as JsonObject | undefined
  const added = action === 'createEquipment' ? textIn(body ?? undefined, 'id') : undefined
  const message_id = textIn(body ?? undefined, 'message_id') ?? textIn(message, 'id') ?? null
  return { status, code: null, message_id, ...(added !== undefined && { equipment_id: added }) }
}

function failureOf(error: unknown, request: FastifyRequest): AuditedEnd {
  const { status, code, extra } = problemFor(error, request)
  const { message_id = null } = extra as { readonly message_id?: string }
  return { status, code, message_id }
}
