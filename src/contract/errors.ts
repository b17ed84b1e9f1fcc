import { ERRORS, type ErrorCode, type ErrorKind, type NextCommand } from './error-table.js'

export { ERRORS, type ErrorCode, type ErrorKind, type NextCommand }

/** Error codes of a call that makes a transaction with an equipment. */
export const TRANSACTION_ERRORS = [
  'equipment_not_found',
  'equipment_not_connected',
  'equipment_not_communicating',
  'invalid_message',
  'tapped_read_only',
  'equipment_busy',
  'transaction_aborted',
  'message_rejected',
  'equipment_error',
  'connection_lost',
  'reply_timeout',
] as const satisfies readonly ErrorCode[]

/** Error codes of such a call if it also names variables, constants or events of the equipment. */
export const NAMED_ERRORS = [...TRANSACTION_ERRORS, 'name_not_found'] as const

/** One fault of a request: where (a JSON Pointer into the body, or a parameter's name) and what. */
export interface Fault {
  readonly pointer: string
  readonly detail: string
}

/** Calls that a problem names as worth making next, by their operation ID in the OpenAPI document. */
export const NEXT_OPERATIONS = [
  'login',
  'listEquipment',
  'getEquipment',
  'connectEquipment',
  'disconnectEquipment',
  'goOnline',
  'listMessages',
  'listAlarms',
  'listRecipes',
  'listVariables',
  'listConstants',
  'listLimits',
  'listProcessJobs',
  'listCollectionEvents',
  'requestEventReport',
] as const
export type NextOperation = (typeof NEXT_OPERATIONS)[number]

/** A call that is worth making next. `parameters`: those of its path that are known. */
export interface NextCall {
  readonly operation: NextOperation
  readonly parameters?: { readonly id: string }
}

/** Optional members of a problem, besides code and detail. */
export interface ProblemExtra {
  readonly errors?: readonly Fault[]
  /** How many further faults `errors` leaves out. */
  readonly more_errors?: number
  readonly next?: readonly NextCall[]
  readonly message_id?: string
  readonly reply_id?: string
  /** The stream 9 message that ended the transaction, such as `S9F5`. */
  readonly s9?: string
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

/** Most faults in one response. */
const MAX_FAULTS = 50

/** The problem of a request with these faults; its detail has the first three, after `start`. */
export function faultyRequest(
  code: ErrorCode,
  faults: readonly Fault[],
  { start = '', next = [] }: { readonly start?: string; readonly next?: readonly NextCall[] } = {},
): Problem {
  const texts = faults.map(({ pointer, detail }) => `${pointer || 'the body'} ${detail}`)
  const more = texts.length > 3 ? [`and ${texts.length - 3} more`] : []
  return new Problem(code, `${start}${[...texts.slice(0, 3), ...more].join('; ')}.`, {
    errors: faults.slice(0, MAX_FAULTS),
    ...(faults.length > MAX_FAULTS && { more_errors: faults.length - MAX_FAULTS }),
    ...(next.length > 0 && { next }),
  })
}
