import { carriedOutBy } from '../../contract/carried-out.js'
import type { AnyEndpoint } from '../../contract/endpoint.js'
import { isRefusedByLock } from '../../contract/equipment-lock.js'
import { ERRORS, type ErrorCode } from '../../contract/errors.js'

/** Errors that any request may have: the document says them once, as the response `default`. */
export const EVERYWHERE = [
  'invalid_request',
  'invalid_json',
  'not_acceptable',
  'request_timeout',
  'body_too_large',
  'unsupported_media_type',
  'header_too_large',
  'internal_error',
  'history_damaged',
  'gateway_busy',
  'shutting_down',
  'store_unavailable',
] as const satisfies readonly ErrorCode[]

/** Everything that a call to the endpoint may fail with, beside what any may. */
function errorsOf(endpoint: AnyEndpoint): ErrorCode[] {
  const { access, idempotent, errors } = endpoint
  return [
    ...(access === 'anyone' ? [] : (['unauthenticated', 'token_expired', 'token_revoked'] as const)),
    ...(access === 'anyone' || access === 'viewer' ? [] : (['forbidden'] as const)),
    ...errors,
    ...(isRefusedByLock(endpoint) ? (['equipment_locked'] as const) : []),
    ...(idempotent
      ? (['idempotency_in_progress', 'outcome_unknown', 'idempotency_key_reused', 'rate_limited'] as const)
      : []),
    ...(carriedOutBy(endpoint) === 'anywhere' ? [] : (['equipment_unowned'] as const)),
    ...(carriedOutBy(endpoint) === 'anywhere' || endpoint.isSafe ? [] : (['owner_lost'] as const)),
    ...(!endpoint.isSafe || carriedOutBy(endpoint) === 'owner' ? (['standby'] as const) : []),
  ]
}

/** These errors by status, in rising order, without those of any request. */
export function byStatus(errors: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const found = new Map<number, ErrorCode[]>()
  const everywhere = new Set<ErrorCode>(EVERYWHERE)
  const codes = [...new Set(errors)].filter((code) => !everywhere.has(code))
  for (const code of codes.sort((a, b) => ERRORS[a].status - ERRORS[b].status)) {
    const { status } = ERRORS[code]
    found.set(status, [...(found.get(status) ?? []), code])
  }
  return found
}

/** Everything that a call to the endpoint may fail with, by status. */
export const errorsByStatus = (endpoint: AnyEndpoint): Map<number, ErrorCode[]> =>
  byStatus(errorsOf(endpoint))
