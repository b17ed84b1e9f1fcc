import { type ErrorCode, Problem } from '../../contract/errors.js'

const CODES: readonly ErrorCode[] = ['transaction_aborted', 'message_rejected', 'equipment_error']

/** True where equipment does not take a message, as it says of those that it does not know. */
export const isUnknownMessage = (error: unknown): boolean =>
  error instanceof Problem && CODES.includes(error.code)
