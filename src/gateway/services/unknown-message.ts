import { type ErrorCode, Problem } from '../../contract/errors.js'

const CODES: readonly ErrorCode[] = ['transaction_aborted', 'message_rejected', 'equipment_error']

/** True where the equipment rejected a message in a way that means it does not support it. */
export const isUnknownMessage = (error: unknown): boolean =>
  error instanceof Problem && CODES.includes(error.code)

/** Passes over a problem of the equipment with a question, as long as it is connected. Throws any other error. */
export function passOverRefusal(error: unknown): undefined {
  if (!(error instanceof Problem) || error.kind !== 'equipment' || error.code === 'connection_lost')
    throw error
}
