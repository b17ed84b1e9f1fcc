import type { AnyEndpoint } from '../contract/endpoints.js'
import { ERRORS, type ErrorCode } from '../contract/errors.js'

const takesBody = ({ method }: AnyEndpoint): boolean => method !== 'GET'

/** Everything that a call to the endpoint may fail with: its own errors and those of every call like it. */
function errorsOf(endpoint: AnyEndpoint): ErrorCode[] {
  const { access, idempotent, errors } = endpoint
  return [
    ...new Set<ErrorCode>([
      'invalid_request',
      ...(takesBody(endpoint) ? (['invalid_json', 'body_too_large', 'unsupported_media_type'] as const) : []),
      ...(access === 'anyone' ? [] : (['unauthenticated', 'token_expired', 'token_revoked'] as const)),
      ...(access === 'anyone' || access === 'viewer' ? [] : (['forbidden'] as const)),
      'not_acceptable',
      ...errors,
      ...(idempotent
        ? (['idempotency_in_progress', 'outcome_unknown', 'idempotency_key_reused', 'rate_limited'] as const)
        : []),
      'header_too_large',
      'internal_error',
      'store_unavailable',
      'shutting_down',
    ]),
  ]
}

/** The same by status, in rising order. */
export function errorsByStatus(endpoint: AnyEndpoint): Map<number, ErrorCode[]> {
  const byStatus = new Map<number, ErrorCode[]>()
  const codes = errorsOf(endpoint).sort((a, b) => ERRORS[a].status - ERRORS[b].status)
  for (const code of codes) {
    const { status } = ERRORS[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return byStatus
}
