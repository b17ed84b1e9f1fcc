import type { ErrorKind } from './error-kind.js'

/**
 * A command of the command line and its arguments. `EQ` is the equipment that the error is about, `SxFy` the message;
 * other words in capitals are examples.
 */
export type NextCommand = readonly [command: string, ...args: readonly string[]]

export interface ErrorRow {
  readonly status: number
  readonly kind: ErrorKind
  readonly title: string
  /** What the command line prints below the error: the first command, that which explains the error, or nothing. */
  readonly hint: 'command' | 'explain' | 'none'
  /** What to do, in words: one to four sentences. */
  readonly advice: string
  /** What to type, the most useful first. */
  readonly commands: readonly NextCommand[]
}

/** A row of the table of errors. */
export const row = (
  [status, kind, title, hint = 'command']: readonly [number, ErrorKind, string, ErrorRow['hint']?],
  advice: string,
  ...commands: readonly NextCommand[]
): ErrorRow => ({ status, kind, title, hint, advice, commands })

// Commands that several rows name.
export const LOGIN: NextCommand = ['login']
export const WHOAMI: NextCommand = ['whoami']
export const KEYS: NextCommand = ['keys', 'list']
export const API: NextCommand = ['api', 'GET', '/api/docs']
export const SHOW: NextCommand = ['equipment', 'show', 'EQ']
export const LIST: NextCommand = ['equipment', 'list']
export const LAST: NextCommand = ['messages', 'list', '--equipment', 'EQ', '--limit', '5']
export const RECENT: NextCommand = ['messages', 'list', '--limit', '5']
export const LOGS: NextCommand = ['daemon', 'logs']
