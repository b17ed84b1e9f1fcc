/** Category of an error code; it determines the exit code of the command line. */
export type ErrorKind =
  | 'unexpected'
  | 'usage'
  | 'missing'
  | 'access'
  | 'state'
  | 'unreachable'
  | 'timeout'
  | 'equipment'

interface ErrorRow {
  readonly status: number
  readonly kind: ErrorKind
  readonly title: string
}

/**
 * Every way a request can fail, in one place. The server takes the status from here, the client rebuilds
 * the problem from the code, and the command line takes its exit code from the kind.
 */
export const ERRORS = {
  invalid_request: { status: 400, kind: 'usage', title: 'The request is not valid' },
  invalid_json: { status: 400, kind: 'usage', title: 'The body is not JSON' },
  invalid_cursor: { status: 400, kind: 'usage', title: 'The cursor does not belong to this list' },
  unauthenticated: { status: 401, kind: 'access', title: 'A token is needed' },
  invalid_credentials: { status: 401, kind: 'access', title: 'Email or password is wrong' },
  token_expired: { status: 401, kind: 'access', title: 'The token has expired' },
  token_revoked: { status: 401, kind: 'access', title: 'The token has been revoked' },
  forbidden: { status: 403, kind: 'access', title: 'The role does not allow this' },
  wrong_password: { status: 403, kind: 'access', title: 'The current password is wrong' },
  not_found: { status: 404, kind: 'missing', title: 'There is no such path' },
  equipment_not_found: { status: 404, kind: 'missing', title: 'There is no such equipment' },
  message_not_found: { status: 404, kind: 'missing', title: 'There is no such message' },
  alarm_not_found: { status: 404, kind: 'missing', title: 'There is no such alarm' },
  recipe_not_found: { status: 404, kind: 'missing', title: 'The equipment has no such recipe' },
  name_not_found: { status: 404, kind: 'missing', title: 'The equipment has no object with this name' },
  user_not_found: { status: 404, kind: 'missing', title: 'There is no such user' },
  method_not_allowed: { status: 405, kind: 'usage', title: 'The path does not support this method' },
  not_acceptable: { status: 406, kind: 'usage', title: 'None of the accepted media types is available' },
  request_timeout: { status: 408, kind: 'unexpected', title: 'The request did not arrive in time' },
  equipment_name_taken: { status: 409, kind: 'state', title: 'The name is already in use' },
  equipment_address_taken: { status: 409, kind: 'state', title: 'The address and port are already in use' },
  equipment_connected: { status: 409, kind: 'state', title: 'The equipment is connected' },
  equipment_not_connected: { status: 409, kind: 'state', title: 'The equipment is not connected' },
  equipment_not_communicating: { status: 409, kind: 'state', title: 'The equipment is not communicating' },
  email_taken: { status: 409, kind: 'state', title: 'The email is already in use' },
  last_admin: { status: 409, kind: 'state', title: 'The last administrator cannot be removed' },
  idempotency_in_progress: {
    status: 409,
    kind: 'state',
    title: 'The first request with this key is still in progress',
  },
  outcome_unknown: {
    status: 409,
    kind: 'state',
    title: 'The outcome of the first request with this key is not known',
  },
  cursor_expired: {
    status: 410,
    kind: 'unexpected',
    title: 'Retention has deleted the entries at the cursor',
  },
  revision_mismatch: { status: 412, kind: 'state', title: 'The record was changed by another request' },
  body_too_large: { status: 413, kind: 'usage', title: 'The body is too large' },
  unsupported_media_type: { status: 415, kind: 'usage', title: 'The body must be JSON' },
  invalid_message: { status: 422, kind: 'usage', title: 'The body does not fit the message' },
  idempotency_key_reused: {
    status: 422,
    kind: 'usage',
    title: 'The idempotency key was used for another request',
  },
  rate_limited: { status: 429, kind: 'unexpected', title: 'Too many attempts' },
  quota_exceeded: { status: 429, kind: 'unexpected', title: 'The caller has reached its limit' },
  header_too_large: { status: 431, kind: 'usage', title: 'The header is too large' },
  internal_error: { status: 500, kind: 'unexpected', title: 'An unexpected error occurred' },
  transaction_aborted: { status: 502, kind: 'equipment', title: 'The equipment aborted the transaction' },
  message_rejected: { status: 502, kind: 'equipment', title: 'The equipment rejected the message' },
  equipment_error: { status: 502, kind: 'equipment', title: 'The equipment reported an error' },
  connection_lost: { status: 502, kind: 'equipment', title: 'The connection to the equipment was lost' },
  store_unavailable: { status: 503, kind: 'unexpected', title: 'The gateway cannot write to its store' },
  equipment_busy: { status: 503, kind: 'unexpected', title: 'Too many open transactions' },
  shutting_down: { status: 503, kind: 'unexpected', title: 'The gateway is stopping' },
  reply_timeout: { status: 504, kind: 'timeout', title: 'The equipment did not reply in time' },
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof ERRORS

/** Error codes of a call that makes a transaction with an equipment. */
export const TRANSACTION_ERRORS = [
  'equipment_not_found',
  'equipment_not_connected',
  'equipment_not_communicating',
  'invalid_message',
  'equipment_busy',
  'transaction_aborted',
  'message_rejected',
  'equipment_error',
  'connection_lost',
  'reply_timeout',
] as const satisfies readonly ErrorCode[]

/** Error codes of such a call if it also names variables, constants or events of the equipment. */
export const NAMED_ERRORS = [...TRANSACTION_ERRORS, 'name_not_found'] as const

/** One thing wrong with a request: where (a JSON Pointer into the body, or a parameter's name) and what. */
export interface Fault {
  readonly pointer: string
  readonly detail: string
}

/** Optional members of a problem, besides code and detail. */
export interface ProblemExtra {
  readonly errors?: readonly Fault[]
  readonly message_id?: string
  readonly reply_id?: string
  /** Seconds after which the client may try again; sent as `Retry-After`. */
  readonly retry_after?: number
}

/** An expected failure. Anything else that is thrown is a bug, and is answered as `internal_error`. */
export class Problem extends Error {
  override readonly name = 'Problem'

  constructor(
    readonly code: ErrorCode,
    detail: string,
    readonly extra: ProblemExtra = {},
    cause?: unknown,
  ) {
    super(detail, { cause })
  }

  get status(): number {
    return ERRORS[this.code].status
  }

  get kind(): ErrorKind {
    return ERRORS[this.code].kind
  }
}
