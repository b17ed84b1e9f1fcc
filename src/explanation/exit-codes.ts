import type { ErrorKind } from '../contract/errors.js'

/** The exit codes of all commands. Interrupted commands end with 128 and the signal's number. */
export const EXIT_CODES = {
  unexpected: 1,
  usage: 2,
  missing: 3,
  access: 4,
  state: 5,
  unreachable: 6,
  timeout: 7,
  equipment: 8,
  damaged: 9,
} as const satisfies Record<ErrorKind, number>
