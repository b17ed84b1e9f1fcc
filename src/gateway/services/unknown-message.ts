import { type ErrorCode, Problem } from '../../contract/errors.js'

const CODES: readonly ErrorCode[] = ['transaction_aborted', 'message_rejected', 'equipment_error']

/** True where the equipment rejected a message in a way that means it does not support it. */
export const isUnknownMessage = (error: unknown): boolean =>
  error instanceof Problem && CODES.includes(error.code)
