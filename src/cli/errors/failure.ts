import type { ErrorKind } from '../../contract/errors.js'

/** A failure that was found here, not in the gateway. */
export class Failure extends Error {
  override readonly name = 'Failure'

  constructor(
    readonly kind: ErrorKind,
    /** What went wrong and why, in a sentence. */
    message: string,
    /** What to do next: a command where there is one. */
    readonly hint?: string,
    cause?: unknown,
  ) {
    super(message, { cause })
  }
}

/** What was typed, or a file that was given, is wrong. */
export const wrongUsage = (message: string, hint?: string, cause?: unknown): Failure =>
  new Failure('usage', message, hint, cause)
