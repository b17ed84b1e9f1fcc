import { carriedOutBy } from '../../contract/carried-out.js'
import type { AnyEndpoint } from '../../contract/endpoint.js'
import { isRefusedByLock } from '../../contract/equipment-lock.js'
import { ERRORS, type ErrorCode } from '../../contract/errors.js'

const takesBody = ({ method }: AnyEndpoint): boolean => method !== 'GET'

/** Errors that any request may have. */
const EVERYWHERE = [
  'invalid_request',
  'request_timeout',
  'header_too_large',
  'internal_error',
  'history_damaged',
  'shutting_down',
] as const satisfies readonly ErrorCode[]

/** Everything that a call to the endpoint may fail with, beside what any may. */
function errorsOf(endpoint: AnyEndpoint): ErrorCode[] {
  const { access, idempotent, errors } = endpoint
  return [
    ...(takesBody(endpoint) ? (['invalid_json', 'body_too_large', 'unsupported_media_type'] as const) : []),
    ...(access === 'anyone' ? [] : (['unauthenticated', 'token_expired', 'token_revoked'] as const)),
    ...(access === 'anyone' || access === 'viewer' ? [] : (['forbidden'] as const)),
    'not_acceptable',
    ...errors,
    ...(isRefusedByLock(endpoint) ? (['equipment_locked'] as const) : []),
    ...(idempotent
      ? (['idempotency_in_progress', 'outcome_unknown', 'idempotency_key_reused', 'rate_limited'] as const)
      : []),
    ...(carriedOutBy(endpoint) === 'anywhere' ? [] : (['equipment_unowned'] as const)),
    ...(carriedOutBy(endpoint) === 'anywhere' || endpoint.method === 'GET' ? [] : (['owner_lost'] as const)),
    ...(takesBody(endpoint) || carriedOutBy(endpoint) === 'owner' ? (['standby'] as const) : []),
    'store_unavailable',
  ]
}

/** These errors and those of any request by status, in rising order. */
export function byStatus(errors: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const found = new Map<number, ErrorCode[]>()
  const codes = new Set<ErrorCode>([...EVERYWHERE, ...errors])
  for (const code of [...codes].sort((a, b) => ERRORS[a].status - ERRORS[b].status)) {
    const { status } = ERRORS[code]
    found.set(status, [...(found.get(status) ?? []), code])
  }
  return found
}

/** Everything that a call to the endpoint may fail with, by status. */
export const errorsByStatus = (endpoint: AnyEndpoint): Map<number, ErrorCode[]> =>
  byStatus(errorsOf(endpoint))
